// Stop 8 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From outbox.ts, through the database: pending deliveries,
// after the commit. The delivery worker of this process claims the ones that are due (delivery/claim.ts), sends as many at a
// time as it has slots (delivery/send.ts) and records the outcomes (delivery/record-outcome.ts); while nothing else is being
// sent, it is handed what was made (delivery/at-once.ts). Here the way ends: the receiver has it, or it is tried again. A
// worker keeps nothing but what it is sending at this moment.
import { isPassing } from '../platform/db/away.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import type { Log } from '../platform/log.ts';
import { noteSetAside, workApart } from '../platform/set-aside.ts';
import { type Database, runWork, SYSTEM, type Work } from '../platform/work.ts';
import { claim } from './delivery/claim.ts';
import { cancelUnwanted } from './delivery/queue.ts';
import { deliveriesEnded, recordOutcomes, recordWithoutReactions } from './delivery/record-outcome.ts';
import { type Attempt, type AttemptResult, type SendOptions, sendMessage } from './delivery/send.ts';

export type DeliveryOptions = SendOptions & {
  db: Database;
  /** In [0, 1): spreads the pauses between attempts. */
  random: () => number;
  log: Log;
};

export type DeliveryWorker = {
  /** Has it look for deliveries that are due. */
  wake: () => void;
  /** Sends these at once: the unit of work that made them has leased them to it (delivery/at-once.ts). */
  take: (attempts: readonly Attempt[]) => void;
  /** Cancels deliveries of targets that are off, and looks. */
  poll: () => Promise<void>;
  /** Sends and records until nothing that it may send is due and nothing of its own is under way. */
  untilIdle: () => Promise<void>;
  /** Claims nothing more, and resolves once everything under way is recorded. */
  stop: () => Promise<void>;
};

/** Messages that a worker sends at a time. */
const SLOTS = 120;
/** Slots for targets whose last attempt failed or took long: however many of them hang, the others have room. */
const SLOTS_FOR_SLOW = 60;
/** Attempts whose outcomes are recorded with one transaction. */
const RECORDED_TOGETHER = 200;
/** An attempt that ends is recorded together with those that end within this time of it. */
const BATCH_WITHIN_MS = 2;
/** An outcome that could not be recorded for this long after its lease ran out is left to the next worker. */
const KEPT_MS = 60_000;

/** `onIdle` is called whenever the worker has come to rest; with true when it could not go on. */
export function makeDeliveryWorker(
  options: DeliveryOptions,
  onIdle: (failed: boolean) => void = () => undefined,
): DeliveryWorker {
  const { db, clock, random, log } = options;
  const underWay = new Set<Promise<void>>();
  let slowUnderWay = 0;
  let ended: AttemptResult[] = [];
  let together = RECORDED_TOGETHER;
  let asked = false;
  let stopped = false;
  let failed = false;
  let running: Promise<void> | null = null;
  let endWait: () => void = () => undefined;

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
        for (const attempt of await turn(results)) launch(attempt);
        together = RECORDED_TOGETHER;
      } catch (err) {
        asked = true;
        if (await recordApart(results, err)) continue;
        failed = true;
        keepForLater(results);
        log.warn({ err }, 'cannot work on deliveries; trying again');
      }
    }
  }

  /** Waits for attempts that end at nearly the same time, unless there is something to claim, or nothing under way. */
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

  /** Records the outcomes of attempts and claims the next ones, in one transaction. */
  function turn(results: readonly AttemptResult[]): Promise<Attempt[]> {
    const act = async (work: Work) => {
      const recordAll = () => record(work, results);
      const claimNext = () =>
        claim(work, {
          slots: stopped ? 0 : SLOTS - underWay.size,
          slotsForSlow: SLOTS_FOR_SLOW - slowUnderWay,
        });
      if (results.every(arrived)) {
        // Deliveries that arrived leave the queue with the first statements: the claim can follow right behind them.
        const [, claimed] = await pipelined(recordAll, claimNext);
        return claimed;
      }
      // A delivery that failed is put back only once its target has been read: until then its followers are not due.
      await recordAll();
      return claimNext();
    };
    // A crash may forget a lease: the delivery is claimed again, and nothing worse happens.
    return runWork(db, clock(), SYSTEM, act, { keepPlans: true, durable: results.length > 0 });
  }

  async function record(work: Work, results: readonly AttemptResult[]): Promise<void> {
    const ends = await recordOutcomes(work, results, random);
    if (ends.length > 0) await deliveriesEnded.run(work, ends);
  }

  /** Records results in parts, so that one that cannot be recorded holds up no other. False: all are left for later. */
  async function recordApart(results: readonly AttemptResult[], err: unknown): Promise<boolean> {
    if (results.length === 0 || isPassing(err)) return false;
    try {
      const apart = await workApart(results, (some) =>
        runWork(db, clock(), SYSTEM, (work) => record(work, some)),
      );
      for (const { item, error } of apart) {
        noteSetAside(log, 'delivery', { delivery: item.attempt.deliveries[0]?.id }, error);
        await recordWithoutReactions(db, clock(), item, random()).catch((failure: unknown) =>
          log.error({ err: failure }, 'cannot record the outcome of a delivery; its lease will run out'),
        );
      }
      // Should the claim be at fault, the next turn fails by itself: it has nothing to record.
      return true;
    } catch {
      return false;
    }
  }

  /** Results that failed are recorded one by one from now on: one that cannot be recorded must not hold up the others. */
  function keepForLater(results: readonly AttemptResult[]): void {
    together = 1;
    const before = clock().getTime() - KEPT_MS;
    const isWorthKeeping = ({ attempt }: AttemptResult) =>
      (attempt.deliveries[0]?.leased_until.getTime() ?? 0) > before;
    ended = [...ended, ...results].filter(isWorthKeeping);
  }

  function launch(attempt: Attempt): void {
    if (attempt.slow) slowUnderWay += 1;
    const sending = send(attempt).then((result) => {
      underWay.delete(sending);
      if (attempt.slow) slowUnderWay -= 1;
      ended.push(result);
      if (underWay.size === 0) endWait();
      run();
    });
    underWay.add(sending);
  }

  async function send(attempt: Attempt): Promise<AttemptResult> {
    const [first, ...others] = attempt.deliveries;
    if (!first) throw new Error('an attempt without a delivery');
    const result = await sendMessage(options, {
      deliveryId: first.id,
      attempt: first.attempts,
      events: [first, ...others],
      group: attempt.group,
      target: attempt.target,
    }).catch((err: unknown) => {
      log.error({ err, delivery: first.id }, 'an attempt failed with an unexpected error');
      return { outcome: { kind: 'network' as const }, statusCode: null, error: 'internal', latencyMs: 0 };
    });
    if (result.outcome.kind === 'unsendable')
      noteSetAside(log, 'delivery', { delivery: first.id }, new Error('it cannot be made into a request'));
    return { attempt, result };
  }

  async function untilAtRest(): Promise<void> {
    while (running || underWay.size > 0) {
      await (running ?? Promise.race(underWay));
      if (failed) throw new Error('deliveries cannot be worked on; see the log');
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

const arrived = ({ result }: AttemptResult): boolean => result.outcome.kind === 'delivered';
