// What one organization may have this server do at a time, and in a minute, however many keys and sessions it has. Counted
// once it is known whose a request is; in this process's memory, like the limits of rate-limits.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { FairQueue } from '../../domain/fair-queue.ts';
import { refuse } from '../refusals.ts';
import { consume } from './spent.ts';

export const REQUESTS_PER_TENANT = 6_000;
/** Bodies are parsed and judged on the one event loop that everybody shares. */
export const BODY_KIB_PER_TENANT = 32 * 1024;
export const UNDER_WAY_PER_TENANT = 50;
/**
 * Requests that are worked on at a time. Reading a thousand long notes costs the event loop a tenth of a second: whoever
 * asks for that fifty times at once waits for itself, not in front of everybody else.
 */
export const WORKED_AT_A_TIME = 12;
const MINUTE_SECONDS = 60;

export type TenantLimits = {
  /**
   * Counts a request of a tenant (an organization; a person where none is named), whose body has so many bytes at most.
   * Throws 429 `rate_limited`. `held`: it waits or streams, and has limits of its own for how many there are.
   */
  count(tenant: string, request: { reply: FastifyReply; bodyBytes: number; held: boolean }): Promise<void>;
  /**
   * Acts when it is the tenant's turn: alone it gets half of WORKED_AT_A_TIME, and whoever has fewest goes first. How
   * fast a client reads the answer holds no place.
   */
  inTurn<T>(tenant: string, act: () => Promise<T>): Promise<T>;
};

export function makeTenantLimits(): TenantLimits {
  const requests = new RateLimiterMemory({ points: REQUESTS_PER_TENANT, duration: MINUTE_SECONDS });
  const bodies = new RateLimiterMemory({ points: BODY_KIB_PER_TENANT, duration: MINUTE_SECONDS });
  const underWay = new Map<string, number>();
  const turns = new FairQueue<() => void>({ places: WORKED_AT_A_TIME, lent: 1 });

  function begin(tenant: string, reply: FastifyReply): void {
    const before = underWay.get(tenant) ?? 0;
    if (before >= UNDER_WAY_PER_TENANT)
      refuse(
        'rate_limited',
        `${UNDER_WAY_PER_TENANT} requests of your organization are under way; wait for their answers.`,
        { retryAfterSeconds: 1 },
      );
    underWay.set(tenant, before + 1);
    reply.raw.once('close', () => {
      const left = (underWay.get(tenant) ?? 1) - 1;
      if (left === 0) underWay.delete(tenant);
      else underWay.set(tenant, left);
    });
  }

  function callNext(): void {
    for (let next = turns.take(); next !== undefined; next = turns.take()) next.item();
  }

  return {
    async inTurn(tenant, act) {
      const { promise: called, resolve: call } = Promise.withResolvers<void>();
      const ticket = turns.enqueue(tenant, call);
      callNext();
      await called;
      const since = performance.now();
      try {
        return await act();
      } finally {
        turns.release(ticket, performance.now() - since);
        callNext();
      }
    },
    async count(tenant, { reply, bodyBytes, held }) {
      if (!held) begin(tenant, reply);
      await consume(requests, tenant, 1, `An organization may make ${REQUESTS_PER_TENANT} requests a minute`);
      if (bodyBytes > 0)
        await consume(
          bodies,
          tenant,
          Math.ceil(bodyBytes / 1024),
          `An organization may send ${BODY_KIB_PER_TENANT / 1024} MiB a minute`,
        );
    },
  };
}

/** Bytes that the body of a request may turn out to have: what it says, or the most where it says nothing. */
export function bodyBytesOf({ headers }: FastifyRequest, most: number): number {
  if (headers['content-length'] !== undefined) return Math.min(Number(headers['content-length']) || 0, most);
  return headers['transfer-encoding'] === undefined ? 0 : most;
}
