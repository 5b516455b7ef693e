import { Worker } from 'node:worker_threads';
import { workFor } from '../check-at-work.ts';
import type { AskedOfWorker, WorkerMessage, WorkerReply } from './asked.ts';

/**
 * timeout: it took too much processor time · starved: it did not get that time while it was worth waiting · died: without an
 * answer. `ranMs` is the processor time it took; where that is not known, the time by the clock.
 */
export type Answered = { reply: WorkerReply | 'timeout' | 'starved' | 'died'; ranMs: number };

/**
 * Processor time that an answer may take, and time by the clock that it is waited for, milliseconds. One that is not there by
 * then was starved where it had less processor time than `enoughMs`, else it took too much.
 */
export type AnswerLimits = { ranMs: number; tookMs: number; enoughMs: number };

export type JudgeThread = {
  /** One at a time. What does not come within the limits, or never, ends the thread: it is not to be asked again. */
  ask(asked: AskedOfWorker, limits: AnswerLimits): Promise<Answered>;
  used(): boolean;
  /** What it was judging last, a path in the config. */
  place(): string | undefined;
  end(): Promise<void>;
};

const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
const PLACE_CHARACTERS = 100;
const SHORTEST_LOOK_MS = 20;

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
  let onReply: ((reply: WorkerReply | 'died', cpuMs?: number) => void) | undefined;
  let isReady = false;
  let onReady: (() => void) | undefined;
  /** Processor time of the thread when it last said something. */
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
    place() {
      const length = Math.min(place[0] ?? 0, PLACE_CHARACTERS);
      return length === 0 ? undefined : String.fromCharCode(...place.subarray(1, 1 + length));
    },
    async end() {
      await worker.terminate();
    },
    ask: (asked, limits) =>
      new Promise((resolve) => {
        let looking: NodeJS.Timeout | undefined;
        let deadline: NodeJS.Timeout | undefined;
        const askedAtMs = performance.now();
        const finish = (reply: Answered['reply'], cpuMs = saidCpuMs + performance.now() - askedAtMs) => {
          if (onReply !== finish) return;
          clearTimeout(looking);
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
        place[0] = 0;
        used = true;
        worker.postMessage(asked);
        let seenCpuMs: number | undefined;
        // A machine that is busy with something else takes nothing of the time that a question has.
        const lookAfter = (ms: number) => {
          looking = setTimeout(async () => {
            seenCpuMs = await cpuMsOf(worker);
            if (onReply !== finish) return;
            const leftMs = limits.ranMs - (seenCpuMs - saidCpuMs);
            if (leftMs <= 0) finish('timeout', seenCpuMs);
            else lookAfter(Math.max(leftMs, SHORTEST_LOOK_MS));
          }, ms);
        };
        const giveUp = () => {
          const hadEnough = seenCpuMs !== undefined && seenCpuMs - saidCpuMs >= limits.enoughMs;
          finish(hadEnough ? 'timeout' : 'starved', seenCpuMs);
        };
        // Its start is not the question's time.
        const begin = () => {
          lookAfter(limits.ranMs);
          deadline = setTimeout(giveUp, limits.tookMs);
        };
        if (isReady) begin();
        else onReady = begin;
      }),
  };
}

/** Processor time of a thread, milliseconds, which it need not have come to an end for. Never resolves once it has ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return new Promise(() => undefined);
  }
}
