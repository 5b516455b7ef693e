import { parentPort } from 'node:worker_threads';
import { type BodyQuestion, bodyFinding } from './body.ts';
import type { WorkerReply } from './isolated.ts';

parentPort?.on('message', (question: BodyQuestion) => {
  bodyFinding(question).then(
    (finding) => reply({ finding }),
    (error: unknown) => reply({ invalid: error instanceof Error ? error.message : 'unknown reason' }),
  );
});

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
}
