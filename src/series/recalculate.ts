// Recalculates figures when maintenance is planned, moved or deleted in the past. The changed time is read from its checks
// at once, and rolled up again in the background.
import { sql } from 'kysely';
import { DAY_MS } from '../domain/durations.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';
import { CHECKS } from '../retention.ts';
import { refuseFarBehind } from './behind.ts';

/** The job of older versions, which recorded changes in parts. */
export const RECALCULATE_TASK = 'restate_figures';

/** Changed time of monitors, by number. */
export type ChangedTime = { monitorNos: readonly number[]; since: Date; until: Date };

/**
 * Records the changed time, so that it is rolled up again. Figures older than the retention stay as they are; time not
 * closed yet needs no record. Refuses with 429 `rate_limited` while the backlog is long.
 */
export async function recalculateFigures(work: Work, changed: readonly ChangedTime[]): Promise<void> {
  const noted = changed.flatMap(({ monitorNos, ...time }) => {
    const { since, until } = withinKept(work, time);
    return since < until ? monitorNos.map((no) => ({ no, since, until })) : [];
  });
  const [first] = noted;
  if (!first) return;
  await refuseFarBehind(work, first.no, new Date(Math.min(...noted.map(({ since }) => since.getTime()))));
  await sql`SELECT note_changed(${pgArray(noted.map(({ no }) => no))}::int[],
    ${noted.map(({ since }) => since)}::timestamptz[], ${noted.map(({ until }) => until)}::timestamptz[],
    checks_closed_until())`.execute(work.tx);
}

export type RecalculateJob = { monitor_nos: number[]; since: string; until: string };

/** Records the change of a stored job. */
export async function recalculatePart(
  work: Work,
  { monitor_nos, since, until }: RecalculateJob,
): Promise<void> {
  await sql`SELECT note_changed(array_agg(no), array_agg(${since}::timestamptz), array_agg(${until}::timestamptz),
    checks_closed_until()) FROM unnest(${pgArray(monitor_nos)}::int[]) AS no`.execute(work.tx);
}

function withinKept({ now }: Work, { since, until }: Pick<ChangedTime, 'since' | 'until'>) {
  const oldestMs = now.getTime() - CHECKS.keepDays * DAY_MS;
  return {
    since: new Date(Math.max(since.getTime(), oldestMs)),
    until: new Date(Math.min(until.getTime(), now.getTime())),
  };
}
