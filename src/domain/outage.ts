import type { ConfirmationState, OutageState, PhaseState } from './confirmation-state.ts';
import type { ConfirmationEvent, Inputs, MonitorRules, Opened } from './confirmation-types.ts';
import { firstOutside } from './maintenance.ts';
import { requiredForAlarm, requiredForRecovery } from './quorum.ts';
import { confirmingOf, failingOf, recoveredOf, reportingCount } from './reporting.ts';

/** The context of a step: `atMs` is the instant up to which time has passed, `online` the monitor's online regions. */
export type OutageContext = {
  rules: MonitorRules;
  inputs: Inputs;
  online: readonly string[];
  atMs: number;
};
export type Step = { state: ConfirmationState; events: readonly ConfirmationEvent[] };

/**
 * After a failing result: begins the outage when enough reporting regions are failing, or records every failing region in
 * the current outage. An outage began when the required number of regions were failing by their own checked_at times,
 * whatever the order of arrival. If something else than this region's change completes the quorum (regions went offline, a
 * silent one reports again), the outage begins with this result.
 */
export function beginOutage(
  context: OutageContext,
  state: ConfirmationState,
  failure: { region: string; atMs: number; conditionChanged: boolean },
): Step {
  const { rules, online } = context;
  if (state.outage !== null) return joinOutage(context, state, state.outage, failure);
  const confirming = confirmingOf(rules, state, online, context.atMs);
  const required = alarmRequired(context);
  if (confirming.length < required) return { state, events: [] };

  const completeMs = completeSince(state, confirming, required) ?? failure.atMs;
  const decisive = failure.conditionChanged && confirming.length === required;
  const sinceMs = decisive ? completeMs : Math.max(completeMs, failure.atMs);
  const regions = [...failingOf(state, online)];
  const outage: OutageState = { sinceMs, regions, openedMs: null, blocked: null, online: [...online] };
  return {
    state: { ...state, outage, phase: phaseOf(state, online, sinceMs) },
    events: [{ kind: 'outage_began', sinceMs, regions }],
  };
}

/**
 * Opens the incident of the current outage once it is due: when it has lasted the minimum duration, outside maintenance,
 * with enough failing regions reporting. An incident held back because regions were silent opens only after a failing
 * result. Maintenance is judged at the instant at which it would open, not at the one at which that is found out.
 */
export function openIncident(
  context: OutageContext,
  state: ConfirmationState,
  occasion: 'before_result' | 'after_failure' | 'time',
): Step {
  const { outage } = state;
  if (outage === null || outage.openedMs !== null) return { state, events: [] };
  const dueMs = dueOf(context.rules, outage);
  // An outage may begin ahead of this instant (the other region's result is newer): without a minimum it opens at once.
  const reachedMs = occasion === 'after_failure' ? Math.max(context.atMs, outage.sinceMs) : context.atMs;
  if (dueMs > reachedMs) return { state, events: [] };
  const outsideMs = firstOutside(context.inputs.maintenance, dueMs);
  if (outsideMs > reachedMs) return { state: blockedBy(state, outage, 'maintenance'), events: [] };
  if (outage.blocked === 'silence' && occasion !== 'after_failure') return { state, events: [] };
  const confirming = confirmingOf(context.rules, state, context.online, context.atMs);
  if (confirming.length < alarmRequired(context))
    return { state: blockedBy(state, outage, 'silence'), events: [] };

  // A window that was moved or deleted says no more when it ended: then it is now.
  const blocked = outage.blocked ?? (outsideMs > dueMs ? 'maintenance' : null);
  const isTimed = blocked === null || (blocked === 'maintenance' && outsideMs > dueMs);
  const openedMs = isTimed ? outsideMs : Math.max(outsideMs, context.atMs);
  // An incident that silence delayed may reach its quorum inside a window that has begun since.
  if (firstOutside(context.inputs.maintenance, openedMs) > openedMs)
    return { state: blockedBy(state, outage, 'maintenance'), events: [] };
  const phase = phaseOf(state, context.online, outage.sinceMs);
  // A failing region may have come back online without a result yet: it counts, so it is named.
  const grown = {
    ...outage,
    blocked,
    regions: withJoining(outage.regions, failingOf(state, context.online)),
  };
  const opened = { ...state, phase, outage: { ...grown, openedMs, blocked: null } };
  return { state: opened, events: [openedEvent(context, state, grown, phase, confirming, openedMs)] };
}

/**
 * After a passing result: ends an outage, and with it its incident, by recovery. Before the incident opens, it is enough
 * that one of its regions recovered and fewer than required are failing; an open incident needs the recovery quorum too.
 * The rest of a phase after closing by hand ends in the same way.
 */
export function endOutage(
  context: OutageContext,
  state: ConfirmationState,
  pass: { atMs: number; conditionChanged: boolean },
): Step {
  const { rules, online } = context;
  const current = state.outage ?? state.phase;
  if (current === null) return { state, events: [] };
  const recovered = recoveredOf(state, online);
  const recoveredOfOutage = recovered.filter((name) => current.regions.includes(name));
  const isProven = recoveredOfOutage.some(
    (name) => (state.regions[name]?.passes ?? 0) >= rules.policy.recovery_consecutive,
  );
  if (!isProven || failingOf(state, online).length >= alarmRequired(context)) return { state, events: [] };
  const unopened = state.outage !== null && state.outage.openedMs === null;
  if (!unopened && recovered.length < recoveryRequired(context)) return { state, events: [] };

  const ended = { ...state, outage: null, phase: null };
  if (state.outage === null) return { state: ended, events: [] };
  // The last recovery to arrive need not be the last to have happened, and one of them may have failed once since.
  const latest = Math.max(...recoveredOfOutage.map((name) => state.regions[name]?.changedMs ?? pass.atMs));
  const atMs = Math.max(
    pass.conditionChanged ? latest : pass.atMs,
    state.outage.openedMs ?? state.outage.sinceMs,
  );
  const events: ConfirmationEvent[] = [{ kind: 'outage_ended', atMs }];
  if (!unopened) events.push({ kind: 'resolved', reason: 'recovered', atMs });
  return { state: ended, events };
}

function dueOf({ policy }: MonitorRules, outage: Readonly<OutageState>): number {
  return outage.sinceMs + policy.alarm_min_duration_seconds * 1000;
}

function alarmRequired({ rules, online }: OutageContext): number {
  const { alarm_quorum_mode: mode, alarm_quorum_value: value } = rules.policy;
  return requiredForAlarm({ mode, value }, new Set(rules.regions).size, online.length);
}

function recoveryRequired({ rules, online }: OutageContext): number {
  const { recovery_quorum_mode: mode, recovery_quorum_value: value } = rules.policy;
  return requiredForRecovery({ mode, value }, new Set(rules.regions).size, online.length);
}

/**
 * Records the failing regions of the current outage; one that comes back online failing is announced like a new one.
 * Until the incident opens, the late arrival of a region whose condition changed earlier corrects the beginning.
 */
function joinOutage(
  context: OutageContext,
  state: ConfirmationState,
  outage: Readonly<OutageState>,
  failure: { region: string; atMs: number; conditionChanged: boolean },
): Step {
  const regions = withJoining(outage.regions, failingOf(state, context.online));
  const joining = regions.filter((name) => !outage.regions.includes(name));
  // A result from before the due second that arrives after it proves that its region was reporting then.
  const wasReporting = outage.blocked === 'silence' && failure.atMs <= dueOf(context.rules, outage);
  const announced = joining.filter((name) => !(failure.conditionChanged && name === failure.region));
  const sinceMs =
    failure.conditionChanged && outage.openedMs === null
      ? earlierSince(context, state, outage, failure)
      : outage.sinceMs;
  const blocked = wasReporting ? null : outage.blocked;
  const next = { ...state, outage: { ...outage, sinceMs, regions, blocked } };
  return {
    state: sinceMs === outage.sinceMs ? next : { ...next, phase: phaseOf(state, context.online, sinceMs) },
    events: announced.map((region) => ({ kind: 'region_failing', region, atMs: failure.atMs })),
  };
}

/** The regions of an outage plus those of `failing` that it lacks; the same list if it lacks none. */
function withJoining(regions: string[], failing: readonly string[]): string[] {
  const joining = failing.filter((name) => !regions.includes(name));
  return joining.length > 0 ? [...regions, ...joining].sort() : regions;
}

/** Moves only an outage that began with a region's change: any other one knows its instant. */
function earlierSince(
  context: OutageContext,
  state: ConfirmationState,
  outage: Readonly<OutageState>,
  { region }: { region: string },
): number {
  const required = alarmRequired(context);
  const confirming = confirmingOf(context.rules, state, context.online, context.atMs);
  const others = confirming.filter((name) => name !== region);
  if (completeSince(state, others, required) !== outage.sinceMs) return outage.sinceMs;
  return Math.min(outage.sinceMs, completeSince(state, confirming, required) ?? outage.sinceMs);
}

/** When the required number of these failing regions were failing, by their own times. */
function completeSince(
  state: ConfirmationState,
  failing: readonly string[],
  required: number,
): number | undefined {
  const turnedMs = failing.map((name) => state.regions[name]?.changedMs ?? 0).sort((a, b) => a - b);
  return turnedMs[required - 1];
}

function blockedBy(
  state: ConfirmationState,
  outage: Readonly<OutageState>,
  blocked: 'maintenance' | 'silence',
): ConfirmationState {
  return outage.blocked === blocked ? state : { ...state, outage: { ...outage, blocked } };
}

/** The phase as it is now: its start is the first confirmation in it, its first failure the earliest known of any region. */
function phaseOf(state: ConfirmationState, online: readonly string[], sinceMs: number): PhaseState {
  const startedMs = Math.min(state.phase?.startedMs ?? sinceMs, sinceMs);
  const failures = online
    .map((name) => state.regions[name]?.firstFailureMs ?? null)
    .filter((at) => at !== null);
  const firstFailureMs = Math.min(state.phase?.firstFailureMs ?? startedMs, startedMs, ...failures);
  return { startedMs, firstFailureMs, regions: state.phase?.regions ?? [] };
}

function openedEvent(
  context: OutageContext,
  state: ConfirmationState,
  outage: Readonly<OutageState>,
  phase: PhaseState,
  confirming: readonly string[],
  triggeredAtMs: number,
): Opened {
  const { rules, inputs, online } = context;
  const { alarm_min_duration_seconds: minimumOutageSeconds, alarm_consecutive } = rules.policy;
  const atOnce = minimumOutageSeconds === 0 ? 'quorum_reached' : 'minimum_duration_passed';
  const kept = { maintenance: 'maintenance_ended', silence: 'reporting_again' } as const;
  return {
    kind: 'opened',
    reason: outage.blocked === null ? atOnce : kept[outage.blocked],
    startedAtMs: outage.sinceMs,
    failurePhaseStartedAtMs: phase.startedMs,
    firstFailureAtMs: phase.firstFailureMs,
    triggeredAtMs,
    failingRegions: confirming,
    downRegions: outage.regions,
    failedRegions: confirming.length,
    reportingRegions: reportingCount(rules, state, inputs, online, context.atMs),
    expectedRegions: new Set(rules.regions).size,
    requiredRegions: alarmRequired(context),
    consecutiveFailuresObserved: Math.min(...confirming.map((name) => state.regions[name]?.longest ?? 0)),
    consecutiveFailuresRequired: alarm_consecutive,
    minimumOutageSeconds,
  };
}
