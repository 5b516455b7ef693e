// Thresholds that several types have, checked against each other.
import { invalidConfig } from './rules.ts';

/** A check that takes as long as its timeout has failed: it cannot be degraded. */
export function checkDegradedAfter({
  degraded_after_ms: degradedAfter,
  timeout_ms: timeout,
}: {
  degraded_after_ms: number | null;
  timeout_ms: number;
}): void {
  if (degradedAfter !== null && degradedAfter >= timeout)
    invalidConfig('config.degraded_after_ms', 'must be shorter than the timeout');
}

/** The warning must not come after the failure. */
export function checkDays({
  warn_days: warn,
  fail_days: fail,
}: {
  warn_days: number;
  fail_days: number;
}): void {
  if (warn < fail) invalidConfig('config.warn_days', `must not be below fail_days (${fail})`);
}
