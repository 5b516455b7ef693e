// Stop 8 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From outbox.ts, through the database: pending deliveries,
// after the commit. The delivery worker of this process claims due deliveries (delivery/claim.ts), sends them, one per slot at
// a time (delivery/send.ts), and records the outcomes (delivery/record-outcome.ts). While nothing else is being sent, it gets
// new deliveries directly (delivery/at-once.ts). The path of a result ends here: the receiver has the notification, or it is
// retried. A worker holds only the deliveries that it is sending.
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
        // Successful deliveries leave the queue in the first statements, so the claim can follow at once.
        const [, claimed] = await pipelined(recordAll, claimNext);
        return claimed;
      }
      // A failed delivery is put back only after its target has been read; its followers are not due before that.
      await recordAll();
      return claimNext();
    };
    // A crash may lose a lease; the delivery is then simply claimed again.
    return runWork(db, clock(), SYSTEM, act, { keepPlans: true, durable: results.length > 0 });
  }

  async function record(work: Work, results: readonly AttemptResult[]): Promise<void> {
    const ends = await recordOutcomes(work, results, random);
    if (ends.length > 0) await deliveriesEnded.run(work, ends);
  }

  /** Records results in parts, so that one that cannot be recorded does not block the others. False: all are left for later. */
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
      // If the claim was at fault, the next turn fails on its own, since it has nothing to record.
      return true;
    } catch {
      return false;
    }
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
