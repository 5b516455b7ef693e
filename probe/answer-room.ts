// Bounds what answers of failing targets add to the posts of results, and shares it: a storm makes more of them than the
// way to the server should carry, and the results themselves go first.
import { sharedBodies } from './bodies.ts';
import type { CheckOutcome } from './check-outcome.ts';
import type { Tenant } from './tenant.ts';

/** A second, for all organizations together; one alone gets half of it, some 170 answers of 3 KiB. */
const BYTES_A_SECOND = 1024 * 1024;
const SECOND_MS = 1_000;

export type AnswerRoom = {
  /** The outcome; without its answer where its organization has used up its share of the second. */
  keep(outcome: CheckOutcome, tenant: Tenant): CheckOutcome;
  stop(): void;
};

export function answerRoom(bytesASecond = BYTES_A_SECOND): AnswerRoom {
  const shares = sharedBodies(bytesASecond);
  const timers = new Set<NodeJS.Timeout>();
  return {
    keep(outcome, tenant) {
      if (outcome.response_excerpt === undefined) return outcome;
      const { response_excerpt, ...bare } = outcome;
      // The probe's own fault is none of the target's, and this is the target's answer.
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
