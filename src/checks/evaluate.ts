// From stored results to decisions: which monitors need a look, what confirmation needs to know about them, and the
// folding of their results in order. Passing results of calm monitors end here without a query of their own.
import { sql } from 'kysely';
import {
  type ConfirmationState,
  inOrder,
  type Observation,
  passTime,
  takeResult,
  type Verdict,
} from '../domain/confirmation.ts';
import { NO_REGION } from '../domain/no-region.ts';
import type { Work } from '../platform/work.ts';
import { applyDecisions } from './apply.ts';
import { describeSubjects, type LoadedSubject, type LockedState, lockStates } from './monitored.ts';
import type { Outcome } from './outcome.ts';
import { type Numbered, STATUS_OF } from './store.ts';

/** Where a batch comes from. */
export type Region = { no: number; slug: string };

/** Where results of monitors without regions (heartbeat, agent, service) are from. */
export const WITHOUT_REGION: Region = { no: 0, slug: NO_REGION };

/**
 * Locks the monitors of a batch that need a look: those with a result that did not pass, and those that are not calm.
 * To be issued after the statement that inserts its rows; in the steady state it finds none.
 */
export function lockNotable(work: Work, batch: readonly Numbered[]): Promise<LockedState[]> {
  const all = new Set<number>();
  const failing = new Set<number>();
  for (const { no, result } of batch) {
    if (result.cause_layer === 'probe') continue;
    all.add(no);
    if (result.status !== 'up') failing.add(no);
  }
  return lockStates(work, [...failing], [...all]);
}

/** Evaluates a batch that was just stored, in its transaction; `notable` are its monitors that need a look, locked. */
export async function evaluateResults(
  work: Work,
  region: Region,
  batch: readonly Numbered[],
  notable: readonly LockedState[],
): Promise<void> {
  const locked = notable.filter((row) => row.regions.includes(region.slug));
  // Nothing to look at; or deleted or switched off a moment ago: what was stored of them decides nothing.
  if (locked.length === 0) return;
  const times = timesOf(batch);
  await evaluate(work, region, locked, {
    calmFrom: (no) => Math.min(...(times.get(no) ?? [0])),
    ofCalm: (no, rows) => afterForeign(rows, times.get(no)),
  });
}

/** A monitor as it is after its results were folded. */
export type Evaluated = { subject: LoadedSubject; state: ConfirmationState };

/**
 * Evaluates what is stored of monitors without regions, whose states are locked: of an uneasy one everything newer than the
 * newest result taken, of a calm one from `since` on; one that `since` does not name is left as it is.
 */
export function evaluateSince(
  work: Work,
  locked: readonly LockedState[],
  since: ReadonlyMap<number, number>,
): Promise<Map<number, Evaluated>> {
  const own = locked.filter((row) => since.has(row.no) && row.regions.includes(NO_REGION));
  return evaluate(work, WITHOUT_REGION, own, {
    calmFrom: (no) => since.get(no) ?? 0,
    ofCalm: (_no, rows) => rows,
  });
}

type OfCalm = {
  /** From which result on (ms) the rows of a calm monitor are read. */
  calmFrom: (no: number) => number;
  /** Which of them are folded. */
  ofCalm: (no: number, rows: Row[]) => Row[];
};

async function evaluate(
  work: Work,
  region: Region,
  locked: readonly LockedState[],
  { calmFrom, ofCalm }: OfCalm,
): Promise<Map<number, Evaluated>> {
  if (locked.length === 0) return new Map();
  const [subjects, rows] = await Promise.all([
    describeSubjects(work, locked),
    rowsToFold(work, region, locked, calmFrom),
  ]);
  const outcomes: Outcome[] = [];
  const evaluated = new Map<number, Evaluated>();
  for (const subject of subjects) {
    const own = rows.get(subject.no) ?? [];
    const outcome = fold(subject, region.slug, subject.calm ? ofCalm(subject.no, own) : own);
    if (outcome) outcomes.push(outcome);
    evaluated.set(subject.no, { subject, state: outcome?.state ?? subject.state });
  }
  await applyDecisions(work, outcomes);
  return evaluated;
}

type Row = { atMs: number; status: 'up' | 'degraded' | 'down'; probeFault: boolean };

/**
 * The stored results that may still count: of an uneasy monitor everything in this region newer than the newest one
 * taken, which also picks up what was committed while it was still calm; of a calm one, from this batch's first on.
 */
async function rowsToFold(
  work: Work,
  region: Region,
  locked: readonly LockedState[],
  calmFrom: OfCalm['calmFrom'],
): Promise<Map<number, Row[]>> {
  const nos = locked.map((row) => row.no);
  const from = locked.map(({ no, calm, state, not_before }) => {
    const taken = Math.max((state.regions[region.slug]?.last.atMs ?? 0) + 1, not_before.getTime());
    return calm ? Math.max(taken, calmFrom(no)) : taken;
  });
  const { rows } = await sql<{ no: number; at_ms: number; status: number; fault: boolean }>`
    SELECT f.no, (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms, c.status,
      coalesce(c.cause_layer = 'probe', false) AS fault
    FROM unnest(${`{${nos.join(',')}}`}::int[], ${`{${from.join(',')}}`}::bigint[]) AS f (no, from_ms)
    CROSS JOIN LATERAL (
      SELECT checked_at, status, cause_layer FROM checks
      WHERE monitor_no = f.no AND region_no = ${region.no} AND checked_at >= to_timestamp(f.from_ms::float8 / 1000)
        AND checked_at >= ${new Date(Math.min(...from))}
      ORDER BY checked_at
    ) c`.execute(work.tx);
  const byMonitor = new Map<number, Row[]>();
  for (const { no, at_ms, status, fault } of rows) {
    const row: Row = { atMs: at_ms, status: STATUS_OF[status] ?? 'down', probeFault: fault };
    const list = byMonitor.get(no);
    if (list) list.push(row);
    else byMonitor.set(no, [row]);
  }
  return byMonitor;
}

function timesOf(batch: readonly Numbered[]): Map<number, Set<number>> {
  const times = new Map<number, Set<number>>();
  for (const { no, result } of batch) {
    if (result.cause_layer === 'probe') continue;
    const known = times.get(no);
    if (known) known.add(result.checked_at_ms);
    else times.set(no, new Set([result.checked_at_ms]));
  }
  return times;
}

/**
 * Of a calm monitor: what was committed by others counts as taken, so only what is newer than that is folded. A probe's own
 * fault is no result, whoever had it: nothing before it counts as taken.
 */
function afterForeign(rows: Row[], own: ReadonlySet<number> | undefined): Row[] {
  const newestForeign = rows.findLastIndex((row) => !row.probeFault && !own?.has(row.atMs));
  return rows.slice(newestForeign + 1);
}

function fold(subject: LoadedSubject, region: string, rows: readonly Row[]): Outcome | null {
  const observations: Observation[] = inOrder(
    rows.filter((row) => row.atMs >= subject.notBeforeMs).map((row) => ({ region, ...row })),
  );
  const [oldest] = observations;
  if (!oldest) return null;
  const known = { ...subject.around.lastResultAtMs };
  // What is being folded must not count as known before its turn.
  if ((known[region] ?? 0) >= oldest.atMs) delete known[region];
  const around = { ...subject.around, lastResultAtMs: known };
  let { state } = subject;
  let reevaluateAtMs: number | null = null;
  const events: Verdict[] = [];
  for (const observation of observations) {
    const decision = takeResult(subject.subject, state, observation, around);
    ({ state, reevaluateAtMs } = decision);
    events.push(...decision.events);
  }
  if (reevaluateAtMs !== null && reevaluateAtMs <= around.nowMs) {
    const decision = passTime(subject.subject, state, subject.around);
    ({ state, reevaluateAtMs } = decision);
    events.push(...decision.events);
  }
  return { subject, state, events, reevaluateAtMs };
}
