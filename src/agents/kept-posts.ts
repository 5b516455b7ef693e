// How many posts of kept heartbeats this process takes at a time. Two thousand agents that come back after a day bring
// gigabytes; what is not taken yet stays with them.
import type { FastifyReply } from 'fastify';

/** A post above this is one of kept heartbeats. */
export const LARGE_BYTES = 64 * 1024;
/** Parsing one takes tens of milliseconds of the event loop, storing it longer of a connection. */
const MAX_CONCURRENT = 4;
/** Of one organization: another's find a place too. */
const MAX_PER_ORGANIZATION = 3;

export type KeptPosts = {
  /** Whether there is a place for a post of that many bytes; it is free again when the reply is closed. */
  admits: (orgId: string, bodyBytes: number, reply: FastifyReply) => boolean;
};

export function makeKeptPosts(): KeptPosts {
  const underWay = new Map<string, number>();
  let all = 0;
  return {
    admits(orgId, bodyBytes, reply) {
      if (bodyBytes <= LARGE_BYTES) return true;
      const own = underWay.get(orgId) ?? 0;
      if (all >= MAX_CONCURRENT || own >= MAX_PER_ORGANIZATION) return false;
      all += 1;
      underWay.set(orgId, own + 1);
      reply.raw.once('close', () => {
        all -= 1;
        const left = (underWay.get(orgId) ?? 1) - 1;
        if (left === 0) underWay.delete(orgId);
        else underWay.set(orgId, left);
      });
      return true;
    },
  };
}
