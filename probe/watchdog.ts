// Watches the main loop from a thread of its own: ends a probe that stands still, and records the check it was running.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { followWork, workFor } from './check-at-work.ts';
import type { Log } from './log.ts';
import { checkAtWork, keepLedger } from './loop-ledger.ts';
import { AT, NOTE_CHARACTERS, type WatchdogData, watch } from './watchdog-thread.ts';

/** Runs a step on the main loop on behalf of a check. */
export type Watched = <T>(step: () => T) => T;

const WORDS = AT.most + 1 + NOTE_CHARACTERS;

export type Watchdog = {
  /**
   * Returns a function that runs the steps of one check: a step, and everything that it begins, counts for `name`. If the
   * loop stands still in it, or in a later callback of it, `name` tells the next run the cause. `charge` is called with the
   * processor time that the loop spends on it, in milliseconds.
   */
  watch(name: string, charge?: (ms: number) => void): Watched;
  stop(): Promise<void>;
};

/** The file that a run leaves behind when it is ended as frozen. */
export const FROZEN_FILE = 'frozen.json';

const BEAT_MS = 250;
/** Far longer than any step may take, and shorter than the time after which a region counts as silent. */
const FROZEN_AFTER_MS = 10_000;

/**
 * Ends this process with SIGKILL once its main loop has not run for 10 s; the process that started it restarts it. Time in
 * which the whole process did not run (a machine that sleeps) does not count.
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
    // Node's own options are for the main program (-e, --input-type).
    execArgv: [],
    workerData: { shared, file, frozenAfterMs, at: AT } satisfies WatchdogData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
  thread.on('error', (error: Error) =>
    log('error', 'The watchdog of this probe has ended: the probe would not be restarted if it froze', {
      reason: error.message,
    }),
  );
  const ledger = keepLedger(words);
  const unfollow = followWork(ledger.turn);
  const beat = () => {
    ledger.nextRound();
    Atomics.add(words, AT.beat, 1);
    Atomics.notify(words, AT.beat);
  };
  const beating = setInterval(beat, BEAT_MS);

  return {
    watch(name, charge) {
      const check = checkAtWork(name, charge);
      return (step) => {
        const before = ledger.current();
        ledger.turn(check);
        try {
          return workFor(check, step);
        } finally {
          ledger.turn(before);
        }
      };
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
