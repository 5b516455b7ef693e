// "Test now" and proposals: a probe of a region checks a target once, at once, while the caller waits for the outcome.
import type { EventEmitter } from 'node:events';
import type { MonitorOptions } from '../monitors/validate.ts';
import type { Listener } from '../platform/db/listener.ts';
import { makeWaiters } from '../platform/db/waiters.ts';
import { perMinute } from '../platform/http/per-minute.ts';
import type { Call } from '../platform/http/route.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import {
  CHECK_NOW_CHANNEL,
  dropCheckRequest,
  type Outcome,
  storeCheckRequest,
  takeOutcome,
} from '../probe-protocol/check-now.ts';
import { type AdmittedTest, admitTest } from './admission.ts';
import type { MonitorTestReport, testMonitor } from './contract.ts';
import { maySeePrivate, shownTo } from './private-values.ts';
import type { MonitorProposals, proposeMonitors } from './propose/contract.ts';
import { MAX_PROPOSAL_CHECKS, propose } from './propose/propose.ts';

export type CheckNow = {
  test: (call: Call<typeof testMonitor>) => Promise<MonitorTestReport>;
  propose: (call: Call<typeof proposeMonitors>) => Promise<MonitorProposals>;
  stop: () => void;
};

export type CheckNowOptions = MonitorOptions & {
  listener: Listener;
  /** false: no limits. */
  limited: boolean;
  /** Time allowed beyond the check's own timeout: the way to the probe and back, and its canaries. */
  graceMs?: number;
};

const GRACE_MS = 10_000;
/** Polling interval: a notification may be lost with its connection. */
const LOOK_MS = 2_000;
/** Per organization, on this server. */
export const TESTS_PER_MINUTE = 30;

/** Per organization, on this server: each occupies a probe for up to a minute. */
export const TESTS_AT_A_TIME = 5;

/** Starts accepting tests on this server; their outcomes may arrive at any other. */
export function startCheckNow(db: Database, options: CheckNowOptions): CheckNow {
  const { vault, listener, limited, graceMs = GRACE_MS } = options;
  const waiters = makeWaiters(listener, CHECK_NOW_CHANNEL);
  const limit = perMinute(
    TESTS_PER_MINUTE,
    `An organization may run ${TESTS_PER_MINUTE} tests a minute; wait a moment.`,
  );
  const underWay = new Map<string, number>();
  let stopped = false;

  /** Takes one of the organization's slots; returns a function that frees it. */
  function begin(orgId: string): () => void {
    const before = underWay.get(orgId) ?? 0;
    if (before >= TESTS_AT_A_TIME)
      refuse(
        'rate_limited',
        `Your organization already has ${TESTS_AT_A_TIME} tests running; wait for one to finish.`,
        { retryAfterSeconds: 5 },
      );
    underWay.set(orgId, before + 1);
    return () => {
      const left = (underWay.get(orgId) ?? 1) - 1;
      if (left === 0) underWay.delete(orgId);
      else underWay.set(orgId, left);
    };
  }

  async function outcomeOf(id: string, withinMs: number, connection: EventEmitter): Promise<Outcome | null> {
    const until = performance.now() + withinMs;
    const waiter = waiters.waitFor(id);
    let gone = false;
    const hangUp = () => {
      gone = true;
      waiter.wake();
    };
    connection.once('close', hangUp);
    try {
      for (;;) {
        const outcome = await takeOutcome(db, id);
        const left = until - performance.now();
        if (outcome || left <= 0 || stopped || gone) return outcome;
        await waiter.change(Math.min(left, LOOK_MS));
      }
    } finally {
      waiter.end();
      connection.off('close', hangUp);
    }
  }

  /** Has a probe check it; null: none has answered, or the caller has hung up. */
  async function outcomeFor(
    { region, type, config, timeoutMs }: AdmittedTest,
    orgId: string,
    now: Date,
    connection: EventEmitter,
  ): Promise<Outcome | null> {
    let id: string | null = null;
    try {
      id = await storeCheckRequest(db, vault, { orgId, regionNo: region.no, type, config, now });
      return await outcomeOf(id, timeoutMs + graceMs, connection);
    } finally {
      if (id !== null) await dropCheckRequest(db, id);
    }
  }

  function noAnswer(slug: string, withinMs: number): never {
    return refuse(
      'unavailable',
      stopped
        ? 'The server is stopping; try again in a moment.'
        : `No probe of the region ${slug} answered within ${Math.ceil(withinMs / 1000)} s; try again, or choose another region.`,
      { retryAfterSeconds: 5 },
    );
  }

  return {
    async test({ params, resource, body, within, now, request, caller }) {
      const place = { projectId: params.project_id, within, now };
      const admitted = await admitTest(db, place, body, options);
      const { region, timeoutMs } = admitted;
      if (limited) await limit.count(resource.orgId);
      const over = limited ? begin(resource.orgId) : () => undefined;
      try {
        const outcome = await outcomeFor(admitted, resource.orgId, now, request.raw.socket);
        if (outcome)
          return {
            region: region.slug,
            probe_id: outcome.probe_id,
            ...shownTo(outcome, !region.allow_private_targets || (await maySeePrivate(db, caller))),
          };
      } finally {
        over();
      }
      return noAnswer(region.slug, timeoutMs + graceMs);
    },
    async propose({ params, resource, body, within, now, request, caller }) {
      const place = { projectId: params.project_id, within, now };
      const admit = (type: string, config: object, region: string | null) =>
        admitTest(db, place, { type, config, region }, options);
      let over = () => {};
      const maySee = await maySeePrivate(db, caller);
      try {
        return await propose(body, {
          db,
          orgId: resource.orgId,
          within,
          admit,
          async begin() {
            if (!limited) return;
            await limit.count(resource.orgId, MAX_PROPOSAL_CHECKS);
            over = begin(resource.orgId);
          },
          async look(admitted) {
            const outcome = await outcomeFor(admitted, resource.orgId, now, request.raw.socket);
            return outcome && shownTo(outcome, !admitted.region.allow_private_targets || maySee);
          },
          noAnswer: (slug, withinMs) => noAnswer(slug, withinMs + graceMs),
        });
      } finally {
        over();
      }
    },
    stop() {
      stopped = true;
      waiters.wakeAll();
    },
  };
}
