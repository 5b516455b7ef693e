import { parentPort, workerData } from 'node:worker_threads';
import type { Judgement } from '#src/probe-protocol/contract.ts';
import type { AskedOfWorker, WorkerReply } from './asked.ts';
import { findingIn } from './question.ts';

/** Where the place is written that is judged: its length, then its characters. */
const place = new Uint16Array(workerData as SharedArrayBuffer);

parentPort?.on('message', ({ question, judgeAll }: AskedOfWorker) => {
  const judgements: Judgement[] = [];
  findingIn(question, note, judgeAll ? (judgement) => judgements.push(judgement) : undefined).then(
    (finding) => reply({ finding, judgements }),
    (error: unknown) => reply({ invalid: error instanceof Error ? error.message : 'unknown reason' }),
  );
});
reply('ready');

function note(text: string): void {
  place[0] = text.length;
  for (let i = 0; i < text.length && i + 1 < place.length; i++) place[i + 1] = text.charCodeAt(i);
}

function reply(message: WorkerReply | 'ready'): void {
  parentPort?.postMessage(message);
}
