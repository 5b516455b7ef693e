// How late checks start: read from what was stored, against the moments the schedule names.
import { sql } from 'kysely';
import { offsetMs } from '../src/domain/schedule.ts';
import type { Made, Subject } from './subject.ts';

export type Lateness = {
  /** Milliseconds after its moment, per check. */
  lateMs: number[];
  stored: number;
  /** Checks that the schedule names in this span. */
  expected: number;
};

/** Checks of these monitors that were due from `fromMs` to before `toMs` (wall clock). */
export async function latenessOf(
  { database }: Subject,
  monitors: readonly Made[],
  intervalSeconds: number,
  fromMs: number,
  toMs: number,
): Promise<Lateness> {
  const intervalMs = intervalSeconds * 1000;
  const { rows } = await sql<{ no: number; times: number[] }>`
    SELECT monitor_no AS no, array_agg((extract(epoch FROM checked_at) * 1000)::float8 ORDER BY checked_at) AS times
    FROM checks WHERE checked_at >= ${new Date(fromMs)} AND checked_at < ${new Date(toMs + intervalMs)}
      AND monitor_no = ANY(${monitors.map(({ no }) => no)}::int[])
    GROUP BY monitor_no`.execute(database.db);
  const offsets = new Map(monitors.map(({ id, no }) => [no, offsetMs(id, intervalMs)]));
  const lateMs: number[] = [];
  for (const { no, times } of rows)
    for (const atMs of times) {
      const late = (((atMs - (offsets.get(no) ?? 0)) % intervalMs) + intervalMs) % intervalMs;
      const dueMs = atMs - late;
      if (dueMs >= fromMs && dueMs < toMs) lateMs.push(late);
    }
  let expected = 0;
  for (const offset of offsets.values())
    expected += Math.ceil((toMs - offset) / intervalMs) - Math.ceil((fromMs - offset) / intervalMs);
  return { lateMs, stored: lateMs.length, expected };
}
