import { Worker } from 'node:worker_threads';
import { workFor } from '../check-at-work.ts';
import type { AskedOfWorker, WorkerReply } from './asked.ts';

export type JudgeThread = {
  /** One at a time. What does not come in time, or never, ends the thread: it is not to be asked again. */
  ask(asked: AskedOfWorker, withinMs: number): Promise<WorkerReply | 'timeout' | 'died'>;
  used(): boolean;
  /** What it was judging last, a path in the config. */
  place(): string | undefined;
  end(): Promise<void>;
};

const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
const PLACE_CHARACTERS = 100;

/** A worker thread that judges answers; it keeps nobody's process alive while it waits. */
export function startJudgeThread(): JudgeThread {
  const note = new SharedArrayBuffer(2 * (PLACE_CHARACTERS + 1));
  const place = new Uint16Array(note);
  // Whoever's answer it is started for: it goes on for others.
  const worker = workFor(
    undefined,
    () =>
      new Worker(new URL('./worker.ts', import.meta.url), {
        resourceLimits: LIMITS,
        // What node was started with is for the main program (-e, --input-type).
        execArgv: [],
        workerData: note,
      }),
  );
  let used = false;
  let hear: ((reply: WorkerReply | 'died') => void) | undefined;
  let isReady = false;
  let onReady: (() => void) | undefined;
  worker.on('message', (message: WorkerReply | 'ready') => {
    if (message === 'ready') {
      isReady = true;
      onReady?.();
    } else hear?.(message);
  });
  const died = () => hear?.('died');
  worker.on('error', died).on('messageerror', died).on('exit', died);
  worker.unref();

  return {
    used: () => used,
    place() {
      const length = Math.min(place[0] ?? 0, PLACE_CHARACTERS);
      return length === 0 ? undefined : String.fromCharCode(...place.subarray(1, 1 + length));
    },
    async end() {
      await worker.terminate();
    },
    ask: (asked, withinMs) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        const finish = (reply: WorkerReply | 'timeout' | 'died') => {
          if (hear === undefined) return;
          clearTimeout(timer);
          hear = undefined;
          onReady = undefined;
          worker.unref();
          if (typeof reply !== 'object') void worker.terminate();
          resolve(reply);
        };
        hear = finish;
        worker.ref();
        place[0] = 0;
        used = true;
        worker.postMessage(asked);
        // Its start is not the question's time.
        const begin = () => {
          timer = setTimeout(() => finish('timeout'), withinMs);
        };
        if (isReady) begin();
        else onReady = begin;
      }),
  };
}
