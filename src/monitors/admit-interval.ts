// How often a monitor may be checked (docs/rules/monitor-types.md#intervals): as the plan allows, and as its type can bear.
import { refuse } from '../platform/refusals.ts';
import type { TypeRules } from './types/rules.ts';

const DEFAULT_SECONDS = 60;
const MOST_SECONDS = 86_400;

/** The interval of a write that gives none: the one it has, as far as its type can bear it. */
export const intervalWhereNoneIsGiven = (rules: TypeRules | undefined, before = DEFAULT_SECONDS): number =>
  Math.max(before, rules?.leastIntervalSeconds ?? 0);

/** `before` is the interval the monitor has. Below what the plan allows after a downgrade it may stay, and come closer. */
export function admitInterval(
  rules: TypeRules,
  seconds: number,
  before: number | null,
  planLeast: number,
): void {
  const floor = Math.max(Math.min(planLeast, before ?? planLeast), rules.leastIntervalSeconds ?? 0);
  if (seconds >= floor && seconds <= MOST_SECONDS) return;
  const least = Math.max(planLeast, rules.leastIntervalSeconds ?? 0);
  refuse('invalid_request', `interval_seconds must be between ${least} and ${MOST_SECONDS}.`, {
    field: 'interval_seconds',
  });
}
