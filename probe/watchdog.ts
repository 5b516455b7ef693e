// A second look at the main loop, from a thread of its own: one that stands still is ended, and what it was at is put down.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from './log.ts';
import { AT, NOTE_CHARACTERS, type WatchdogData, watch } from './watchdog-thread.ts';
import { followWork, type Owner, workFor } from './whose.ts';

const WORDS = AT.most + 1 + NOTE_CHARACTERS;

export type Watchdog = {
  /**
   * Does a step of the main loop, and everything that it begins, for `note`; should the loop stand still in it, or with
   * what came to it of all this, `note` tells the next run what it was. `charge` is told what all of it takes of the loop.
   */
  during<T>(note: string, step: () => T, charge?: Owner['charge']): T;
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
  const program = `(${watch})(require('node:worker_threads').workerData, require('node:fs'))`;
  const thread = new Worker(program, {
    eval: true,
    // What node was started with is for the main program (-e, --input-type).
    execArgv: [],
    workerData: { shared, file, frozenAfterMs, at: AT } satisfies WatchdogData,
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
    Atomics.add(words, AT.beat, 1);
    Atomics.notify(words, AT.beat);
  };
  const beating = setInterval(beat, BEAT_MS);

  return {
    during(note, step, charge) {
      const before = ledger.current();
      const owner = { name: note, charge };
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
      Atomics.store(words, AT.stopped, 1);
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

function cpuNowMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Writes down what the loop is at, and who had most of it since the last beat. */
function keepLedger(words: Int32Array): Ledger {
  let spent = new Map<string, number>();
  let mostMs = 0;
  let current: Owner | undefined;
  let sinceMs = 0;
  let sinceCpuMs = 0;
  const write = (at: number, note = '') => {
    const length = Math.min(note.length, NOTE_CHARACTERS);
    for (let i = 0; i < length; i++) words[at + 1 + i] = note.charCodeAt(i);
    words[at] = length;
  };
  const charge = (owner: Owner, ms: number, cpuMs: number) => {
    const { name } = owner;
    owner.charge?.(cpuMs);
    const sum = (spent.get(name) ?? 0) + ms;
    spent.set(name, sum);
    if (sum <= mostMs) return;
    mostMs = sum;
    words[AT.mostMs] = sum;
    write(AT.most, name);
  };
  const turn: Ledger['turn'] = (owner) => {
    if (owner === current) return;
    const nowMs = performance.now();
    // By the processor's clock: nobody is charged for a loop that waits, or for a machine that is busy or asleep.
    const cpuMs = cpuNowMs();
    if (current) charge(current, nowMs - sinceMs, cpuMs - sinceCpuMs);
    current = owner;
    sinceMs = nowMs;
    sinceCpuMs = cpuMs;
    write(AT.current, owner?.name);
    words[AT.turns] = (words[AT.turns] ?? 0) + 1;
  };
  return {
    turn,
    current: () => current,
    beginAnew() {
      turn(undefined);
      spent = new Map();
      mostMs = 0;
      words[AT.mostMs] = 0;
      write(AT.most);
    },
  };
}
