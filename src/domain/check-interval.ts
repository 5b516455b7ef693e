// How often a monitor is checked (docs/rules/confirmation.md#faster-checks).
import type { ConfirmationState } from './confirmation-state.ts';

/** The interval in force; `sinceMs` is the start of faster checking, null while the monitor is checked at its own interval. */
export type CheckInterval = { intervalSeconds: number; sinceMs: number | null };

type Intervals = { intervalSeconds: number; failedIntervalSeconds: number };

/** Whether a monitor is checked faster: while an online region fails or has a failing streak, and during an outage. */
export function checksFaster(state: ConfirmationState, online: readonly string[]): boolean {
  return state.outage !== null || troubledIn(state, online).length > 0;
}

/**
 * The interval in force. Faster checks are counted from the newest failure, so that the next one comes exactly one failed
 * interval later; once begun they keep that start (`sinceMs`).
 */
export function intervalInForce(
  state: ConfirmationState,
  online: readonly string[],
  { intervalSeconds, failedIntervalSeconds }: Intervals,
  sinceMs: number | null,
): CheckInterval {
  if (!checksFaster(state, online) || failedIntervalSeconds >= intervalSeconds)
    return { intervalSeconds, sinceMs: null };
  const troubled = troubledIn(state, online);
  const names = troubled.length > 0 ? troubled : Object.keys(state.regions);
  const newestMs = Math.max(0, ...names.map((name) => state.regions[name]?.last.atMs ?? 0));
  return { intervalSeconds: failedIntervalSeconds, sinceMs: sinceMs ?? newestMs };
}

function troubledIn({ regions }: ConfirmationState, online: readonly string[]): string[] {
  return online.filter((name) => {
    const region = regions[name];
    return region !== undefined && (region.condition === 'failing' || region.fails > 0);
  });
}
