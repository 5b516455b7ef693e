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
  /** Resolves once there is nothing more to wait for. */
  settled: () => Promise<void>;
};

/** Collects alongside the readers of the body, without pausing the response or keeping it flowing. */
export function collect(incoming: IncomingMessage): Beginning {
  const startedAtMs = performance.now();
  let isSettled = false;
  let wake: (() => void) | undefined;
  const settle = () => {
    isSettled = true;
    wake?.();
  };
  const beginning: Beginning = {
    status: incoming.statusCode ?? 0,
    rawHeaders: incoming.rawHeaders,
    chunks: [],
    size: 0,
    complete: false,
    // Most checks pass, and nobody waits.
    settled: () =>
      new Promise((resolve) => {
        if (isSettled) return resolve();
        const timer = setTimeout(resolve, Math.max(0, startedAtMs + WAIT_MS - performance.now()));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
  incoming.on('data', (chunk: Buffer) => {
    const left = COLLECTED_BYTES - beginning.size;
    if (left <= 0) return;
    // Copied: a slice would hold the whole block in memory.
    beginning.chunks.push(Buffer.from(chunk.subarray(0, left)));
    beginning.size += Math.min(left, chunk.length);
    if (chunk.length >= left) settle();
  });
  incoming.on('end', () => {
    beginning.complete = beginning.size < COLLECTED_BYTES;
    settle();
  });
  incoming.on('close', settle);
  return beginning;
}
