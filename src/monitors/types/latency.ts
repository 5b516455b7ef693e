import { invalidConfig } from './rules.ts';

/** What takes as long as the timeout has failed: it cannot be degraded. */
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
