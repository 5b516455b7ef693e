// Figures of the past, when maintenance was planned, moved or taken back over time that has passed. What is noted as
// changed is told by its checks at once, and rolled up again in the background.
import { sql } from 'kysely';
import { DAY_MS } from '../domain/durations.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';
import { CHECKS } from '../retention.ts';
import { refuseFarBehind } from './behind.ts';

/** The job of versions that noted in parts. */
export const RESTATE_TASK = 'restate_figures';

/** Time of monitors, by number, of which something changed. */
export type Restated = { monitorNos: readonly number[]; since: Date; until: Date };

/**
 * Notes what changed. What is not kept any more stays as it is, and what is not closed yet is rolled up with what is true
 * then. Refuses with 429 `rate_limited` where the organization's figures are far behind already.
 */
export async function restateFigures(work: Work, restated: readonly Restated[]): Promise<void> {
  const noted = restated.flatMap(({ monitorNos, ...time }) => {
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

export type RestateJob = { monitor_nos: number[]; since: string; until: string };

/** Notes what a stored job says. */
export async function restatePart(work: Work, { monitor_nos, since, until }: RestateJob): Promise<void> {
  await sql`SELECT note_changed(array_agg(no), array_agg(${since}::timestamptz), array_agg(${until}::timestamptz),
    checks_closed_until()) FROM unnest(${pgArray(monitor_nos)}::int[]) AS no`.execute(work.tx);
}

function withinKept({ now }: Work, { since, until }: Pick<Restated, 'since' | 'until'>) {
  const oldestMs = now.getTime() - CHECKS.keepDays * DAY_MS;
  return {
    since: new Date(Math.max(since.getTime(), oldestMs)),
    until: new Date(Math.min(until.getTime(), now.getTime())),
  };
}
