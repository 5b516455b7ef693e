// The condition of a monitor in one region, most severe first.
import type { CheckRecord, RegionStatus } from '#src/checks/contract.ts';
import { cannotCheck } from '#src/domain/cannot-check.ts';
import type { DisplayState } from '#web/ui/StatusGlyph.tsx';

export type RegionCondition = {
  state: DisplayState;
  word:
    | 'offline'
    | 'failing'
    | 'recovering'
    | 'none'
    | 'silent'
    | 'setAside'
    | 'leftOut'
    | 'cannotCheck'
    | 'notKnown'
    | 'doubtful'
    | 'passing';
  /** Failed checks in a row; for `recovering` the passing ones that a recovery needs. */
  count: number;
  /** Passing results of a recovering region. */
  passes?: number;
};

/**
 * An offline region has no say, whatever its last result; one failed check is not failing yet
 * (docs/rules/confirmation.md#reporting, docs/rules/confirmation.md#streaks).
 */
export function conditionOf(status: RegionStatus): RegionCondition {
  const count = status.failures_in_a_row;
  if (!status.online) return { state: 'paused', word: 'offline', count };
  const { recovering } = status;
  if (recovering !== null)
    return { state: 'degraded', word: 'recovering', count: recovering.required, passes: recovering.passes };
  if (status.condition === 'failing') return { state: 'failed', word: 'failing', count };
  if (status.last_check === null) return { state: 'pending', word: 'none', count };
  if (status.last_check.cause_layer === 'probe') return { ...faultOf(status.last_check), count };
  if (!status.reporting) return { state: 'no_data', word: 'silent', count };
  if (count > 0) return { state: 'degraded', word: 'doubtful', count };
  if (status.condition === 'unknown') return { state: 'pending', word: 'none', count };
  return { state: 'passed', word: 'passing', count };
}

/** A check that its probe could not make or judge says nothing about the target. */
function faultOf({ failure_class }: CheckRecord): Pick<RegionCondition, 'state' | 'word'> {
  if (failure_class === 'probe_frozen') return { state: 'degraded', word: 'setAside' };
  if (failure_class === 'check_too_costly') return { state: 'degraded', word: 'leftOut' };
  if (cannotCheck(failure_class ?? null) !== null) return { state: 'cannot_check', word: 'cannotCheck' };
  return { state: 'no_data', word: 'notKnown' };
}
