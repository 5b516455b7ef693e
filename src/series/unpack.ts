// Puts the checks of changed spans together, where some of them are packed: a roll-up reads them several times, by spans.
import { sql } from 'kysely';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Tx } from '../platform/work.ts';
import type { Source, Target } from './rollup-spans.ts';
import { timesOf } from './sources.ts';

/** The source of these spans: `checks`, or, if one of them belongs to a sealed day, a table that ends with the transaction. */
export async function unpackFor(tx: Tx, targets: readonly Target[]): Promise<Source> {
  const oldest = targets.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const { rows } = await sql<{ sealed: number }>`
    SELECT extract(epoch FROM sealed_until)::bigint AS sealed FROM packing_state`.execute(tx);
  if (oldest >= (rows[0]?.sealed ?? 0)) return 'checks';
  const times = [...Map.groupBy(targets, ({ no }) => no)].flatMap(([no, own]) =>
    timesOf(own.map(({ at }) => at)).map((time) => ({ no, ...time })),
  );
  await sql`CREATE TEMPORARY TABLE unpacked_checks (LIKE checks) ON COMMIT DROP`.execute(tx);
  await sql`
    INSERT INTO unpacked_checks (checked_at, monitor_no, region_no, status, latency_ms, cause_layer, metric_value, metric_value_2)
    SELECT c.checked_at, c.monitor_no, c.region_no, c.status, c.latency_ms, c.cause_layer, c.metric_value, c.metric_value_2
    FROM unnest(${pgArray(times.map(({ no }) => no))}::int[], ${pgArray(times.map(({ since }) => since))}::bigint[],
      ${pgArray(times.map(({ until }) => until))}::bigint[]) AS t (no, since, until)
    CROSS JOIN regions r CROSS JOIN LATERAL stored_results(t.no, r.no, to_timestamp(t.since), to_timestamp(t.until)) c`.execute(
    tx,
  );
  await sql`CREATE INDEX ON unpacked_checks (monitor_no, region_no, checked_at)`.execute(tx);
  return 'unpacked_checks';
}
