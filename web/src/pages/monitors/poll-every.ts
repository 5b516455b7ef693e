import { PLATFORM_POLICY } from '#src/domain/policy.ts';
import type { Monitor } from '#src/monitors/contract.ts';

type Polled = Pick<Monitor, 'interval_seconds' | 'last_status'>;

/** How often the checks of these monitors are read, in milliseconds: as often as they come, but never too often, and never stale. */
export function pollEvery(...monitors: readonly Polled[]): number {
  return Math.max(3, Math.min(30, ...monitors.map(secondsBetween))) * 1_000;
}

/** A monitor that fails is checked faster. Its own pace then is no part of it, so this is the usual one. */
function secondsBetween({ interval_seconds, last_status }: Polled): number {
  const isFaster = last_status === 'failed' || last_status === 'degraded';
  return isFaster ? Math.min(interval_seconds, PLATFORM_POLICY.failed_interval_seconds) : interval_seconds;
}
