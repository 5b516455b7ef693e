import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { oneAtATime } from '#src/platform/one-at-a-time.ts';
import { refuse } from '#src/platform/refusals.ts';
import type { DocumentInput } from './document.ts';

/** Documents that wait for their turn in this process, beside the one in progress. */
const MAX_WAITING = 8;
const RETRY_SECONDS = 5;
/** The largest possible report needs a fifth of it. */
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };

const inTurn = oneAtATime();
let asked = 0;

/** Makes the PDF of a report in a thread of its own, one at a time. Refuses with 503 while too many wait. */
export async function makePdf(input: DocumentInput): Promise<Buffer> {
  if (asked > MAX_WAITING)
    refuse('unavailable', 'Many reports are being made at the moment. Try again in a few seconds.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  asked += 1;
  try {
    return await inTurn(() => madeApart(input));
  } finally {
    asked -= 1;
  }
}

async function madeApart(input: DocumentInput): Promise<Buffer> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    resourceLimits: LIMITS,
    // Node's own options are for the main program (-e, --input-type).
    execArgv: [],
  });
  try {
    // `once` throws an error of the thread. A thread that ends without a message has run out of memory and says so.
    const [bytes] = (await once(worker, 'message')) as [Uint8Array];
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } finally {
    await worker.terminate();
  }
}
