import type { IncomingMessage } from 'node:http';

/** Bytes of a body that are collected: the excerpt and some more, so that a credential at the cut is still recognised. */
const COLLECTED_BYTES = 6 * 1024;
/** How long a failed check waits for the beginning of the body before it reports. */
const WAIT_MS = 250;

/** The head and the beginning of a check's last response, collected while it is read, and kept even if it breaks off. */
export type Beginning = {
  status: number;
  /** Alternating names and values, as sent. */
  rawHeaders: readonly string[];
  chunks: Buffer[];
  size: number;
  /** The body ended, and all of it was collected. */
  complete: boolean;
  /** Called when there is nothing more to wait for. */
  settled: Promise<void>;
};

/** Collects alongside the readers of the body, without pausing the response or keeping it flowing. */
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
