import type { Result } from '../src/probe-protocol/contract.ts';
import type { Clock } from './clock.ts';
import type { Link } from './link.ts';
import { type Log, reasonOf } from './log.ts';
import { makePendingResults } from './pending-results.ts';
import { postResults } from './post-results.ts';
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

/** While the server is away, new results reach the disk within this time. */
const SPOOL_EVERY_MS = 1_000;

/**
 * Delivers results to the server (docs/rules/regions-and-probes.md#delivery-of-results): one post at a time, so that a storm
 * makes larger batches. From the first failed post until the spool is empty again, results go through the spool, in order.
 */
export function startResultDelivery(options: ResultDeliveryOptions): Delivery {
  const { spool, clock, retry, log } = options;
  const stopping = new AbortController();
  const hurry = new AbortController();
  let wake: (() => void) | undefined;
  const pending = makePendingResults(() => wake?.());
  const post = (results: readonly Result[]) => postResults(results, options, hurry.signal);

  let logged: string | undefined;
  const logDefect = (defect: string | undefined): void => {
    if (defect !== undefined && defect !== logged)
      log('error', 'Results cannot be posted: a defect in this probe; they are kept and tried again', {
        reason: defect,
      });
    logged = defect;
  };

  const drain = async (): Promise<void> => {
    let attempt = 0;
    while (!spool.empty || pending.count() > 0) {
      if (!spool.empty) while (pending.count() > 0) await spool.append(pending.take());
      const spooled = await spool.oldest();
      const results = spooled?.results ?? pending.take();
      if (results.length === 0) return;
      const { sent, waitMs, defect } = await post(results);
      logDefect(defect);
      if (sent) {
        await spooled?.done();
        attempt = 0;
        if (spooled === undefined && !pending.isUrgent()) return;
        continue;
      }
      if (spooled === undefined) await spool.append(results);
      else if (defect !== undefined) spooled.putBack();
      if (stopping.signal.aborted) return;
      await waitAndSpool(retry.delayMs(attempt, waitMs));
      attempt += 1;
      if (stopping.signal.aborted) return;
    }
  };

  /** Waits before the next attempt, and spools the results that arrive meanwhile. */
  const waitAndSpool = async (delayMs: number): Promise<void> => {
    const untilMs = clock.localNowMs() + delayMs;
    for (
      let leftMs = delayMs;
      leftMs > 0 && !stopping.signal.aborted;
      leftMs = untilMs - clock.localNowMs()
    ) {
      await pause(Math.min(leftMs, SPOOL_EVERY_MS), stopping.signal);
      while (pending.count() > 0) await spool.append(pending.take());
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        if (pending.isUrgent() || !spool.empty) await drain();
        if (stopping.signal.aborted) return;
        if (!pending.isUrgent()) await idle();
      } catch (error) {
        logDefect(reasonOf(error));
        await pause(retry.delayMs(Number.MAX_SAFE_INTEGER, 0), stopping.signal);
      }
    }
  };

  /** Until results are urgent, or the spool tries again what it could not read. */
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      const { againAtMs } = spool;
      const timer =
        againAtMs === undefined ? undefined : setTimeout(() => wake?.(), againAtMs - clock.localNowMs());
      wake = () => {
        wake = undefined;
        clearTimeout(timer);
        resolve();
      };
    });

  const ended = loop();

  return {
    add: pending.add,
    forget: pending.forget,
    async stop(graceMs) {
      const timer = setTimeout(() => hurry.abort(), graceMs);
      stopping.abort();
      wake?.();
      await ended;
      pending.stop();
      if (spool.empty && pending.count() > 0 && !hurry.signal.aborted) {
        const results = pending.take();
        const { sent } = await post(results);
        if (!sent) await spool.append(results);
      }
      while (pending.count() > 0) await spool.append(pending.take());
      clearTimeout(timer);
    },
  };
}
