// The delivery desk: sends what is due, as many at a time as there is room for. Deliveries are the stored jobs
// themselves; a desk holds nothing but what it is sending at this moment.
import { isPassing } from '../platform/db/away.ts';
import type { Log } from '../platform/log.ts';
import { noteSetAside, workApart } from '../platform/set-aside.ts';
import { type Database, runWork, SYSTEM } from '../platform/work.ts';
import type { Flight, Landed } from './delivery/attempt.ts';
import { claim } from './delivery/claim.ts';
import { makeGathering } from './delivery/gather.ts';
import { planPlainly } from './delivery/generic-plans.ts';
import { putOff } from './delivery/put-off.ts';
import { deliveriesEnded, settle } from './delivery/record-outcome.ts';
import { attempt, type SendOptions } from './delivery/send.ts';
import { cancelUnwanted } from './delivery/waiting.ts';

export type DeskOptions = SendOptions & {
  db: Database;
  /** In [0, 1): moves the pauses between tries. */
  random: () => number;
  log: Log;
};

export type Desk = {
  /** Has it look for what is due. */
  wake: () => void;
  /** Looks, and drops what nobody wants any more. */
  poll: () => Promise<void>;
  /** Sends and settles until nothing is due that it may send, and nothing of its own is under way. */
  untilIdle: () => Promise<void>;
  /** Takes nothing new, and waits until what is under way is settled. */
  stop: () => Promise<void>;
};

/** Messages that a desk sends at a time. */
const LANES = 120;
/** Of these for targets whose last try failed or took long: however many of them hang, the others have room. */
const LANES_OF_SLOW = 60;
/** Tries that are written down with one transaction. */
const SETTLED_TOGETHER = 200;
/** What lands is written down together with what lands within this of it. */
const GATHERED_WITHIN_MS = 2;
/** What could not be written down so long after its lease ran out is left to whoever takes it next. */
const KEPT_MS = 60_000;

/** `quiet` is called whenever it has come to rest; with true, when it could not go on. */
export function makeDesk(options: DeskOptions, quiet: (failed: boolean) => void = () => undefined): Desk {
  const { db, clock, random, log } = options;
  const underWay = new Set<Promise<void>>();
  let slowUnderWay = 0;
  let landed: Landed[] = [];
  let together = SETTLED_TOGETHER;
  let asked = false;
  let stopped = false;
  let failed = false;
  let running: Promise<void> | null = null;
  const gathering = makeGathering();

  const hasWork = () => landed.length > 0 || (asked && !stopped);

  function run(): void {
    running ??= turns().then(() => {
      running = null;
      if (!failed && hasWork()) run();
      else quiet(failed);
    });
  }

  async function turns(): Promise<void> {
    failed = false;
    while (hasWork() && !failed) {
      await gather();
      const settled = landed.splice(0, together);
      asked = false;
      try {
        for (const flight of await turn(settled)) launch(flight);
        together = SETTLED_TOGETHER;
      } catch (err) {
        asked = true;
        if (await settleApart(settled, err)) continue;
        failed = true;
        keepForLater(settled);
        log.warn({ err }, 'deliveries cannot be worked; trying again');
      }
    }
  }

  /** A try whose end cannot be written down holds up no other. False: they are left for later. */
  async function settleApart(settled: readonly Landed[], err: unknown): Promise<boolean> {
    if (settled.length === 0 || isPassing(err)) return false;
    try {
      const apart = await workApart(settled, (some) =>
        runWork(db, clock(), SYSTEM, async (work) => {
          const ended = await settle(work, some, random).ended;
          if (ended.length > 0) await deliveriesEnded.announce(work, ended);
        }),
      );
      for (const { item, error } of apart) {
        noteSetAside(log, 'delivery', { delivery: item.flight.deliveries[0]?.id }, error);
        await putOff(db, clock(), item, random()).catch((failure: unknown) =>
          log.error(
            { err: failure },
            'what came of a delivery can be written down nowhere; its lease runs out',
          ),
        );
      }
      // Should what is taken next be at fault, the next turn, which has nothing to settle, fails by itself.
      return true;
    } catch {
      return false;
    }
  }

  /** Waits for company, unless there is something to look for, or nothing else to wait for. */
  async function gather(): Promise<void> {
    if (asked || underWay.size === 0) return;
    await gathering.wait(GATHERED_WITHIN_MS);
  }

  /** Settles what has landed and takes what may follow it, in one transaction. */
  async function turn(settled: readonly Landed[]): Promise<Flight[]> {
    return runWork(db, clock(), SYSTEM, async (work) => {
      // Of a lease that is forgotten the worst that comes is that it is taken again.
      const planned = planPlainly(work.tx, { durable: settled.length > 0 });
      const settling = settle(work, settled, random);
      const recorded = settling.ended.then(async (ended) => {
        if (ended.length > 0) await deliveriesEnded.announce(work, ended);
      });
      const flights = settling.released.then(() => {
        const lanes = stopped ? 0 : LANES - underWay.size;
        return claim(work, { lanes, lanesOfSlow: LANES_OF_SLOW - slowUnderWay });
      });
      const [, , taken] = await Promise.all([planned, recorded, flights]);
      return taken;
    });
  }

  /** One by one from now on, those that failed last: a try that cannot be written down must not hold up the others. */
  function keepForLater(settled: readonly Landed[]): void {
    together = 1;
    const before = clock().getTime() - KEPT_MS;
    const worth = ({ flight }: Landed) => (flight.deliveries[0]?.leased_until.getTime() ?? 0) > before;
    landed = [...landed, ...settled].filter(worth);
  }

  function launch(flight: Flight): void {
    if (flight.slow) slowUnderWay += 1;
    const sending = send(flight).then((one) => {
      underWay.delete(sending);
      if (flight.slow) slowUnderWay -= 1;
      landed.push(one);
      if (underWay.size === 0) gathering.end();
      run();
    });
    underWay.add(sending);
  }

  async function send(flight: Flight): Promise<Landed> {
    const [first, ...others] = flight.deliveries;
    if (!first) throw new Error('a message tells of one delivery at least');
    const attempted = await attempt(options, {
      deliveryId: first.id,
      attempt: first.attempts,
      events: [first, ...others],
      group: flight.group,
      target: flight.target,
    }).catch((err: unknown) => {
      log.error({ err, delivery: first.id }, 'a try ended in a way that nobody thought of');
      return { outcome: { kind: 'network' as const }, statusCode: null, error: 'internal', latencyMs: 0 };
    });
    if (attempted.outcome.kind === 'unsendable')
      noteSetAside(log, 'delivery', { delivery: first.id }, new Error('it cannot be made into a request'));
    return { flight, attempted };
  }

  async function settled(): Promise<void> {
    while (running || underWay.size > 0) {
      await (running ?? Promise.race(underWay));
      if (failed) throw new Error('deliveries cannot be worked; see the log');
    }
  }

  function wake(): void {
    asked = true;
    gathering.end();
    run();
  }

  return {
    wake,
    async poll() {
      await cancelUnwanted(db, clock());
      wake();
    },
    async untilIdle() {
      wake();
      await settled();
    },
    async stop() {
      stopped = true;
      await settled();
    },
  };
}
