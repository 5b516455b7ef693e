import { type Log, reasonOf } from '../probe/log.ts';
import { openBuffer } from './buffer.ts';
import { agentClock, type ClockOffset } from './clock.ts';
import type { Collector } from './collect/collector.ts';
import type { Inventory } from './heartbeat.ts';
import { interruptibleSleep } from './interruptible-sleep.ts';
import type { Link } from './link.ts';
import { nextDueMs } from './phase.ts';
import type { Reply } from './reply.ts';
import { openSender } from './sender.ts';
import type { Identity, Settings, Store } from './store.ts';
import type { Time } from './time.ts';

export type LoopOptions = {
  identity: Identity;
  store: Store;
  link: Link;
  collector: Collector;
  time: Time;
  log: Log;
  /** Ends the loop; undelivered heartbeats are kept. */
  signal: AbortSignal;
  random?: (() => number) | undefined;
  /** The server asks for another version of this program; it repeats that in each answer until that version runs. */
  onUpgrade?: ((upgrade: NonNullable<Reply['upgrade']>) => void) | undefined;
};

export const DEFAULTS: Settings = {
  intervalSeconds: 60,
  watched: [],
  inventoryEnabled: false,
  bearings: null,
};

/** Heartbeats contain averages, so the first one is taken this long after the first look. */
export const FIRST_SPAN_MS = 1_000;
/** Names change slowly, and there are many. */
const INVENTORY_MS = 15 * 60_000;
/** How often an agent that was removed asks whether it still is. */
const REMOVED_MS = 10 * 60_000;

/** The stored offset of the server's time is written again only if it is wrong by this much, not after each answer. */
const CLOSE_MS = 1_000;

const isClose = (kept: ClockOffset | null, known: ClockOffset | null): boolean =>
  kept?.boot === known?.boot && Math.abs((kept?.offsetMs ?? 0) - (known?.offsetMs ?? 0)) < CLOSE_MS;

/** Measures and sends until the signal: one heartbeat at once, then one per interval. */
export async function runLoop(options: LoopOptions): Promise<void> {
  const { identity, store, link, collector, time, log, signal, random = Math.random, onUpgrade } = options;
  let settings = store.readSettings() ?? DEFAULTS;
  const clock = agentClock(time, settings.bearings);
  const buffer = openBuffer({ dir: store.bufferDir, log });
  const sleep = interruptibleSleep(signal);
  let inventoryAtMs: number | null = null;

  const onReply = ({ intervalSeconds, watched, inventoryEnabled, upgrade }: Reply) => {
    const bearings = isClose(settings.bearings, clock.bearings) ? settings.bearings : clock.bearings;
    const next: Settings = { intervalSeconds, watched, inventoryEnabled, bearings };
    if (JSON.stringify(next) !== JSON.stringify(settings)) store.writeSettings(next);
    const sooner = intervalSeconds !== settings.intervalSeconds;
    settings = next;
    if (sooner) sleep.wake();
    if (upgrade) onUpgrade?.(upgrade);
  };
  const { agentId, credential } = identity;
  // It waits longer while it is removed, and from the first answer on no longer than others.
  const onRemovedChange = sleep.wake;
  const sender = openSender({
    credential,
    link,
    buffer,
    clock,
    log,
    onReply,
    onRemovedChange,
    signal,
    random,
  });

  /** With the opt-in, from time to time; without it, names are never read and none are kept. */
  const inventory = async (): Promise<Inventory | null> => {
    if (!settings.inventoryEnabled) {
      inventoryAtMs = null;
      return null;
    }
    const nowMs = time.steadyNowMs();
    if (inventoryAtMs !== null && nowMs - inventoryAtMs < INVENTORY_MS) return null;
    inventoryAtMs = nowMs;
    return collector.inventory();
  };

  // A stop does not wait for a reading that hangs.
  const stopped = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const reading = failureProof(stopped, log);
  const collect = () =>
    reading('No readings, so this heartbeat is left out', () => collector.collect(settings.watched));

  try {
    await collect();
    await sleep.forMs(FIRST_SPAN_MS);
    while (!signal.aborted) {
      const beat = await collect();
      if (signal.aborted) break;
      if (beat !== null) {
        const names = await reading('No names of processes and services', inventory);
        const moment = clock.now();
        sender.offer({ moment, atMs: clock.stamp(moment), beat }, names);
      }
      await untilNext();
    }
    await sender.settled();
  } finally {
    // However it ends, what it has only in memory is for the next start.
    buffer.save();
  }

  /** A new interval, which an answer may bring, counts from the previous heartbeat. */
  async function untilNext(): Promise<void> {
    const fromMs = clock.nowMs();
    const steadyMs = time.steadyNowMs();
    do {
      const dueMs = sender.removed
        ? REMOVED_MS * (1 + random() / 2)
        : nextDueMs(fromMs, settings.intervalSeconds * 1000, agentId) - fromMs;
      await sleep.forMs(steadyMs + dueMs - time.steadyNowMs());
    } while (sleep.woken && !signal.aborted);
  }
}

/** Takes readings. One that fails costs itself, not the agent: null, and its reason is logged once. */
function failureProof(stopped: Promise<null>, log: Log) {
  const troubles = new Map<string, string>();
  return async <Found>(trouble: string, take: () => Promise<Found>): Promise<Found | null> => {
    try {
      const found = await Promise.race([take(), stopped]);
      if (found !== null) troubles.delete(trouble);
      return found;
    } catch (error) {
      const reason = reasonOf(error);
      if (troubles.get(trouble) !== reason)
        log('error', `${trouble}: a defect in this agent; it tries again`, { reason });
      troubles.set(trouble, reason);
      return null;
    }
  };
}
