import type { RegionState } from './confirmation-state.ts';
import type { CheckStatus } from './names.ts';

/**
 * One region after one more result: two states with hysteresis (docs/rules/confirmation.md#streaks). `degraded` counts as
 * passing. `countsRecovery`: the passing results of this region count even though it has recovered, because a recovery that it
 * takes part in is still pending.
 */
export function withResult(
  region: Readonly<RegionState> | undefined,
  result: { atMs: number; status: CheckStatus },
  policy: { alarm_consecutive: number; recovery_consecutive: number },
  countsRecovery: boolean,
): RegionState {
  const last = { atMs: result.atMs, status: result.status };
  const known = region ?? { ...NEVER_SEEN, last };
  return result.status === 'down'
    ? withFailure(known, last, policy)
    : withPass(known, last, policy, countsRecovery);
}

/** A region before its first result, without `last`. */
export const NEVER_SEEN = {
  condition: 'recovered',
  changedMs: null,
  fails: 0,
  passes: 0,
  longest: 0,
  firstFailureMs: null,
} as const;

function withFailure(
  region: Readonly<RegionState>,
  last: RegionState['last'],
  policy: { alarm_consecutive: number },
): RegionState {
  const fails = region.fails + 1;
  const turns = region.condition !== 'failing' && fails >= policy.alarm_consecutive;
  return {
    condition: turns ? 'failing' : region.condition,
    changedMs: turns ? last.atMs : region.changedMs,
    fails,
    passes: 0,
    longest: Math.max(region.longest, fails),
    firstFailureMs: region.firstFailureMs ?? last.atMs,
    last,
  };
}

function withPass(
  region: Readonly<RegionState>,
  last: RegionState['last'],
  policy: { recovery_consecutive: number },
  countsRecovery: boolean,
): RegionState {
  const counts = countsRecovery || region.condition !== 'recovered';
  const passes = counts ? Math.min(region.passes + 1, policy.recovery_consecutive) : 0;
  const turns = region.condition !== 'recovered' && passes >= policy.recovery_consecutive;
  // A failing region keeps its streak through single passing results; any other region loses it.
  const streakContinues = region.condition === 'failing' && !turns;
  return {
    condition: turns ? 'recovered' : region.condition,
    changedMs: turns ? last.atMs : region.changedMs,
    fails: 0,
    passes,
    longest: streakContinues ? region.longest : 0,
    firstFailureMs: streakContinues ? region.firstFailureMs : null,
    last,
  };
}
