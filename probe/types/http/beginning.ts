import type { IncomingMessage } from 'node:http';

/**
 * How much of a body is collected: what is kept of it, and a little more, so that a credential that the end cuts in two is
 * seen whole.
 */
const COLLECTED_BYTES = 6 * 1024;
/** How long a check whose finding is known waits for the beginning of the body; an alarm waits no longer for it. */
const WAIT_MS = 250;

/** The head and the beginning of the last answer of a check, collected beside whatever reads it, kept also if it breaks off. */
export type Beginning = {
  status: number;
  /** Names and values in turn, as sent. */
  rawHeaders: readonly string[];
  chunks: Buffer[];
  size: number;
  /** The body ended, and all of it was collected. */
  complete: boolean;
  /** Called when there is nothing more to wait for. */
  settled: Promise<void>;
};

/** Collects beside the readers of the body: it neither pauses the answer nor keeps it flowing. */
export function collect(incoming: IncomingMessage): Beginning {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, WAIT_MS);
  const beginning: Beginning = {
    status: incoming.statusCode ?? 0,
    rawHeaders: incoming.rawHeaders,
    chunks: [],
    size: 0,
    complete: false,
    settled: promise,
  };
  const settle = () => {
    clearTimeout(timer);
    resolve();
  };
  incoming.on('data', (chunk: Buffer) => {
    const left = COLLECTED_BYTES - beginning.size;
    if (left <= 0) return;
    // Copied: a slice would hold the whole block in memory.
    beginning.chunks.push(Buffer.from(chunk.subarray(0, left)));
    beginning.size += Math.min(left, chunk.length);
    if (chunk.length >= left) settle();
  });
  incoming.once('end', () => {
    beginning.complete = beginning.size < COLLECTED_BYTES;
    settle();
  });
  incoming.once('close', settle);
  return beginning;
}
