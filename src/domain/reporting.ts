import type { ConfirmationState } from './confirmation-state.ts';
import type { MonitorRules, Surroundings } from './confirmation-types.ts';

/** How long a result speaks for its region, ms: 3 × the interval plus the timeout (docs/rules/confirmation.md#reporting). */
export function reportingWindowMs({
  intervalSeconds,
  timeoutMs,
}: Pick<MonitorRules, 'intervalSeconds' | 'timeoutMs'>): number {
  return 3 * intervalSeconds * 1000 + timeoutMs;
}

/** The monitor's regions that are online, sorted. A region that has just sent a result is, whatever the table says. */
export function onlineOf(
  rules: MonitorRules,
  surroundings: Surroundings,
  sender?: string,
): readonly string[] {
  const online = rules.regions.filter((name) => name === sender || surroundings.onlineRegions.includes(name));
  return [...new Set(online)].sort();
}

/** Online regions that are failing, silent ones included, sorted. */
export function failingOf(state: ConfirmationState, online: readonly string[]): readonly string[] {
  return online.filter((name) => state.regions[name]?.condition === 'failing');
}

/** Online regions that are recovered, those that never failed included. */
export function recoveredOf(state: ConfirmationState, online: readonly string[]): readonly string[] {
  return online.filter((name) => (state.regions[name]?.condition ?? 'recovered') === 'recovered');
}

/** Failing regions that report at `atMs`: what an outage is confirmed by. Failing results are always taken. */
export function confirmingOf(
  rules: MonitorRules,
  state: ConfirmationState,
  online: readonly string[],
  atMs: number,
): readonly string[] {
  const oldest = atMs - reportingWindowMs(rules);
  return failingOf(state, online).filter((name) => (state.regions[name]?.last.atMs ?? -1) > oldest);
}

/** How many online regions report at `atMs`. Passing results of calm times are only in the table of results. */
export function reportingCount(
  rules: MonitorRules,
  state: ConfirmationState,
  surroundings: Surroundings,
  online: readonly string[],
  atMs: number,
): number {
  const oldest = atMs - reportingWindowMs(rules);
  const newest = (name: string) =>
    Math.max(state.regions[name]?.last.atMs ?? -1, surroundings.lastResultAtMs[name] ?? -1);
  return online.filter((name) => newest(name) > oldest).length;
}
