// Stop 8 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From outbox.ts, through the database: pending deliveries,
// after the commit. The delivery worker of this process claims due deliveries (delivery/claim.ts), sends them, one per slot at
// a time (delivery/send.ts), and records the outcomes (delivery/record-outcome.ts). While nothing else is being sent, it gets
// new deliveries directly (delivery/at-once.ts). The path of a result ends here: the receiver has the notification, or it is
// retried. A worker holds only the deliveries that it is sending.
import { releaseForgottenPages } from './delivery/held-pages.ts';
import { makeAttempt } from './delivery/make-attempt.ts';
import { cancelUnwanted } from './delivery/queue.ts';
import { type RoundOptions, recordAndClaim, recordSeparately } from './delivery/round.ts';
import type { Attempt, AttemptResult, SendOptions } from './delivery/send.ts';

export type DeliveryOptions = SendOptions & RoundOptions;

export type DeliveryWorker = {
  /** Makes it look for due deliveries. */
  wake: () => void;
  /** Sends these at once: the unit of work that made them has leased them to it (delivery/at-once.ts). */
  take: (attempts: readonly Attempt[]) => void;
  /** Cancels deliveries to targets that are off, releases pages that nothing holds, then looks for due ones. */
  poll: () => Promise<void>;
  /** Sends and records until nothing is due and nothing is in progress. */
  untilIdle: () => Promise<void>;
  /** Claims nothing more; resolves once everything in progress is recorded. */
  stop: () => Promise<void>;
};

/** Messages that a worker sends at the same time. */
const SLOTS = 120;
/** The most slots for targets whose last attempt failed or was slow, so that those leave room for the others. */
const SLOTS_FOR_SLOW = 60;
/** The most outcomes recorded in one transaction. */
const RECORDED_TOGETHER = 200;
/** Attempts that end within this time of each other are recorded together. */
const BATCH_WITHIN_MS = 2;
/** An outcome that cannot be recorded for this long after its lease expired is dropped: the next worker sends again. */
const KEPT_MS = 60_000;

/** `onIdle` is called when the worker becomes idle; with true if it had to give up. */
export function makeDeliveryWorker(
  options: DeliveryOptions,
  onIdle: (failed: boolean) => void = () => undefined,
): DeliveryWorker {
  const { db, clock, log } = options;
  const inProgress = new Set<Promise<void>>();
  let slowInProgress = 0;
  let completed: AttemptResult[] = [];
  let batchSize = RECORDED_TOGETHER;
  let wakeRequested = false;
  let stopped = false;
  let failed = false;
  let running: Promise<void> | null = null;
  let stopWaiting: () => void = () => undefined;

  const freeSlots = () => ({
    slots: stopped ? 0 : SLOTS - inProgress.size,
    slotsForSlow: SLOTS_FOR_SLOW - slowInProgress,
  });
  const hasWork = () => completed.length > 0 || (wakeRequested && !stopped);

  function run(): void {
    running ??= runRounds().then(() => {
      running = null;
      if (!failed && hasWork()) run();
      else onIdle(failed);
    });
  }

  async function runRounds(): Promise<void> {
    failed = false;
    while (hasWork() && !failed) {
      await waitForMore();
      const results = completed.splice(0, batchSize);
      wakeRequested = false;
      try {
        for (const attempt of await recordAndClaim(options, results, freeSlots)) launch(attempt);
        batchSize = RECORDED_TOGETHER;
      } catch (err) {
        wakeRequested = true;
        if (await recordSeparately(options, results, err)) continue;
        failed = true;
        keepForLater(results);
        log.warn({ err }, 'cannot process deliveries; trying again');
      }
    }
  }

  /** Waits briefly for attempts that are about to end, unless there is something to claim, or nothing in progress. */
  async function waitForMore(): Promise<void> {
    if (wakeRequested || inProgress.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, BATCH_WITHIN_MS);
      stopWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    stopWaiting = () => undefined;
  }

  /** From now on records failed results one by one, so that one that cannot be recorded does not block the others. */
  function keepForLater(results: readonly AttemptResult[]): void {
    batchSize = 1;
    const before = clock().getTime() - KEPT_MS;
    const isWorthKeeping = ({ attempt }: AttemptResult) =>
      (attempt.deliveries[0]?.leased_until.getTime() ?? 0) > before;
    completed = [...completed, ...results].filter(isWorthKeeping);
  }

  function launch(attempt: Attempt): void {
    if (attempt.slow) slowInProgress += 1;
    const sending = makeAttempt(options, attempt).then((result) => {
      inProgress.delete(sending);
      if (attempt.slow) slowInProgress -= 1;
      completed.push(result);
      if (inProgress.size === 0) stopWaiting();
      run();
    });
    inProgress.add(sending);
  }

  async function untilDone(): Promise<void> {
    while (running || inProgress.size > 0) {
      await (running ?? Promise.race(inProgress));
      if (failed) throw new Error('deliveries cannot be processed; see the log');
    }
  }

  function wake(): void {
    wakeRequested = true;
    stopWaiting();
    run();
  }

  return {
    wake,
    take(attempts) {
      for (const attempt of attempts) launch(attempt);
    },
    async poll() {
      await cancelUnwanted(db, clock());
      await releaseForgottenPages(db, clock());
      wake();
    },
    async untilIdle() {
      wake();
      await untilDone();
    },
    async stop() {
      stopped = true;
      await untilDone();
    },
  };
}
