// The polling interval for the domains of a page while one of them is in progress.
import { type Domain, isSettled } from './domain-state.ts';

const QUICK_MS = 3_000;
const SLOW_MS = 15_000;
/** A person who has just set a record keeps watching; after this they have probably moved on. */
const QUICK_FOR_MS = 5 * 60_000;

type Read = Domain & { id: string };

/** Returns the milliseconds until the next read, given the last result; false: do not poll. */
export function makePollingInterval(): (domains: readonly Read[], nowMs: number) => number | false {
  let known = '';
  let sinceMs = 0;
  return (domains, nowMs) => {
    const open = domains.filter((each) => !isSettled(each));
    const state = open
      .map((each) => [each.id, each.status, each.edge_synced, each.cert_status].join())
      .join();
    if (state !== known) {
      known = state;
      sinceMs = nowMs;
    }
    if (open.length === 0) return false;
    return nowMs - sinceMs < QUICK_FOR_MS ? QUICK_MS : SLOW_MS;
  };
}
