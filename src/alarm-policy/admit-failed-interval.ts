import { PLATFORM_POLICY } from '../domain/policy.ts';
import { refuse } from '../platform/refusals.ts';

/**
 * While it fails, a monitor is checked no faster than the plan allows (`planLeast`, seconds), or than every monitor is by
 * default; below that, after a downgrade, `before` may stay, and come closer. `prefix` goes before the field.
 */
export function admitFailedInterval(
  seconds: number | null | undefined,
  before: number | null | undefined,
  planLeast: number,
  prefix = '',
): void {
  if (seconds == null) return;
  const floor = Math.min(planLeast, PLATFORM_POLICY.failed_interval_seconds);
  if (seconds >= Math.min(floor, before ?? floor)) return;
  const field = `${prefix}failed_interval_seconds`;
  refuse('invalid_request', `${field} must be at least ${floor}, as the plan has it.`, { field });
}
