// Limits the posts of buffered heartbeats that this process accepts at a time. Two thousand agents that return after a day send
// gigabytes; an agent keeps a post that is refused.
import type { FastifyReply } from 'fastify';
import { whenClosed } from '../platform/http/when-closed.ts';

/** A larger post is one of buffered heartbeats. */
export const LARGE_BYTES = 64 * 1024;
/** Parsing one occupies the event loop for tens of milliseconds, and storing it occupies a connection for longer. */
const MAX_CONCURRENT = 4;
/** Per organization, so that one organization cannot use all places. */
const MAX_PER_ORGANIZATION = 3;

export type KeptPosts = {
  /** Whether there is a place for a post of that many bytes; the place is free again when the reply is closed. */
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
      whenClosed(reply.raw, () => {
        all -= 1;
        const left = (underWay.get(orgId) ?? 1) - 1;
        if (left === 0) underWay.delete(orgId);
        else underWay.set(orgId, left);
      });
      return true;
    },
  };
}
