import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Judgement } from '#src/probe-protocol/contract.ts';
import type { AskedOfWorker, WorkerMessage } from './asked.ts';
import { findingIn } from './question.ts';

/** The main loop has priority if the processor is short: all checks wait for it, but only one for this thread. */
const BEHIND_THE_LOOP = 5;
// On other systems it would set the priority of the whole process. One that was started with less may not take more.
if (process.platform === 'linux' && getPriority() < BEHIND_THE_LOOP) setPriority(BEHIND_THE_LOOP);

/** Shared memory for the path being judged: its length, then its characters. */
const path = new Uint16Array(workerData as SharedArrayBuffer);

parentPort?.on('message', ({ question, judgeAll }: AskedOfWorker) => {
  const judgements: Judgement[] = [];
  findingIn(question, note, judgeAll ? (judgement) => judgements.push(judgement) : undefined).then(
    (finding) => say({ finding, judgements }),
    (error: unknown) => say({ invalid: error instanceof Error ? error.message : 'unknown reason' }),
  );
});
say('ready');

function note(text: string): void {
  path[0] = text.length;
  for (let i = 0; i < text.length && i + 1 < path.length; i++) path[i + 1] = text.charCodeAt(i);
}

function say(reply: WorkerMessage['reply']): void {
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ reply, cpuMs: (user + system) / 1000 } satisfies WorkerMessage);
}
