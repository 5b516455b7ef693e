import { parentPort } from 'node:worker_threads';
import type { Judgement } from '../../src/checks/probe-contract.ts';
import { bodyFinding } from './body.ts';
import type { IsolatedQuestion, WorkerReply } from './isolated.ts';

parentPort?.on('message', ({ judgeAll, ...question }: IsolatedQuestion) => {
  const judgements: Judgement[] = [];
  bodyFinding(question, judgeAll ? (judgement) => judgements.push(judgement) : undefined).then(
    (finding) => reply({ finding, judgements }),
    (error: unknown) => reply({ invalid: error instanceof Error ? error.message : 'unknown reason' }),
  );
});

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
}
