// How late checks start, measured at the target, and how many of the due checks were stored. A stored check that was on time
// has its scheduled moment and not its start, so lateness is read at the watched server, where nothing is rounded.
import { sql } from 'kysely';
import { offsetMs } from '../src/domain/schedule.ts';
import type { Arrival } from './outside.ts';
import type { Made, Subject } from './subject.ts';

export type Coverage = {
  stored: number;
  /** The number of checks in the schedule of this span. */
  expected: number;
};

/** Checks of these monitors that were due from `fromMs` to before `toMs` (wall clock). */
export async function coverageOf(
  { database }: Subject,
  monitors: readonly Made[],
  intervalSeconds: number,
  fromMs: number,
  toMs: number,
): Promise<Coverage> {
  const intervalMs = intervalSeconds * 1000;
  const { rows } = await sql<{ no: number; times: number[] }>`
    SELECT monitor_no AS no, array_agg((extract(epoch FROM checked_at) * 1000)::float8 ORDER BY checked_at) AS times
    FROM checks WHERE checked_at >= ${new Date(fromMs)} AND checked_at < ${new Date(toMs + intervalMs)}
      AND monitor_no = ANY(${monitors.map(({ no }) => no)}::int[])
    GROUP BY monitor_no`.execute(database.db);
  const offsets = new Map(monitors.map(({ id, no }) => [no, offsetMs(id, intervalMs)]));
  let stored = 0;
  for (const { no, times } of rows)
    for (const atMs of times) {
      const dueMs = atMs - sinceMoment(atMs, offsets.get(no) ?? 0, intervalMs);
      if (dueMs >= fromMs && dueMs < toMs) stored += 1;
    }
  let expected = 0;
  for (const offset of offsets.values())
    expected += Math.ceil((toMs - offset) / intervalMs) - Math.ceil((fromMs - offset) / intervalMs);
  return { stored, expected };
}

/**
 * Milliseconds between the scheduled moment and each request; the monitor of address n is `monitors[n]`. Includes the way to
 * the target.
 */
export function latenessOf(
  arrivals: readonly Arrival[],
  monitors: readonly Made[],
  intervalSeconds: number,
): number[] {
  const intervalMs = intervalSeconds * 1000;
  return arrivals.flatMap(({ address, atMs }) => {
    const monitor = monitors[address];
    if (monitor === undefined) return [];
    const late = sinceMoment(atMs, offsetMs(monitor.id, intervalMs), intervalMs);
    // Slightly early: the target's clock is behind the probe's estimate of the server's by a fraction.
    return [late > intervalMs - 20 ? late - intervalMs : late];
  });
}

const sinceMoment = (atMs: number, offset: number, intervalMs: number) =>
  (((atMs - offset) % intervalMs) + intervalMs) % intervalMs;
