import { PLATFORM_POLICY } from '../domain/policy.ts';
import { refuse } from '../platform/refusals.ts';

/**
 * A failing monitor may be checked as fast as the plan allows (`planLeast`, seconds) or as the default, whichever is faster.
 * After a downgrade a shorter `before` may stay, or move up. `prefix` is put before the field name.
 */
export function validateFailedInterval(
  seconds: number | null | undefined,
  before: number | null | undefined,
  planLeast: number,
  prefix = '',
): void {
  if (seconds == null) return;
  const floor = Math.min(planLeast, PLATFORM_POLICY.failed_interval_seconds);
  if (seconds >= Math.min(floor, before ?? floor)) return;
  const field = `${prefix}failed_interval_seconds`;
  refuse('invalid_request', `${field} must be at least ${floor} on this plan.`, { field });
}
