// A second look at the main loop, from a thread of its own: one that stands still is ended, and what it was at is put down.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from './log.ts';
import { followWork, type Owner, workFor } from './whose.ts';

/**
 * Shared with the thread: beats, whether to stop, how often the loop turned from one check to another, the longest that one
 * check had of the loop since the beat (ms); then two notes, each with its length before its characters: the check that the
 * loop is at, and the one that had most.
 */
export const BEAT = 0;
export const STOPPED = 1;
export const TURNS = 2;
export const MOST_MS = 3;
export const CURRENT = 4;
const NOTE_CHARACTERS = 200;
export const MOST = CURRENT + 1 + NOTE_CHARACTERS;
const WORDS = MOST + 1 + NOTE_CHARACTERS;

export type WatchdogData = { shared: SharedArrayBuffer; file: string; frozenAfterMs: number };

export type Watchdog = {
  /**
   * Does a step of the main loop, and everything that it begins, for `note`; should the loop stand still in it, or with
   * what came to it of all this, `note` tells the next run what it was.
   */
  during<T>(note: string, step: () => T): T;
  stop(): Promise<void>;
};

/** What a run left behind that was ended as frozen. */
export const FROZEN_FILE = 'frozen.json';

const BEAT_MS = 250;
/** Far more than any step may take, and less than a region takes to count as silent. */
const FROZEN_AFTER_MS = 10_000;

/**
 * Ends this process by SIGKILL once its main loop has not run for 10 s; whoever started it starts it again. Time in which the
 * whole process did not run (a machine that sleeps) does not count.
 */
export function startWatchdog(options: {
  dataDir: string;
  log: Log;
  frozenAfterMs?: number | undefined;
}): Watchdog {
  const { dataDir, log, frozenAfterMs = FROZEN_AFTER_MS } = options;
  const shared = new SharedArrayBuffer(4 * WORDS);
  const words = new Int32Array(shared);
  const file = join(dataDir, FROZEN_FILE);
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    // What node was started with is for the main program (-e, --input-type).
    execArgv: [],
    workerData: { shared, file, frozenAfterMs } satisfies WatchdogData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
  thread.on('error', (error: Error) =>
    log('error', 'This probe is no longer watched: it would not be started again if it froze', {
      reason: error.message,
    }),
  );
  const ledger = keepLedger(words);
  const unfollow = followWork(ledger.turn);
  const beat = () => {
    ledger.beginAnew();
    Atomics.add(words, BEAT, 1);
    Atomics.notify(words, BEAT);
  };
  const beating = setInterval(beat, BEAT_MS);

  return {
    during(note, step) {
      const before = ledger.current();
      const owner = { name: note };
      ledger.turn(owner);
      try {
        return workFor(owner, step);
      } finally {
        ledger.turn(before);
      }
    },
    async stop() {
      clearInterval(beating);
      unfollow();
      Atomics.store(words, STOPPED, 1);
      beat();
      await thread.terminate();
    },
  };
}

type Ledger = {
  /** From now on the loop works for another. */
  turn: (owner: Owner | undefined) => void;
  current: () => Owner | undefined;
  beginAnew: () => void;
};

/** Writes down what the loop is at, and who had most of it since the last beat. */
function keepLedger(words: Int32Array): Ledger {
  let spent = new Map<string, number>();
  let mostMs = 0;
  let current: Owner | undefined;
  let sinceMs = 0;
  const write = (at: number, note = '') => {
    const length = Math.min(note.length, NOTE_CHARACTERS);
    for (let i = 0; i < length; i++) words[at + 1 + i] = note.charCodeAt(i);
    words[at] = length;
  };
  const charge = ({ name }: Owner, ms: number) => {
    const sum = (spent.get(name) ?? 0) + ms;
    spent.set(name, sum);
    if (sum <= mostMs) return;
    mostMs = sum;
    words[MOST_MS] = sum;
    write(MOST, name);
  };
  const turn: Ledger['turn'] = (owner) => {
    if (owner === current) return;
    const nowMs = performance.now();
    if (current) charge(current, nowMs - sinceMs);
    current = owner;
    sinceMs = nowMs;
    write(CURRENT, owner?.name);
    words[TURNS] = (words[TURNS] ?? 0) + 1;
  };
  return {
    turn,
    current: () => current,
    beginAnew() {
      turn(undefined);
      spent = new Map();
      mostMs = 0;
      words[MOST_MS] = 0;
      write(MOST);
    },
  };
}
