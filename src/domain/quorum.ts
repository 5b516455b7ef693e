import type { QuorumMode } from './names.ts';

export type Quorum = { mode: QuorumMode; value: number | null };

/**
 * How many of `regions` regions a quorum asks for, at least 1 (docs/rules/confirmation.md#quorum): any 1, majority ⌊n/2⌋+1,
 * all n, count its value, percent ⌈n·value/100⌉. A `count` or `percent` without a value, which admission refuses, asks for
 * all. So does a percentage above 100, which a later alarm standard can produce from a monitor's own value.
 */
export function requiredOf({ mode, value }: Quorum, regions: number): number {
  const asked = {
    any: () => 1,
    majority: () => Math.floor(regions / 2) + 1,
    all: () => regions,
    count: () => value ?? regions,
    percent: () => Math.ceil((regions * Math.min(value ?? 100, 100)) / 100),
  }[mode]();
  return Math.max(1, asked);
}

/**
 * The number of failing regions that begins a quorum outage, with `online` of the monitor's `configured` regions online. Never below
 * min(2, what all configured regions would require): one surviving region alone confirms nothing for a monitor that
 * asked for two. A `count` above the number of regions is refused on write; one that a later change of an alarm
 * standard leaves behind means all regions, because an alarm that cannot be reached is an alarm lost.
 */
export function requiredForAlarm(quorum: Quorum, configured: number, online: number): number {
  const bounded =
    quorum.mode === 'count' ? { ...quorum, value: Math.min(quorum.value ?? configured, configured) } : quorum;
  return Math.max(requiredOf(bounded, online), Math.min(2, requiredOf(bounded, configured)));
}

/** Recovered regions that recovery asks for, with `online` of the `configured` regions online. */
export function requiredForRecovery(quorum: Quorum, configured: number, online: number): number {
  if (quorum.mode !== 'count') return requiredOf(quorum, online);
  return requiredOf({ ...quorum, value: Math.min(quorum.value ?? configured, configured) }, online);
}
