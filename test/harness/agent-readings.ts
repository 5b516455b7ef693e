// Readings of an agent as the ingest stores them, and the series computed from every single one.
import assert from 'node:assert/strict';
import type { Kysely } from 'kysely';
import type { AgentSeries } from '#src/agents/contract.ts';
import type { SeriesRange } from '#src/domain/names.ts';
import { bucketStart, seriesWindow } from '#src/domain/series.ts';
import { makePartition } from '#src/platform/db/partitions.ts';
import type { DB } from '#src/platform/db/tables.ts';
import { AGENT_READINGS } from '#src/retention.ts';

export type StoredReading = {
  at: Date;
  cpu_pct?: number | null;
  mem_pct?: number | null;
  load1?: number | null;
  disks?: Record<string, number> | null;
};

/** Stores readings, and marks those that arrived after their time was rolled up. */
export async function storeReadings(
  db: Kysely<DB>,
  agentNo: number,
  readings: readonly StoredReading[],
): Promise<void> {
  if (readings.length === 0) return;
  const days = new Map(readings.map(({ at }) => [at.toISOString().slice(0, 10), at]));
  for (const at of days.values()) await makePartition(db, AGENT_READINGS, at);
  const rows = readings.map(({ at, disks, ...values }) => ({
    ...{ at, sent_ms: at.getTime(), agent_no: agentNo, ...values },
    disks: disks ? JSON.stringify(disks) : null,
  }));
  for (let i = 0; i < rows.length; i += 1000)
    await db
      .insertInto('agent_readings')
      .values(rows.slice(i, i + 1000))
      .execute();
  const first = new Date(Math.min(...readings.map(({ at }) => at.getTime())));
  await db
    .updateTable('agent_states')
    .set(({ fn, ref, val }) => ({ dirty_from: fn('least', [ref('dirty_from'), val(first)]) }))
    .where('agent_no', '=', agentNo)
    .where('rolled_until', '>', first)
    .execute();
}

type Figures = Pick<AgentSeries, 'points' | 'stats'>;

/** Points and figures of one metric, by adding up every reading of the window. */
export function naiveAgentSeries(
  readings: readonly StoredReading[],
  measured: (reading: StoredReading) => number | null | undefined,
  range: SeriesRange,
  now: Date,
): Figures {
  const nowUnix = Math.floor(now.getTime() / 1000);
  const { fromUnix, bucketSeconds } = seriesWindow(range, nowUnix);
  const buckets = new Map<number, number[]>();
  for (const reading of readings) {
    const value = measured(reading);
    const at = reading.at.getTime() / 1000;
    if (value == null || at < fromUnix || reading.at > now) continue;
    const bucket = bucketStart(at, bucketSeconds);
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), value]);
  }
  const figuresOf = (values: readonly number[]) => ({
    count: values.length,
    avg: values.reduce((sum, value) => sum + value, 0) / values.length,
    max: Math.max(...values),
  });
  const all = [...buckets.values()].flat();
  return {
    points: [...buckets.entries()]
      .toSorted(([left], [right]) => left - right)
      .map(([bucket_unix, values]) => ({ bucket_unix, ...figuresOf(values) })),
    stats: all.length === 0 ? { count: 0, avg: null, max: null } : figuresOf(all),
  };
}

/** Fails unless the figures match, up to the error of sums in another order. */
export function assertFigures(actual: Figures, wanted: Figures, message: string): void {
  const points = wanted.points.map((point, i) => ({ ...point, ...nearly(point, actual.points[i]) }));
  const stats = { ...wanted.stats, ...nearly(wanted.stats, actual.stats) };
  assert.deepEqual(actual, { points, stats }, message);
}

type Values = Pick<Figures['stats'], 'avg' | 'max'>;

/** The expected values; the actual one if the two differ only by rounding. */
function nearly(wanted: Values, actual: Values | undefined): Values {
  const near = (value: number | null, found: number | null | undefined) =>
    value != null && found != null && Math.abs(value - found) <= 1e-8 * Math.abs(value) ? found : value;
  return { avg: near(wanted.avg, actual?.avg), max: near(wanted.max, actual?.max) };
}
