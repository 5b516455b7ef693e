import { Worker } from 'node:worker_threads';
import type { Judgement } from '../../src/checks/probe-contract.ts';
import type { Finding } from '../observation.ts';
import type { BodyQuestion } from './body.ts';

/** `judgeAll`: every judgement is asked for, not just the first finding. */
export type IsolatedQuestion = BodyQuestion & { judgeAll?: boolean };
export type WorkerReply = { finding: Finding | undefined; judgements: Judgement[] } | { invalid: string };

/** One question may take this long; an honest one takes milliseconds. */
const ANSWER_MS = 2_000;

type Waiting = { question: IsolatedQuestion; answer: (reply: WorkerReply | 'timeout') => void };

const queue: Waiting[] = [];
let worker: Worker | undefined;
let busy = false;

/**
 * Answers a question about a body in a worker thread, one after the other; one that takes longer than 2 s is given up
 * (`timeout`) and the thread replaced, so that one user's expression delays nobody else's checks.
 */
export function answerIsolated(question: IsolatedQuestion): Promise<WorkerReply | 'timeout'> {
  return new Promise((answer) => {
    queue.push({ question, answer });
    next();
  });
}

/** Ends the worker thread (at stop). */
export async function stopIsolated(): Promise<void> {
  const ending = worker;
  worker = undefined;
  await ending?.terminate();
}

function next(): void {
  if (busy) return;
  const waiting = queue.shift();
  if (waiting === undefined) return;
  busy = true;
  worker ??= new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  const running = worker;
  running.ref();
  const finish = (reply: WorkerReply | 'timeout') => {
    clearTimeout(timer);
    running.off('message', finish).off('error', onDeath).off('exit', onDeath);
    running.unref();
    busy = false;
    waiting.answer(reply);
    next();
  };
  const onDeath = () => {
    if (worker === running) worker = undefined;
    finish('timeout');
  };
  const timer = setTimeout(() => {
    onDeath();
    running.on('error', () => undefined);
    void running.terminate();
  }, ANSWER_MS);
  running.once('message', finish).once('error', onDeath).once('exit', onDeath);
  running.postMessage(waiting.question);
}
