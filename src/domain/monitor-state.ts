// Browser-safe. The state of a monitor as people see it (docs/rules/confirmation.md#no-data).
import type { MonitorState } from './names.ts';

export type Shown = {
  enabled: boolean;
  last_status: string | null;
  no_data_since_unix: number | null;
  cannot_check: string | null;
  interval_seconds: number;
};

/** A new monitor waits this long for its first result, and then has no data. */
export const FIRST_RESULT_SECONDS = 15;

/** `paused`, `no_data` and the like take precedence over the last status, which is not shown then. */
export function monitorState(monitor: Shown, nowUnix: number): MonitorState {
  if (!monitor.enabled) return 'paused';
  if (monitor.cannot_check !== null) return 'cannot_check';
  const since = monitor.no_data_since_unix;
  if (since !== null) {
    const waitsUntil = since + 3 * monitor.interval_seconds + FIRST_RESULT_SECONDS;
    return monitor.last_status === null && nowUnix < waitsUntil ? 'pending' : 'no_data';
  }
  const status = monitor.last_status;
  return status === 'passed' || status === 'degraded' || status === 'failed' ? status : 'pending';
}
