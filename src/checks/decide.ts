// Stop 2 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From ingest.ts: a stored batch and its monitors that need a
// decision, locked. It puts their stored results in order through the rules of ../domain/confirmation.ts (stop 3), which knows
// no database.
// Next, apply.ts: one outcome for each monitor.
// Overdue heartbeats enter here too, and so do due jobs (`openDueIncidents`) and people (`resetAfterClosing`).
import { sql } from 'kysely';
import {
  advanceTime,
  type ConfirmationEvent,
  type ConfirmationState,
  closeManually,
  inOrder,
  processResult,
  type RegionResult,
} from '../domain/confirmation.ts';
import { NO_REGION } from '../domain/no-region.ts';
import { FUTURE_MS } from '../domain/reporting.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';
import { applyDecisions, type Outcome } from './apply.ts';
import { readChecksAhead } from './latest-checks.ts';
import { describeMonitors, type LockedMonitor, type LockedState, lockStates } from './monitored.ts';
import { mayBePacked } from './packed/may-be-packed.ts';
import { type NumberedResult, type Region, statusOfNo } from './store.ts';

/** Stands for the region of results of monitors without regions (heartbeat, agent, service). */
export const WITHOUT_REGION: Region = { no: 0, slug: NO_REGION };

/**
 * Locks the monitors of a batch that need a decision: those with a result that did not pass, and those that are not steady
 * (`calm` in the database: nothing but passing results to remember). Issue it after the statement that inserts the batch.
 * In the steady state it finds none.
 */
export function lockMonitorsToDecide(work: Work, batch: readonly NumberedResult[]): Promise<LockedState[]> {
  const all = new Set<number>();
  const failing = new Set<number>();
  for (const { no, result } of batch) {
    if (result.cause_layer === 'probe') continue;
    all.add(no);
    if (result.status !== 'up') failing.add(no);
  }
  return lockStates(work, [...failing], [...all]);
}

/** Decides a batch that was just stored, in its transaction; `locked` comes from `lockMonitorsToDecide`. */
export async function decideBatch(
  work: Work,
  region: Region,
  batch: readonly NumberedResult[],
  locked: readonly LockedState[],
): Promise<void> {
  // A monitor that was switched off or left the region a moment ago is not among them: its results decide nothing.
  const inRegion = locked.filter((row) => row.regions.includes(region.slug));
  if (inRegion.length === 0) return;
  const oldest = oldestOf(batch);
  await decide(work, region, inRegion, {
    steadyFrom: (no) => oldest.get(no) ?? 0,
    selectSteady: newerThanStored,
  });
}

/** A monitor with its state after its results were applied. */
export type DecidedMonitor = { monitor: LockedMonitor; state: ConfirmationState };

/**
 * Decides the stored results of monitors without regions, whose states are locked: of a steady monitor those from `since` on,
 * of any other those newer than the last processed one. Skips monitors that `since` does not name.
 */
export function decideSince(
  work: Work,
  locked: readonly LockedState[],
  since: ReadonlyMap<number, number>,
): Promise<Map<number, DecidedMonitor>> {
  const named = locked.filter((row) => since.has(row.no) && row.regions.includes(NO_REGION));
  return decide(work, WITHOUT_REGION, named, {
    steadyFrom: (no) => since.get(no) ?? 0,
    selectSteady: (rows) => rows,
  });
}

/** The stored job of `reevaluate_at`: opens the incidents of outages that are due. Run too early, it stores itself again. */
export async function openDueIncidents(work: Work, monitorNos: readonly number[]): Promise<void> {
  const monitors = await describeMonitors(work, await lockStates(work, monitorNos));
  const outcomes = monitors.map((monitor) => {
    const { state, events, reevaluateAtMs } = advanceTime(monitor.rules, monitor.state, monitor.inputs);
    return { monitor, state, events, reevaluateAtMs, jobHasRun: true };
  });
  await applyDecisions(work, outcomes);
}

/** A person closed the automatic incident: streaks start over (docs/rules/confirmation.md#closing-by-hand). */
export async function resetAfterClosing(work: Work, monitorNo: number): Promise<void> {
  const [monitor] = await describeMonitors(work, await lockStates(work, [monitorNo]));
  if (!monitor) return;
  await applyDecisions(work, [
    { monitor, state: closeManually(monitor.state), events: [], reevaluateAtMs: null },
  ]);
}

type SteadyRange = {
  /** The time (ms) of the first result that is read for a steady monitor. */
  steadyFrom: (no: number) => number;
  /** The rows of a steady monitor that are applied. */
  selectSteady: (rows: Row[]) => Row[];
};

async function decide(
  work: Work,
  region: Region,
  locked: readonly LockedState[],
  { steadyFrom, selectSteady }: SteadyRange,
): Promise<Map<number, DecidedMonitor>> {
  if (locked.length === 0) return new Map();
  const [monitors, rows, ahead] = await Promise.all([
    describeMonitors(work, locked, region.slug),
    rowsToApply(work, region, locked, steadyFrom),
    readChecksAhead(work, locked),
  ]);
  const outcomes: Outcome[] = [];
  const decided = new Map<number, DecidedMonitor>();
  for (const monitor of monitors) {
    const stored = rows.get(monitor.no) ?? [];
    const outcome = applyRows(monitor, region.slug, monitor.calm ? selectSteady(stored) : stored);
    if (outcome) outcomes.push(outcome);
    decided.set(monitor.no, { monitor, state: outcome?.state ?? monitor.state });
  }
  await applyDecisions(work, outcomes, ahead);
  return decided;
}

/** A stored result. `isNew`: this transaction stored it. */
type Row = { atMs: number; status: 'up' | 'degraded' | 'down'; probeFault: boolean; isNew: boolean };

/**
 * The stored results that may still count. For a steady monitor: from this batch's first one on. For any other: everything in
 * this region newer than the last processed result, which includes rows committed while the monitor was still steady. Days that
 * are over may be packed into blocks (docs/adr/0043-packed-checks.md); results that came after that are in `late_checks`.
 */
async function rowsToApply(
  work: Work,
  region: Region,
  locked: readonly LockedState[],
  steadyFrom: SteadyRange['steadyFrom'],
): Promise<Map<number, Row[]>> {
  const nos = locked.map((row) => row.no);
  const from = locked.map(({ no, calm, state, not_before }) => {
    const undecidedFrom = Math.max((state.regions[region.slug]?.last.atMs ?? 0) + 1, not_before.getTime());
    return calm ? Math.max(undecidedFrom, steadyFrom(no)) : undecidedFrom;
  });
  const oldest = Math.min(...from);
  // What is later still was dated by a clock that has been set back since.
  const until = new Date(work.now.getTime() + FUTURE_MS);
  const isPacked = mayBePacked(oldest, work.now);
  const onlyUnpacked = isPacked ? sql`AND checked_at >= (SELECT packed_until FROM packing_state)` : sql``;
  const packed = isPacked
    ? sql`UNION ALL SELECT checked_at, status, cause_layer, xmin FROM late_checks
        WHERE monitor_no = f.no AND region_no = ${region.no} AND checked_at >= to_timestamp(f.from_ms::float8 / 1000)
          AND checked_at <= ${until}
      UNION ALL SELECT p.checked_at, p.status, p.cause_layer, '0'::xid FROM packed_checks_within(f.no, ${region.no}::smallint,
        to_timestamp(f.from_ms::float8 / 1000), ${until}) p`
    : sql``;
  // Rows of this batch are recognised by their transaction, not by their time: a batch may repeat stored results.
  const { rows } = await sql<{ no: number; at_ms: number; status: number; fault: boolean; is_new: boolean }>`
    SELECT f.no, (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms, c.status,
      coalesce(c.cause_layer = 'probe', false) AS fault, c.xmin = pg_current_xact_id()::xid AS is_new
    FROM unnest(${pgArray(nos)}::int[], ${pgArray(from)}::bigint[]) AS f (no, from_ms)
    CROSS JOIN LATERAL (
      SELECT checked_at, status, cause_layer, xmin FROM checks
      WHERE monitor_no = f.no AND region_no = ${region.no} AND checked_at >= to_timestamp(f.from_ms::float8 / 1000)
        AND checked_at >= ${new Date(oldest)} AND checked_at <= ${until} ${onlyUnpacked} ${packed}
      ORDER BY checked_at
    ) c`.execute(work.tx);
  const byMonitor = new Map<number, Row[]>();
  for (const { no, at_ms, status, fault, is_new } of rows) {
    const row: Row = { atMs: at_ms, status: statusOfNo(status), probeFault: fault, isNew: is_new };
    const list = byMonitor.get(no);
    if (list) list.push(row);
    else byMonitor.set(no, [row]);
  }
  return byMonitor;
}

/** The time (ms) of each monitor's oldest result in a batch; probe faults do not count. */
function oldestOf(batch: readonly NumberedResult[]): Map<number, number> {
  const oldest = new Map<number, number>();
  for (const { no, result } of batch) {
    if (result.cause_layer === 'probe') continue;
    oldest.set(no, Math.min(result.checked_at_ms, oldest.get(no) ?? Number.POSITIVE_INFINITY));
  }
  return oldest;
}

/**
 * The rows of a steady monitor that are newer than everything stored before; older rows are only kept as history. A probe fault
 * is not a result, so it does not make earlier rows history.
 */
function newerThanStored(rows: Row[]): Row[] {
  const newestBefore = rows.findLastIndex((row) => !row.probeFault && !row.isNew);
  return rows.slice(newestBefore + 1);
}

function applyRows(monitor: LockedMonitor, region: string, rows: readonly Row[]): Outcome | null {
  const results: RegionResult[] = inOrder(
    rows.filter((row) => row.atMs >= monitor.notBeforeMs).map(({ isNew: _, ...row }) => ({ region, ...row })),
  );
  const [oldest] = results;
  if (!oldest) return null;
  const known = { ...monitor.inputs.lastResultAtMs };
  // A result that is being applied must not count as known before its turn.
  if ((known[region] ?? 0) >= oldest.atMs) delete known[region];
  const inputs = { ...monitor.inputs, lastResultAtMs: known };
  let { state } = monitor;
  let reevaluateAtMs: number | null = null;
  const events: ConfirmationEvent[] = [];
  for (const result of results) {
    const decision = processResult(monitor.rules, state, result, inputs);
    ({ state, reevaluateAtMs } = decision);
    events.push(...decision.events);
  }
  if (reevaluateAtMs !== null && reevaluateAtMs <= inputs.nowMs) {
    const decision = advanceTime(monitor.rules, state, monitor.inputs);
    ({ state, reevaluateAtMs } = decision);
    events.push(...decision.events);
  }
  return { monitor, state, events, reevaluateAtMs };
}
