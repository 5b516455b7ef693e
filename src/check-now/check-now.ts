// "Test now" and proposals: a probe of a region checks a target once, at once, while the caller waits for the outcome.
import type { ServerResponse } from 'node:http';
import type { MonitorOptions } from '../monitors/validate.ts';
import type { Listener } from '../platform/db/listener.ts';
import { makeWaiters } from '../platform/db/waiters.ts';
import type { Call } from '../platform/http/route.ts';
import { whenClosed } from '../platform/http/when-closed.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import {
  CHECK_NOW_CHANNEL,
  dropCheckRequest,
  type Outcome,
  storeCheckRequest,
  takeOutcome,
} from '../probe-protocol/check-now.ts';
import type { MonitorTestReport, testMonitor } from './contract.ts';
import { maySeePrivate, shownTo } from './private-values.ts';
import type { MonitorProposals, proposeMonitors } from './propose/contract.ts';
import { MAX_PROPOSAL_CHECKS, propose } from './propose/propose.ts';
import { makeTestLimits } from './test-limits.ts';
import { type ValidTest, validateTest } from './validate.ts';

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
const POLL_MS = 2_000;
/** Starts accepting tests on this server; their outcomes may arrive at any other. */
export function startCheckNow(db: Database, options: CheckNowOptions): CheckNow {
  const { vault, listener, limited, graceMs = GRACE_MS } = options;
  const waiters = makeWaiters(listener, CHECK_NOW_CHANNEL);
  const limits = makeTestLimits(limited);
  let stopped = false;

  async function outcomeOf(id: string, withinMs: number, hungUp: AbortSignal): Promise<Outcome | null> {
    const until = performance.now() + withinMs;
    const waiter = waiters.waitFor(id);
    hungUp.addEventListener('abort', waiter.wake);
    try {
      for (;;) {
        const outcome = await takeOutcome(db, id);
        const left = until - performance.now();
        if (outcome || left <= 0 || stopped || hungUp.aborted) return outcome;
        await waiter.change(Math.min(left, POLL_MS));
      }
    } finally {
      waiter.end();
      hungUp.removeEventListener('abort', waiter.wake);
    }
  }

  /** Has a probe check it; null: none has answered, or the caller has hung up. */
  async function outcomeFor(
    { region, type, config, timeoutMs }: ValidTest,
    orgId: string,
    now: Date,
    hungUp: AbortSignal,
  ): Promise<Outcome | null> {
    if (hungUp.aborted) return null;
    let id: string | null = null;
    try {
      id = await storeCheckRequest(db, vault, { orgId, regionNo: region.no, type, config, now });
      return await outcomeOf(id, timeoutMs + graceMs, hungUp);
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
    async test({ params, resource, body, within, now, reply, caller }) {
      const place = { projectId: params.project_id, within, now };
      const admitted = await validateTest(db, place, body, options);
      const { region, timeoutMs } = admitted;
      const over = await limits.begin(resource.orgId);
      const hungUp = hangUpOf(reply.raw);
      try {
        const outcome = await outcomeFor(admitted, resource.orgId, now, hungUp);
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
    async propose({ params, resource, body, within, now, reply, caller }) {
      const place = { projectId: params.project_id, within, now };
      const admit = (type: string, config: object, region: string | null) =>
        validateTest(db, place, { type, config, region }, options);
      let over = () => {};
      const hungUp = hangUpOf(reply.raw);
      const maySee = await maySeePrivate(db, caller);
      try {
        return await propose(body, {
          db,
          orgId: resource.orgId,
          within,
          admit,
          async begin() {
            over = await limits.begin(resource.orgId, MAX_PROPOSAL_CHECKS);
          },
          async run(admitted) {
            const outcome = await outcomeFor(admitted, resource.orgId, now, hungUp);
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

/** Aborted once the caller has hung up, also if that was before. */
function hangUpOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  whenClosed(response, () => gone.abort());
  return gone.signal;
}
