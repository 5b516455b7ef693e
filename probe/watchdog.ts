// A second look at the main loop, from a thread of its own: one that stands still is ended, and what it was at is put down.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { followWork, workFor } from './check-at-work.ts';
import type { Log } from './log.ts';
import { checkAtWork, keepLedger } from './loop-ledger.ts';
import { AT, NOTE_CHARACTERS, type WatchdogData, watch } from './watchdog-thread.ts';

/** Does a step on the main loop so that it is known which check it is of. */
export type Watched = <T>(step: () => T) => T;

const WORDS = AT.most + 1 + NOTE_CHARACTERS;

export type Watchdog = {
  /**
   * Answers how to do steps of one check: a step, and everything that it begins, is done for `name`. Should the loop stand
   * still in it, or with what came to it of all this, `name` tells the next run what it was. `charge` is told what all of
   * it takes of the loop, in milliseconds of processor time.
   */
  watch(name: string, charge?: (ms: number) => void): Watched;
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
