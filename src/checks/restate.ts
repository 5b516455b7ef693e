// Figures of the past, when maintenance was planned, moved or taken back over time that has passed. Spans that are noted
// as changed are told by their checks at once, and rolled up again in the background.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { addJob } from '../platform/jobs/add-job.ts';
import type { Work } from '../platform/work.ts';
import { CHECKS } from '../retention.ts';
import { SPAN_SECONDS } from './rollup-tiers.ts';

export const RESTATE_TASK = 'restate_figures';

/** Time of monitors, by number, of which something changed. */
export type Restated = { monitorNos: readonly number[]; since: Date; until: Date };

/** Spans noted in one unit of work; what is more follows in stored jobs. Of one monitor there are never more. */
const TOGETHER = 20_000;
const DAY_MS = 86_400_000;

/** Notes what changed: a little of it at once, the rest in parts. What is not kept any more stays as it is. */
export async function restateFigures(work: Work, restated: readonly Restated[]): Promise<void> {
  let room = TOGETHER;
  for (const each of restated) {
    const spans = spansOf(work, each);
    if (spans === 0) continue;
    const some = Math.floor(room / spans);
    const [now, later] = [each.monitorNos.slice(0, some), each.monitorNos.slice(some)];
    room -= now.length * spans;
    if (now.length > 0) await note(work, { ...each, monitorNos: now });
    if (later.length > 0) await restateLater(work, randomUUID(), { ...each, monitorNos: later });
  }
}

export type RestateJob = { id: string; monitor_nos: number[]; since: string; until: string };

/** The stored job: one part, and what is left in the next job. */
export async function restatePart(work: Work, job: RestateJob): Promise<void> {
  const restated = { since: new Date(job.since), until: new Date(job.until) };
  const spans = spansOf(work, restated);
  if (spans === 0) return;
  const some = Math.max(1, Math.floor(TOGETHER / spans));
  await note(work, { ...restated, monitorNos: job.monitor_nos.slice(0, some) });
  const monitorNos = job.monitor_nos.slice(some);
  if (monitorNos.length > 0) await restateLater(work, job.id, { ...restated, monitorNos });
}

async function restateLater({ tx }: Work, id: string, { monitorNos, since, until }: Restated): Promise<void> {
  const payload = { id, monitor_nos: monitorNos, since: since.toISOString(), until: until.toISOString() };
  await addJob(tx, { task: RESTATE_TASK, payload, key: `${RESTATE_TASK}:${id}` });
}

/** How many spans of one monitor that are kept and may be rolled up this touches. */
function spansOf(work: Work, restated: Pick<Restated, 'since' | 'until'>): number {
  const { since, until } = withinKept(work, restated);
  const seconds = (until.getTime() - since.getTime()) / 1000;
  return seconds <= 0 ? 0 : Math.ceil(seconds / SPAN_SECONDS) + 1;
}

function withinKept({ now }: Work, { since, until }: Pick<Restated, 'since' | 'until'>) {
  const oldestMs = now.getTime() - CHECKS.keepDays * DAY_MS;
  return {
    since: new Date(Math.max(since.getTime(), oldestMs)),
    until: new Date(Math.min(until.getTime(), now.getTime())),
  };
}

/** Spans that are not closed yet are rolled up with what is true then: see checks_closed_until() in the migrations. */
async function note(work: Work, restated: Restated): Promise<void> {
  const { since, until } = withinKept(work, restated);
  await sql`
    WITH closed AS MATERIALIZED (SELECT checks_closed_until() AS until)
    INSERT INTO rollup_dirty (monitor_no, span)
    SELECT no, span FROM closed, unnest(${`{${restated.monitorNos.join(',')}}`}::int[]) AS no,
      spans_between(${since}, least(${until}, closed.until)) AS span`.execute(work.tx);
}
