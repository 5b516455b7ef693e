// Limits the response excerpts of failing targets in posts of results, in fair shares: mass failures produce more of them than
// the link to the server should carry, and results take precedence.
import { sharedBodies } from './bodies.ts';
import type { CheckOutcome } from './check-outcome.ts';
import type { Tenant } from './tenant.ts';

/** Bytes a second, for all organizations together. A single one gets half of it, about 170 excerpts of 3 KiB. */
const BYTES_A_SECOND = 1024 * 1024;
const SECOND_MS = 1_000;

export type ExcerptBudget = {
  /** The outcome, without its excerpt if the organization has used up its share of this second. */
  keep(outcome: CheckOutcome, tenant: Tenant): CheckOutcome;
  stop(): void;
};

export function excerptBudget(bytesASecond = BYTES_A_SECOND): ExcerptBudget {
  const shares = sharedBodies(bytesASecond);
  const timers = new Set<NodeJS.Timeout>();
  return {
    keep(outcome, tenant) {
      if (outcome.response_excerpt === undefined) return outcome;
      const { response_excerpt, ...bare } = outcome;
      // A probe fault says nothing about the target, so its response is not sent with it.
      if (outcome.cause_layer === 'probe') return bare;
      const reservation = shares.hold(tenant);
      if (!reservation.take(JSON.stringify(response_excerpt).length)) return bare;
      const timer = setTimeout(() => {
        timers.delete(timer);
        reservation.end();
      }, SECOND_MS);
      timers.add(timer);
      return outcome;
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
