import type { MAX_RESULTS_PER_POST, Result, ResultsReply } from '../src/probe-protocol/contract.ts';
import type { Clock } from './clock.ts';
import type { Link } from './link.ts';
import type { Log } from './log.ts';
import { pause, type Retry } from './retry.ts';
import type { Spool } from './spool.ts';

export type ResultDeliveryOptions = {
  link: Link;
  spool: Spool;
  clock: Clock;
  probeId: string;
  retry: Retry;
  log: Log;
  onClockMoved: (byMs: number) => void;
};

export type Delivery = {
  /**
   * Accepts one result. A passing one that can decide nothing may wait up to a second to be posted with others. All other
   * results are posted at once: the first of a monitor, all that did not pass, and the first passing ones after those,
   * which may be a recovery.
   */
  add(result: Result): void;
  /** These monitors are gone: forgets whether their results can change anything. */
  forget(monitorIds: readonly string[]): void;
  /** Posts the buffered results, for at most `graceMs`; the rest is spooled. */
  stop(graceMs: number): Promise<void>;
};

/** Typed as the contract's own figure; importing its module would load the schema library into the probe. */
const MAX_PER_POST: typeof MAX_RESULTS_PER_POST = 5000;
const COMPANY_MS = 1_000;
/** More than most policies ask for (`recovery_consecutive`); beyond it a recovery may be seen a second later. */
const URGENT_PASSES = 10;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Delivers results to the server (docs/rules/regions-and-probes.md#delivery-of-results): one post at a time, so that a storm
 * makes larger batches. From the first failed post until the spool is empty again, results go through the spool, in order.
 */
export function startResultDelivery(options: ResultDeliveryOptions): Delivery {
  const { link, spool, clock, probeId, retry, log, onClockMoved } = options;
  const stopping = new AbortController();
  const hurry = new AbortController();
  /** How many more passing results of a monitor are posted at once. */
  const urgentPasses = new Map<string, number>();
  let pending: Result[] = [];
  let urgent = false;
  let company: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;

  const flush = () => {
    urgent = true;
    clearTimeout(company);
    company = undefined;
    wake?.();
  };

  const take = (): Result[] => {
    const batch = pending.slice(0, MAX_PER_POST);
    pending = pending.slice(MAX_PER_POST);
    urgent = pending.length > 0;
    if (!urgent) clearTimeout(company);
    if (!urgent) company = undefined;
    return batch;
  };

  /** Whether the server has processed all of them; if not, how long to wait at least. */
  const post = async (results: readonly Result[]): Promise<{ sent: boolean; waitMs: number }> => {
    const outcome = await link.call({
      method: 'POST',
      path: '/probe/results',
      body: JSON.stringify({ probe_id: probeId, results }),
      timeoutMs: ANSWER_WITHIN_MS,
      signal: hurry.signal,
    });
    if (outcome.kind === 'unavailable') return { sent: false, waitMs: outcome.waitMs };
    if (outcome.kind === 'ok') {
      const reply = outcome.body as Partial<ResultsReply>;
      for (const { index, error } of reply.refused ?? [])
        log('warn', 'The server refused a result', { monitor_id: results[index]?.monitor_id, reason: error });
      if (reply.server_time_ms !== undefined)
        onClockMoved(clock.observe(outcome.sentAtMs, reply.server_time_ms, outcome.receivedAtMs));
      return { sent: true, waitMs: 0 };
    }
    // One item that the server refuses must not hold up the others forever.
    if (results.length > 1) {
      const half = results.length >> 1;
      const first = await post(results.slice(0, half));
      return first.sent ? post(results.slice(half)) : first;
    }
    log('error', 'The server does not accept a result; it is dropped', {
      monitor_id: results[0]?.monitor_id,
      status: outcome.status,
      reason: outcome.message,
    });
    return { sent: true, waitMs: 0 };
  };

  const drain = async (): Promise<void> => {
    let attempt = 0;
    while (!spool.empty || pending.length > 0) {
      if (!spool.empty) while (pending.length > 0) await spool.append(take());
      const spooled = await spool.oldest();
      const results = spooled?.results ?? take();
      if (results.length === 0) return;
      const { sent, waitMs } = await post(results);
      if (sent) {
        await spooled?.done();
        attempt = 0;
        if (spooled === undefined && !urgent) return;
        continue;
      }
      if (spooled === undefined) await spool.append(results);
      if (stopping.signal.aborted) return;
      await waitAndSpool(retry.delayMs(attempt, waitMs));
      attempt += 1;
      if (stopping.signal.aborted) return;
    }
  };

  /** While the server is away, new results reach the disk within a second. */
  const waitAndSpool = async (delayMs: number): Promise<void> => {
    const untilMs = clock.localNowMs() + delayMs;
    for (
      let leftMs = delayMs;
      leftMs > 0 && !stopping.signal.aborted;
      leftMs = untilMs - clock.localNowMs()
    ) {
      await pause(Math.min(leftMs, COMPANY_MS), stopping.signal);
      while (pending.length > 0) await spool.append(take());
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (urgent || !spool.empty) await drain();
      if (stopping.signal.aborted) return;
      if (!urgent)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      wake = undefined;
    }
  };
  const ended = loop().catch((error: unknown) => {
    log('error', 'Results can no longer be delivered: a defect in this probe', {
      reason: error instanceof Error ? error.message : 'unknown reason',
    });
  });

  return {
    add(result) {
      const known = urgentPasses.get(result.monitor_id);
      const passed = result.status === 'up';
      urgentPasses.set(result.monitor_id, passed ? Math.max(0, (known ?? 0) - 1) : URGENT_PASSES);
      pending.push(result);
      if (!passed || known !== 0 || pending.length >= MAX_PER_POST) flush();
      else company ??= setTimeout(flush, COMPANY_MS);
    },
    forget(monitorIds) {
      for (const id of monitorIds) urgentPasses.delete(id);
    },
    async stop(graceMs) {
      const timer = setTimeout(() => hurry.abort(), graceMs);
      stopping.abort();
      wake?.();
      await ended;
      clearTimeout(company);
      if (spool.empty && pending.length > 0 && !hurry.signal.aborted) {
        const results = take();
        const { sent } = await post(results);
        if (!sent) await spool.append(results);
      }
      while (pending.length > 0) await spool.append(take());
      clearTimeout(timer);
    },
  };
}
