import { HEARTBEAT_SECONDS } from './agent.ts';
import type { ConfirmationState } from './confirmation-state.ts';
import type { Inputs, MonitorRules } from './confirmation-types.ts';

/**
 * How often a monitor has results. Whatever its interval, an agent reports once a minute
 * (docs/rules/monitor-types.md#intervals-of-agents).
 */
export const resultsEverySeconds = (type: string, intervalSeconds: number): number =>
  type === 'agent' || type === 'service' ? Math.max(HEARTBEAT_SECONDS, intervalSeconds) : intervalSeconds;

/** No result is later than this after the server's time: such a one is refused (docs/rules/regions-and-probes.md#results-protocol). */
export const FUTURE_MS = 60_000;

/** The timeout of a check whose config has none: of types without checks from regions. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** The timeout of a check with this config, which is complete. */
export const timeoutMsOf = ({ timeout_ms }: Readonly<Record<string, unknown>>): number =>
  typeof timeout_ms === 'number' ? timeout_ms : DEFAULT_TIMEOUT_MS;

/** How long a result counts for its region, ms: 3 × the interval + the timeout (docs/rules/confirmation.md#reporting). */
export function reportingWindowMs({
  intervalSeconds,
  timeoutMs,
}: Pick<MonitorRules, 'intervalSeconds' | 'timeoutMs'>): number {
  return 3 * intervalSeconds * 1000 + timeoutMs;
}

/** The monitor's online regions, sorted. A region that has just sent a result is online, whatever the table says. */
export function onlineOf(rules: MonitorRules, inputs: Inputs, sender?: string): readonly string[] {
  const online = rules.regions.filter((name) => name === sender || inputs.onlineRegions.includes(name));
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

/** Failing regions that report at `atMs`: they confirm an outage. Failing results are always processed. */
export function confirmingOf(
  rules: MonitorRules,
  state: ConfirmationState,
  online: readonly string[],
  atMs: number,
): readonly string[] {
  const oldest = atMs - reportingWindowMs(rules);
  return failingOf(state, online).filter((name) => (state.regions[name]?.last.atMs ?? -1) > oldest);
}

/** How many online regions report at `atMs`. While nothing fails, passing results are only in the table of results. */
export function reportingCount(
  rules: MonitorRules,
  state: ConfirmationState,
  inputs: Inputs,
  online: readonly string[],
  atMs: number,
): number {
  const oldest = atMs - reportingWindowMs(rules);
  const newest = (name: string) =>
    Math.max(state.regions[name]?.last.atMs ?? -1, inputs.lastResultAtMs[name] ?? -1);
  return online.filter((name) => newest(name) > oldest).length;
}
