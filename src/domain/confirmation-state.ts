import type { CheckStatus, DisplayStatus, LastSeverity } from './names.ts';

/**
 * The stored state of one region.
 * - failing: `alarm_consecutive` failing results in a row were seen, and not yet `recovery_consecutive` passing ones.
 * - doubtful: was failing when a person closed the incident (or the target was edited): its streak was reset, and it
 *   counts neither as failing nor as recovered until it has a new one.
 * - recovered: everything else; a region that never failed counts as recovered.
 */
export type RegionState = {
  condition: 'recovered' | 'failing' | 'doubtful';
  /** checked_at (ms) of the result that last made it failing or recovered; null while it has never failed. */
  changedMs: number | null;
  /** Failing results in a row, up to the latest. */
  fails: number;
  /** Passing results in a row, counted up to `recovery_consecutive` and only while a recovery is awaited. */
  passes: number;
  /** Most failing results in a row since it last passed (or began to fail), as reported in evidence. */
  longest: number;
  /** checked_at (ms) of the first failing result of the current streak or failing condition. */
  firstFailureMs: number | null;
  /** The last processed result. It can be old: passing results of a steady monitor are not processed. */
  last: { atMs: number; status: CheckStatus };
};

/** A quorum outage and, once `openedMs` is set, its incident, which is open exactly as long as its outage lasts. */
export type OutageState = {
  /** confirmed_outage_since, ms. */
  sinceMs: number;
  /** Regions that have been failing in it, sorted. */
  regions: string[];
  openedMs: number | null;
  /** Why the incident did not open when it was last due; null: nothing blocked it. */
  blocked: 'maintenance' | 'silence' | null;
  /** Online regions at the last evaluation, sorted: a change in them must not cause recovery. */
  online: string[];
};

/** An uninterrupted time of failure. It survives closing by hand, so that the next incident still names its start. */
export type PhaseState = {
  /** First quorum-confirmed failure, ms. */
  startedMs: number;
  /** First raw failure in any region, ms. */
  firstFailureMs: number;
  /** Without an outage, the phase ends by the recovery of these regions: those failing when a person closed the incident. */
  regions: string[];
};

/** Plain JSON. */
export type ConfirmationState = {
  regions: Readonly<Record<string, Readonly<RegionState>>>;
  outage: Readonly<OutageState> | null;
  phase: Readonly<PhaseState> | null;
};

/** A monitor that has no result yet. */
export const healthy: ConfirmationState = { regions: {}, outage: null, phase: null };

/**
 * Whether there is nothing but passing results to remember: no failing or doubtful region, no streak, no outage, no incident,
 * and a passing last result in every known region. False before the first result, which must be evaluated.
 */
export function isSteady(state: ConfirmationState): boolean {
  const regions = Object.values(state.regions);
  return (
    state.outage === null &&
    state.phase === null &&
    regions.length > 0 &&
    regions.every((region) => region.condition === 'recovered' && region.last.status === 'up')
  );
}

/**
 * `last_status` (docs/rules/confirmation.md#displayed-status): failed in a quorum outage or with an open incident; else
 * degraded with any region failing or any latest result failing or degraded; else passed; null before the first result.
 * Only `online` regions count for degraded.
 */
export function displayStatus(state: ConfirmationState, online: readonly string[]): DisplayStatus | null {
  if (state.outage !== null) return 'failed';
  if (Object.keys(state.regions).length === 0) return null;
  const counting = online.flatMap((name) => state.regions[name] ?? []);
  const troubled = counting.some(({ condition, last }) => condition === 'failing' || last.status !== 'up');
  return troubled ? 'degraded' : 'passed';
}

/** `last_status` of a monitor that may also have incidents opened by people: failed while one of them is open. */
export function statusShown(
  state: ConfirmationState,
  online: readonly string[],
  manualIncident: boolean,
): DisplayStatus | null {
  return manualIncident ? 'failed' : displayStatus(state, online);
}

/** The longest streak of failing results among online regions that are not failing yet; null if there is none. */
export function unconfirmedFailures(state: ConfirmationState, online: readonly string[]): number | null {
  if (state.outage !== null) return null;
  const rows = online.flatMap((name) => {
    const region = state.regions[name];
    return region === undefined || region.condition === 'failing' ? [] : region.fails;
  });
  return Math.max(0, ...rows) || null;
}

/** `last_severity`: of the latest raw check of any region; null before the first. At the same instant the worst counts. */
export function lastSeverity(state: ConfirmationState): LastSeverity | null {
  const severities = { up: 'ok', degraded: 'degraded', down: 'critical' } as const;
  const rank = { up: 0, degraded: 1, down: 2 } as const;
  const [latest] = Object.values(state.regions)
    .map((region) => region.last)
    .sort((a, b) => b.atMs - a.atMs || rank[b.status] - rank[a.status]);
  return latest === undefined ? null : severities[latest.status];
}

/** The API form: failing results in a row, and the number required for an alarm. */
export const shownConfirming = (failures: number | null, required: number) =>
  failures === null ? null : { failures: Math.min(failures, required), required };

export function hasOpenIncident(state: ConfirmationState): boolean {
  return state.outage !== null && state.outage.openedMs !== null;
}

/** Every region that has been failing in the current outage, sorted: `down_regions` of its incident. */
export function downRegions(state: ConfirmationState): readonly string[] {
  return state.outage?.regions ?? [];
}

/**
 * A person closed the incident. While the target still fails, the streaks are reset and the phase keeps its start, so
 * that the next confirmation opens a new incident of the same phase (docs/rules/confirmation.md#closing-by-hand).
 */
export function closeManually(state: ConfirmationState): ConfirmationState {
  const stillFailing = Object.keys(state.regions).filter(
    (name) => state.regions[name]?.condition === 'failing',
  );
  const phase =
    state.phase !== null && stillFailing.length > 0 ? { ...state.phase, regions: stillFailing.sort() } : null;
  return { regions: startedAnew(state.regions), outage: null, phase };
}

/**
 * The target was edited (type, address, regions): streaks are reset, and removed regions are forgotten. An open
 * incident stays open and ends by recovery; an outage that has not opened one is forgotten. `regions` are the new ones.
 */
export function afterEdit(state: ConfirmationState, regions: readonly string[]): ConfirmationState {
  const kept = Object.fromEntries(Object.entries(state.regions).filter(([name]) => regions.includes(name)));
  const anew = startedAnew(kept);
  if (state.outage === null || state.outage.openedMs === null)
    return { regions: anew, outage: null, phase: null };
  const involved = state.outage.regions.filter((name) => regions.includes(name));
  // If every region of the outage was removed, the recovery of any other region is enough.
  const outage = { ...state.outage, regions: involved.length > 0 ? involved : [...regions].sort() };
  return { regions: anew, outage, phase: state.phase };
}

function startedAnew(regions: ConfirmationState['regions']): ConfirmationState['regions'] {
  const anew = (region: Readonly<RegionState>): RegionState => ({
    ...region,
    condition: region.condition === 'recovered' ? 'recovered' : 'doubtful',
    fails: 0,
    passes: 0,
    longest: 0,
    firstFailureMs: null,
  });
  return Object.fromEntries(Object.entries(regions).map(([name, region]) => [name, anew(region)]));
}
