// Reads checks column by column and writes them as blocks.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#src/platform/work.ts';
import { type Block, type DayOfChecks, packDay } from './block.ts';
import type { Value } from './column.ts';

const NUMBERS = [
  'status',
  'response_code',
  'dns_ms',
  'connect_ms',
  'tls_ms',
  'first_byte_ms',
  'latency_ms',
  'metric_value',
  'metric_value_2',
] as const;

type Row = { monitor_no: number; region_no: number; micros: string; failed: Failed[] | null } & {
  [column in (typeof NUMBERS)[number]]: string;
};
/** Microseconds, class, layer, detail. */
type Failed = [
  micros: number,
  failure_class: string | null,
  cause_layer: string | null,
  detail: string | null,
];

/**
 * Packs the checks of one day into a block for each monitor and region, replacing earlier blocks. `from` is the rest of a
 * SELECT, after its columns, that reads checks as `c`.
 */
export async function packDayOf(tx: Tx, day: Date, from: RawBuilder<unknown>): Promise<number> {
  const numbers = sql.join(
    NUMBERS.map((column) => sql`array_agg(${sql.ref(column)})::text AS ${sql.ref(column)}`),
  );
  const { rows } = await sql<Row>`
    SELECT monitor_no, region_no, array_agg(micros)::text AS micros, ${numbers},
      json_agg(json_build_array(micros, failure_class, cause_layer, detail))
        FILTER (WHERE failure_class IS NOT NULL OR cause_layer IS NOT NULL OR detail IS NOT NULL) AS failed
    FROM (
      SELECT c.*, round(date_part('epoch', c.checked_at - ${day}::timestamptz) * 1000000)::bigint AS micros
      ${from} ORDER BY c.monitor_no, c.region_no, c.checked_at
    ) c GROUP BY monitor_no, region_no`.execute(tx);
  if (rows.length === 0) return 0;
  const blocks = rows.map((row) => ({ ...row, ...packDay(columnsOf(row)) }));
  await sql`
    INSERT INTO packed_checks (day, monitor_no, region_no, checks, body, texts, numbers)
    VALUES ${sql.join(blocks.map((block) => valuesOf(day, block)))}
    ON CONFLICT (monitor_no, region_no, day) DO UPDATE
      SET checks = excluded.checks, body = excluded.body, texts = excluded.texts, numbers = excluded.numbers`.execute(
    tx,
  );
  return blocks.reduce((sum, { checks }) => sum + checks, 0);
}

const valuesOf = (
  day: Date,
  { monitor_no, region_no, checks, body, texts, numbers }: Block & Pick<Row, 'monitor_no' | 'region_no'>,
) => sql`(${day}::timestamptz, ${monitor_no}::int, ${region_no}::smallint, ${checks}::int, ${body}::varbit, ${texts}::text[],
  ${numbers === null ? null : `{${numbers.map(numberText).join(',')}}`}::float8[])`;

function columnsOf(row: Row): DayOfChecks {
  const micros = numbersOf(row.micros) as number[];
  const texts = textsOf(micros, row.failed ?? []);
  const columns = Object.fromEntries(NUMBERS.map((column) => [column, numbersOf(row[column])]));
  return { ...(columns as Record<(typeof NUMBERS)[number], Value[]>), ...texts, micros };
}

/** An array of numbers as PostgreSQL writes it. */
function numbersOf(text: string): Value[] {
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : Number(item)));
}

/** Most checks have no texts, so those that have are found by their instant. */
function textsOf(micros: readonly number[], failed: readonly Failed[]) {
  const nothing = (): (string | null)[] => new Array<string | null>(micros.length).fill(null);
  const texts = { failure_class: nothing(), cause_layer: nothing(), detail: nothing() };
  let place = 0;
  for (const [at, failure_class, cause_layer, detail] of failed) {
    while (micros[place] !== at) place += 1;
    texts.failure_class[place] = failure_class;
    texts.cause_layer[place] = cause_layer;
    texts.detail[place] = detail;
  }
  return texts;
}

/** The shortest text of this number; keeps negative zero. */
const numberText = (value: number) => (Object.is(value, -0) ? '-0' : String(value));
