// A second look at the main loop, from a thread of its own: one that stands still is ended, and what it was at is put down.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from './log.ts';

/** Shared with the thread: [beats, whether to stop, length of the note], then the note's characters. */
export const BEAT = 0;
export const STOPPED = 1;
export const LENGTH = 2;
export const NOTE = 3;
const NOTE_CHARACTERS = 200;

export type WatchdogData = { shared: SharedArrayBuffer; file: string; frozenAfterMs: number };

export type Watchdog = {
  /** Does a step of the main loop; should it never come to an end, `note` tells the next run what it was. */
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
  const shared = new SharedArrayBuffer(4 * (NOTE + NOTE_CHARACTERS));
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
  const beat = () => {
    Atomics.add(words, BEAT, 1);
    Atomics.notify(words, BEAT);
  };
  const beating = setInterval(beat, BEAT_MS);

  return {
    during(note, step) {
      const length = Math.min(note.length, NOTE_CHARACTERS);
      for (let i = 0; i < length; i++) words[NOTE + i] = note.charCodeAt(i);
      words[LENGTH] = length;
      try {
        return step();
      } finally {
        words[LENGTH] = 0;
      }
    },
    async stop() {
      clearInterval(beating);
      Atomics.store(words, STOPPED, 1);
      beat();
      await thread.terminate();
    },
  };
}
