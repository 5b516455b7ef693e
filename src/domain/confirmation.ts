// Stop 3 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From ../checks/decide.ts: a monitor's rules, its
// state and one result at a time. It returns the next state and the events, which ../checks/apply.ts writes to the
// database. The rules are those of docs/rules/confirmation.md. Pure: no clock, no database; every instant is in
// milliseconds of the server's clock.
import { type ConfirmationState, isSteady, type OutageState } from './confirmation-state.ts';
import type {
  ConfirmationEvent,
  Decision,
  Inputs,
  MonitorRules,
  Reason,
  RegionResult,
} from './confirmation-types.ts';
import { firstOutside } from './maintenance.ts';
import { beginOutage, endOutage, openIncident } from './outage.ts';
import { NEVER_SEEN, withResult } from './region-streak.ts';
import { onlineOf, reportingWindowMs } from './reporting.ts';

export * from './confirmation-state.ts';
export type * from './confirmation-types.ts';

/** The order in which the results of one batch are processed: by `atMs`, then region; equal ones keep their order. */
export function inOrder<T extends { atMs: number; region: string }>(results: readonly T[]): T[] {
  return [...results].sort(
    (a, b) => a.atMs - b.atMs || (a.region < b.region ? -1 : a.region > b.region ? 1 : 0),
  );
}

/**
 * Processes one result. Call it with the results of a batch `inOrder`, one after the other: with every result of a monitor that
 * is not steady, and with all results of a steady monitor as soon as one of them did not pass.
 *
 * Rules that are easy to miss (docs/rules/confirmation.md#silence, docs/rules/confirmation.md#opening,
 * docs/rules/confirmation.md#recovery):
 * - An outage begins, and an incident that waited for reporting regions opens, with a failing result only: a region that comes
 *   or goes raises no alarm by itself.
 * - Before the result is processed, an incident that was due by then opens with the second it was due, if its regions were
 *   still reporting at the time of the result. After a gap longer than the reporting window stored state alone opens nothing:
 *   new failing results have to show that the outage still lasts.
 * - Recovery is judged at passing results only. A region that recovered before the online regions changed must show
 *   `recovery_consecutive` passing results again, so that a probe's restart ends nothing.
 * - An incident ends at the latest of the recoveries that ended it, and never before it was triggered.
 */
export function processResult(
  rules: MonitorRules,
  state: ConfirmationState,
  result: RegionResult,
  inputs: Inputs,
): Decision {
  const history = historyReason(rules, state, result, inputs);
  if (history !== null) return { ...decisionOf(rules, state, [], inputs, false), reason: history };

  const { region, atMs, status } = result;
  const online = onlineOf(rules, inputs, region);
  const context = { rules, inputs, online, atMs: Math.min(atMs, inputs.nowMs) };
  const known = isSteady(state) ? withLastResults(rules, state, result, inputs) : state;
  const due = openIncident(context, resetRecoveries(known, online), 'before_result');

  const countsRecovery = (due.state.outage ?? due.state.phase)?.regions.includes(region) ?? false;
  const before = due.state.regions[region];
  const after = withResult(before, { atMs, status }, rules.policy, countsRecovery);
  const conditionChanged = after.condition !== (before?.condition ?? 'recovered');
  const updated = { ...due.state, regions: { ...due.state.regions, [region]: after } };
  const events: ConfirmationEvent[] = [...due.events];
  if (conditionChanged && after.condition === 'failing')
    events.push({ kind: 'region_failing', region, atMs });
  if (conditionChanged && after.condition === 'recovered')
    events.push({ kind: 'region_recovered', region, atMs });

  const judged =
    status === 'down'
      ? openAfterFailure(context, updated, { region, atMs, conditionChanged })
      : endOutage(context, updated, { atMs, conditionChanged });
  return decisionOf(rules, judged.state, [...events, ...judged.events], inputs, true);
}

/**
 * Lets time pass to `inputs.nowMs`: opens the incident of an ongoing outage that is due, provided enough failing regions
 * report now. Call it from the stored job of `reevaluateAtMs`, and when a maintenance window ends or is cancelled.
 * Time never begins an outage, and never ends one.
 */
export function advanceTime(rules: MonitorRules, state: ConfirmationState, inputs: Inputs): Decision {
  const context = { rules, inputs, online: onlineOf(rules, inputs), atMs: inputs.nowMs };
  const { state: next, events } = openIncident(context, state, 'time');
  return decisionOf(rules, next, events, inputs, false);
}

/** Why a result is only history, or null when it is processed. */
function historyReason(
  rules: MonitorRules,
  state: ConfirmationState,
  { region, atMs, probeFault }: RegionResult,
  inputs: Inputs,
): Reason | null {
  if (probeFault) return 'probe_fault';
  if (!rules.regions.includes(region)) return 'region_not_checked';
  if (inputs.nowMs - atMs > reportingWindowMs(rules)) return 'late';
  const newest = Math.max(state.regions[region]?.last.atMs ?? -1, inputs.lastResultAtMs[region] ?? -1);
  return atMs <= newest ? 'not_newer' : null;
}

/**
 * Passing results of a steady monitor are only stored. Before a result that may end the steady state, they enter the state, so
 * that older results of their regions remain history afterwards.
 */
function withLastResults(
  rules: MonitorRules,
  state: ConfirmationState,
  { region, status }: RegionResult,
  { lastResultAtMs }: Inputs,
): ConfirmationState {
  if (status === 'up') return state;
  const regions = { ...state.regions };
  for (const name of rules.regions) {
    const atMs = lastResultAtMs[name];
    const known = regions[name];
    if (name === region || atMs === undefined || atMs <= (known?.last.atMs ?? -1)) continue;
    regions[name] = { ...(known ?? NEVER_SEEN), last: { atMs, status: 'up' } };
  }
  return { ...state, regions };
}

function openAfterFailure(
  context: Parameters<typeof openIncident>[0],
  state: ConfirmationState,
  failure: { region: string; atMs: number; conditionChanged: boolean },
): { state: ConfirmationState; events: readonly ConfirmationEvent[] } {
  const begun = beginOutage(context, state, failure);
  const opened = openIncident(context, begun.state, 'after_failure');
  return { state: opened.state, events: [...begun.events, ...opened.events] };
}

/** When the online regions have changed, regions that recovered before have to recover again. */
function resetRecoveries(state: ConfirmationState, online: readonly string[]): ConfirmationState {
  const { outage } = state;
  if (outage === null || sameNames(outage.online, online)) return state;
  const regions = Object.fromEntries(
    Object.entries(state.regions).map(([name, region]) => [
      name,
      region.condition === 'recovered' ? { ...region, passes: 0 } : region,
    ]),
  );
  return { ...state, regions, outage: { ...outage, online: [...online] } };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}

const BY_IMPORTANCE = [
  'opened',
  'resolved',
  'outage_began',
  'outage_ended',
  'region_failing',
  'region_recovered',
] as const;

function decisionOf(
  rules: MonitorRules,
  state: ConfirmationState,
  events: readonly ConfirmationEvent[],
  inputs: Inputs,
  accepted: boolean,
): Decision {
  const mostImportant = BY_IMPORTANCE.find((kind) => events.some((event) => event.kind === kind));
  return {
    state,
    events,
    reason: mostImportant ?? reasonWithoutEvent(state.outage),
    reevaluateAtMs: nextEvaluationMs(rules, state.outage, inputs),
    accepted,
  };
}

function reasonWithoutEvent(outage: Readonly<OutageState> | null): Reason {
  if (outage === null) return 'no_outage';
  if (outage.openedMs !== null) return 'incident_open';
  if (outage.blocked === 'maintenance') return 'in_maintenance';
  return outage.blocked === 'silence' ? 'too_few_reporting' : 'minimum_duration_runs';
}

/** No job waits for the end of a window, which may be moved, or of a silence, which a result ends. */
function nextEvaluationMs(
  { policy }: MonitorRules,
  outage: Readonly<OutageState> | null,
  inputs: Inputs,
): number | null {
  if (outage === null || outage.openedMs !== null) return null;
  const { maintenance, nowMs } = inputs;
  if (firstOutside(maintenance, nowMs) > nowMs || outage.blocked === 'silence') return null;
  return outage.sinceMs + policy.alarm_min_duration_seconds * 1000;
}
