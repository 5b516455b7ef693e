// Limits on the requests of one organization, at a time and per minute, however many keys and sessions it has. Counted once the
// tenant of a request is known, as in rate-limits.ts.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue } from '#src/domain/fair-queue.ts';
import type { Tenant } from '../db/asker.ts';
import { refuse } from '../refusals.ts';
import { type Limiters, ownLimiters } from './shared-limiters.ts';
import { consume } from './spent.ts';
import { whenClosed } from './when-closed.ts';

export const REQUESTS_PER_TENANT = 6_000;
/** Bodies are parsed and validated on the event loop that all tenants share. */
export const BODY_KIB_PER_TENANT = 32 * 1024;
/** Writes are stored, announced and copied into deliveries: three times their size on the shared disk. */
export const BODY_KIB_A_DAY_PER_TENANT = 512 * 1024;
export const UNDER_WAY_PER_TENANT = 50;
/** All tenants of one owner together may have as much as this many tenants. */
export const TENANTS_OF_AN_OWNER = 4;
/**
 * Requests in progress at a time. Reading a thousand long notes blocks the event loop for a tenth of a second; a tenant
 * that asks for it fifty times at once waits in its own queue, not in front of everybody else.
 */
export const WORKED_AT_A_TIME = 12;
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

export type TenantLimits = {
  /**
   * Counts a request of a tenant (an organization, or a person if no organization is named) and the largest size of its
   * body. Throws 429 `rate_limited`. `held`: the request waits or streams, and has its own limit on their number.
   */
  count(tenant: Tenant, request: { reply: FastifyReply; bodyBytes: number; held: boolean }): Promise<void>;
  /**
   * Runs `act` when it is the tenant's turn. A tenant, or all tenants of one owner, gets at most half of WORKED_AT_A_TIME; the
   * one with the fewest in progress goes first. A slow reader of an answer holds no slot.
   */
  inTurn<T>(tenant: Tenant, act: () => Promise<T>): Promise<T>;
};

export function makeTenantLimits(limiters: Limiters = ownLimiters): TenantLimits {
  const ofOne = makeBudgets('tenant', 1, 'Your organization', limiters);
  const ofOwner = makeBudgets('owner', TENANTS_OF_AN_OWNER, 'Your organizations together', limiters);
  const turns = new FairQueue<() => void>({ slots: WORKED_AT_A_TIME, maxHeldPerFree: 1 });

  function callNext(): void {
    for (let next = turns.take(); next !== undefined; next = turns.take()) next.item();
  }

  return {
    async inTurn(tenant, act) {
      const { promise: called, resolve: call } = Promise.withResolvers<void>();
      const ticket = turns.enqueue(tenant.id, call, tenant.owner);
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
    async count({ id, owner }, { reply, bodyBytes, held }) {
      if (!held) ofOne.begin(id, reply);
      if (!held && owner !== null) ofOwner.begin(owner, reply);
      await ofOne.spend(id, bodyBytes);
      if (owner !== null) await ofOwner.spend(owner, bodyBytes);
    },
  };
}

type Budgets = {
  /** Counts one more request until its reply is closed. */
  begin: (of: string, reply: FastifyReply) => void;
  spend: (of: string, bodyBytes: number) => Promise<void>;
};

/** The limits of one tenant, multiplied by `times`; `whose` begins a sentence about them. */
function makeBudgets(name: string, times: number, whose: string, limiters: Limiters): Budgets {
  const most = { requests: times * REQUESTS_PER_TENANT, bodyKiB: times * BODY_KIB_PER_TENANT };
  const requests = limiters(`${name} requests`, most.requests, MINUTE_SECONDS);
  const bodies = limiters(`${name} bodies`, most.bodyKiB, MINUTE_SECONDS);
  const aDay = times * BODY_KIB_A_DAY_PER_TENANT;
  const bodiesADay = limiters(`${name} bodies a day`, aDay, DAY_SECONDS);
  const underWay = new Map<string, number>();
  return {
    begin(of, reply) {
      const before = underWay.get(of) ?? 0;
      if (before >= times * UNDER_WAY_PER_TENANT)
        refuse(
          'rate_limited',
          `${whose} may have ${times * UNDER_WAY_PER_TENANT} requests under way; wait for their answers.`,
          {
            retryAfterSeconds: 1,
          },
        );
      underWay.set(of, before + 1);
      whenClosed(reply.raw, () => {
        const left = (underWay.get(of) ?? 1) - 1;
        if (left === 0) underWay.delete(of);
        else underWay.set(of, left);
      });
    },
    async spend(of, bodyBytes) {
      await consume(requests, of, 1, `${whose} may make ${most.requests} requests a minute`);
      const kiB = Math.ceil(bodyBytes / 1024);
      if (kiB === 0) return;
      await consume(bodies, of, kiB, `${whose} may send ${most.bodyKiB / 1024} MiB a minute`);
      await consume(bodiesADay, of, kiB, `${whose} may send ${aDay / 1024} MiB a day`);
    },
  };
}

/** Largest possible size of a request's body: its content-length, or the limit if it gives none. */
export function bodyBytesOf({ headers }: FastifyRequest, most: number): number {
  if (headers['content-length'] !== undefined) return Math.min(Number(headers['content-length']) || 0, most);
  return headers['transfer-encoding'] === undefined ? 0 : most;
}
