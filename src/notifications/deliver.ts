// Stop 8 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From outbox.ts, through the database: pending deliveries,
// after the commit. The delivery worker of this process claims due deliveries (delivery/claim.ts), sends them, one per slot at
// a time (delivery/send.ts), and records the outcomes (delivery/record-outcome.ts). While nothing else is being sent, it gets
// new deliveries directly (delivery/at-once.ts). The path of a result ends here: the receiver has the notification, or it is
// retried. A worker holds only the deliveries that it is sending.
import { makeAttempt } from './delivery/make-attempt.ts';
import { cancelUnwanted } from './delivery/queue.ts';
import type { Attempt, AttemptResult, SendOptions } from './delivery/send.ts';
import { recordAndClaim, recordApart, type TurnOptions } from './delivery/turn.ts';

export type DeliveryOptions = SendOptions & TurnOptions;

export type DeliveryWorker = {
  /** Makes it look for due deliveries. */
  wake: () => void;
  /** Sends these at once: the unit of work that made them has leased them to it (delivery/at-once.ts). */
  take: (attempts: readonly Attempt[]) => void;
  /** Cancels deliveries to targets that are off, then looks for due ones. */
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
  const underWay = new Set<Promise<void>>();
  let slowUnderWay = 0;
  let ended: AttemptResult[] = [];
  let together = RECORDED_TOGETHER;
  let asked = false;
  let stopped = false;
  let failed = false;
  let running: Promise<void> | null = null;
  let endWait: () => void = () => undefined;

  const room = () => ({
    slots: stopped ? 0 : SLOTS - underWay.size,
    slotsForSlow: SLOTS_FOR_SLOW - slowUnderWay,
  });
  const hasWork = () => ended.length > 0 || (asked && !stopped);

  function run(): void {
    running ??= turns().then(() => {
      running = null;
      if (!failed && hasWork()) run();
      else onIdle(failed);
    });
  }

  async function turns(): Promise<void> {
    failed = false;
    while (hasWork() && !failed) {
      await waitForMore();
      const results = ended.splice(0, together);
      asked = false;
      try {
        for (const attempt of await recordAndClaim(options, results, room)) launch(attempt);
        together = RECORDED_TOGETHER;
      } catch (err) {
        asked = true;
        if (await recordApart(options, results, err)) continue;
        failed = true;
        keepForLater(results);
        log.warn({ err }, 'cannot process deliveries; trying again');
      }
    }
  }

  /** Waits briefly for attempts that are about to end, unless there is something to claim, or nothing in progress. */
  async function waitForMore(): Promise<void> {
    if (asked || underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, BATCH_WITHIN_MS);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    endWait = () => undefined;
  }

  /** From now on records failed results one by one, so that one that cannot be recorded does not block the others. */
  function keepForLater(results: readonly AttemptResult[]): void {
    together = 1;
    const before = clock().getTime() - KEPT_MS;
    const isWorthKeeping = ({ attempt }: AttemptResult) =>
      (attempt.deliveries[0]?.leased_until.getTime() ?? 0) > before;
    ended = [...ended, ...results].filter(isWorthKeeping);
  }

  function launch(attempt: Attempt): void {
    if (attempt.slow) slowUnderWay += 1;
    const sending = makeAttempt(options, attempt).then((result) => {
      underWay.delete(sending);
      if (attempt.slow) slowUnderWay -= 1;
      ended.push(result);
      if (underWay.size === 0) endWait();
      run();
    });
    underWay.add(sending);
  }

  async function untilAtRest(): Promise<void> {
    while (running || underWay.size > 0) {
      await (running ?? Promise.race(underWay));
      if (failed) throw new Error('deliveries cannot be processed; see the log');
    }
  }

  function wake(): void {
    asked = true;
    endWait();
    run();
  }

  return {
    wake,
    take(attempts) {
      for (const attempt of attempts) launch(attempt);
    },
    async poll() {
      await cancelUnwanted(db, clock());
      wake();
    },
    async untilIdle() {
      wake();
      await untilAtRest();
    },
    async stop() {
      stopped = true;
      await untilAtRest();
    },
  };
}
