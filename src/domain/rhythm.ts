// How often a monitor is checked (docs/rules/confirmation.md#faster-checks).
import type { ConfirmationState } from './confirmation-state.ts';

/** `sinceMs`: the check that faster ones are counted from; null: the monitor's own rhythm. */
export type Rhythm = { intervalSeconds: number; sinceMs: number | null };

type Intervals = { intervalSeconds: number; failedIntervalSeconds: number };

/** From the first failing result in an online region until its streak is broken, while one is failing, while an outage stands. */
export function checksFaster(state: ConfirmationState, online: readonly string[]): boolean {
  return state.outage !== null || troubledIn(state, online).length > 0;
}

/**
 * The rhythm in force. Faster checks keep the phase they began with: `sinceMs` is the one so far. They begin one failed interval
 * after the newest failure, so that the next result comes that much later and not whenever the rhythm would have it.
 */
export function rhythmInForce(
  state: ConfirmationState,
  online: readonly string[],
  { intervalSeconds, failedIntervalSeconds }: Intervals,
  sinceMs: number | null,
): Rhythm {
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
