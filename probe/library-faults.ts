// On an unexpected answer, a client library can throw an exception that reaches no caller (ioredis throws in a turn of
// its own). The check it belongs to ends by its deadline; the others must not end with it.
import type { Log } from './log.ts';
import { printable } from './observation.ts';

/** Those that read what targets send. */
const LIBRARY = /[\\/]node_modules[\\/](?:ioredis|mysql2|pg|pg-protocol|ws|@connectrpc)[\\/]/;

/** Whether it was thrown in the code of a library that speaks with targets, by the innermost frame that is not node's. */
export function isLibraryFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return LIBRARY.test(frames.find((line) => !/[( ]node:/.test(line)) ?? '');
}

/**
 * From now on the process outlives such exceptions, each told in the log; any other still ends it. What libraries print by
 * themselves is not heard: mysql2 prints a line for each packet out of order, so a target could fill the disk of the log.
 */
export function outliveLibraryFaults(log: Log): void {
  console.error = () => undefined;
  console.warn = () => undefined;
  process.on('uncaughtException', (error: unknown) => {
    if (!isLibraryFault(error)) throw error;
    const reason = printable(error instanceof Error ? error.message : '', 200);
    log('warn', 'A client library failed on what a target sent; its check ends without it', { reason });
  });
}
