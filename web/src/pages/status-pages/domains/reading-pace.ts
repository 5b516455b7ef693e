// How often the domains of a page are read again while something of them is under way.
import { type Domain, isSettled } from './domain-stand.ts';

const QUICK_MS = 3_000;
const SLOW_MS = 15_000;
/** Whoever has just set a record looks on; after this they have probably left for something else. */
const QUICK_FOR_MS = 5 * 60_000;

type Read = Domain & { id: string };

/** Answers, for what was read last, after how many milliseconds to read again; false: not by itself. */
export function makeReadingPace(): (domains: readonly Read[], nowMs: number) => number | false {
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
