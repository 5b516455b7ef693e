// The histogram of src/domain/histogram.ts in SQL: the same bins, the same form.
import { type RawBuilder, sql } from 'kysely';
import { type Bins, COUNT_BITS, MAX_BIN_COUNT } from '../domain/histogram.ts';

const BITS = sql.raw(String(COUNT_BITS));
const MAX_COUNT = sql.raw(String(MAX_BIN_COUNT));

/** The bin of a value; null of null. */
export function binOfSql({ starts, whole }: Bins, value: RawBuilder<unknown>): RawBuilder<number> {
  const rounded = whole ? sql`round(${value}::float8)` : sql`${value}::float8`;
  return sql<number>`width_bucket(${rounded}, ${sql.raw(`'{${starts.join(',')}}'::float8[]`)})`;
}

/** The histogram of an array of bins; null of null and of an empty one. */
export const histogramOfBins = (bins: RawBuilder<unknown>) => sql<number[] | null>`(
  SELECT array_agg((h.bin << ${BITS}) | least(h.n, ${MAX_COUNT})::int ORDER BY h.bin)
  FROM (SELECT bin, count(*) AS n FROM unnest(${bins}) AS bin GROUP BY bin) h)`;

/** Bin and count of one element of a histogram. */
export const elementBin = (element: RawBuilder<unknown>) => sql<number>`(${element} >> ${BITS})`;
export const elementCount = (element: RawBuilder<unknown>) => sql<number>`(${element} & ${MAX_COUNT})`;

/** The histogram of elements (`v`, from several histograms) that `rest` selects: `FROM … WHERE …`. */
export const histogramOfElements = (rest: RawBuilder<unknown>) => sql<number[] | null>`(
  SELECT array_agg((h.bin << ${BITS}) | least(h.n, ${MAX_COUNT})::int ORDER BY h.bin)
  FROM (SELECT v >> ${BITS} AS bin, sum(v & ${MAX_COUNT}) AS n ${rest} GROUP BY 1) h)`;
