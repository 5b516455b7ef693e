import { Worker } from 'node:worker_threads';
import { workFor } from '../check-at-work.ts';
import type { AskedOfWorker, WorkerMessage, WorkerReply } from './asked.ts';

/**
 * timeout: it used too much processor time · starved: it did not get that time within the wait · died: without an answer.
 * `ranMs` is the processor time it used or, if unknown, the wall time.
 */
export type Answered = { reply: WorkerReply | 'timeout' | 'starved' | 'died'; ranMs: number };

/**
 * The processor time that an answer may use, and the wall time that the caller waits for it, in milliseconds. A missing
 * answer was starved if it had less processor time than `enoughMs`, else it used too much.
 */
export type AnswerLimits = { ranMs: number; tookMs: number; enoughMs: number };

export type JudgeThread = {
  /** One at a time. If an answer exceeds the limits or never comes, the thread is ended and must not be used again. */
  ask(asked: AskedOfWorker, limits: AnswerLimits): Promise<Answered>;
  used(): boolean;
  /** The assertion it judged last, a path in the config. */
  path(): string | undefined;
  end(): Promise<void>;
};

const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
const PATH_CHARACTERS = 100;
const MIN_POLL_MS = 20;

/** A worker thread that judges answers; while it waits, it does not keep the process alive. */
export function startJudgeThread(): JudgeThread {
  const note = new SharedArrayBuffer(2 * (PATH_CHARACTERS + 1));
  const path = new Uint16Array(note);
  // The thread outlives the answer it is started for.
  const worker = workFor(
    undefined,
    () =>
      new Worker(new URL('./worker.ts', import.meta.url), {
        resourceLimits: LIMITS,
        // Node's own options are for the main program (-e, --input-type).
        execArgv: [],
        workerData: note,
      }),
  );
  let used = false;
  let onReply: ((reply: WorkerReply | 'died', cpuMs?: number) => void) | undefined;
  let isReady = false;
  let onReady: (() => void) | undefined;
  /** Processor time of the thread at its last message. */
  let saidCpuMs = 0;
  worker.on('message', ({ reply, cpuMs }: WorkerMessage) => {
    if (reply === 'ready') {
      isReady = true;
      saidCpuMs = cpuMs;
      onReady?.();
    } else onReply?.(reply, cpuMs);
  });
  const died = () => onReply?.('died');
  worker.on('error', died).on('messageerror', died).on('exit', died);
  worker.unref();

  return {
    used: () => used,
    path() {
      const length = Math.min(path[0] ?? 0, PATH_CHARACTERS);
      return length === 0 ? undefined : String.fromCharCode(...path.subarray(1, 1 + length));
    },
    async end() {
      await worker.terminate();
    },
    ask: (asked, limits) =>
      new Promise((resolve) => {
        let polling: NodeJS.Timeout | undefined;
        let deadline: NodeJS.Timeout | undefined;
        const askedAtMs = performance.now();
        const finish = (reply: Answered['reply'], cpuMs = saidCpuMs + performance.now() - askedAtMs) => {
          if (onReply !== finish) return;
          clearTimeout(polling);
          clearTimeout(deadline);
          onReply = undefined;
          onReady = undefined;
          worker.unref();
          if (typeof reply !== 'object') void worker.terminate();
          const ranMs = cpuMs - saidCpuMs;
          saidCpuMs = cpuMs;
          resolve({ reply, ranMs });
        };
        onReply = finish;
        worker.ref();
        path[0] = 0;
        used = true;
        worker.postMessage(asked);
        let seenCpuMs: number | undefined;
        // A machine that is busy with something else does not use up a question's time.
        const pollAfter = (ms: number) => {
          polling = setTimeout(async () => {
            seenCpuMs = await cpuMsOf(worker);
            if (onReply !== finish) return;
            const leftMs = limits.ranMs - (seenCpuMs - saidCpuMs);
            if (leftMs <= 0) finish('timeout', seenCpuMs);
            else pollAfter(Math.max(leftMs, MIN_POLL_MS));
          }, ms);
        };
        const giveUp = () => {
          const hadEnough = seenCpuMs !== undefined && seenCpuMs - saidCpuMs >= limits.enoughMs;
          finish(hadEnough ? 'timeout' : 'starved', seenCpuMs);
        };
        // The thread's start does not count as the question's time.
        const begin = () => {
          pollAfter(limits.ranMs);
          deadline = setTimeout(giveUp, limits.tookMs);
        };
        if (isReady) begin();
        else onReady = begin;
      }),
  };
}

/** Processor time of a thread, in milliseconds, even while it is busy. Never resolves once the thread has ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return new Promise(() => undefined);
  }
}
