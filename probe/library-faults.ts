// On an unexpected answer, a client library can throw an exception that reaches no caller (ioredis throws in a turn of
// its own). The check it belongs to ends by its deadline; the others must not end with it.

import { printable } from './check-outcome.ts';
import type { Log } from './log.ts';

/** Libraries that parse data from targets. */
const LIBRARY = /[\\/]node_modules[\\/](?:ioredis|mysql2|pg|pg-protocol|ws|@connectrpc)[\\/]/;

/** Whether the code of such a library threw it, by the innermost frame that is not Node's. */
export function isLibraryFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return LIBRARY.test(frames.find((line) => !/[( ]node:/.test(line)) ?? '');
}

/**
 * From now on the process survives such exceptions and logs each; any other still ends it. Output of the libraries
 * themselves is discarded: mysql2 prints a line for each packet out of order, so a target could fill the disk of the log.
 */
export function surviveLibraryErrors(log: Log): void {
  console.error = () => undefined;
  console.warn = () => undefined;
  process.on('uncaughtException', (error: unknown) => {
    if (!isLibraryFault(error)) throw error;
    const reason = printable(error instanceof Error ? error.message : '', 200);
    log('warn', 'A client library failed on data from a target; the check ends without it', { reason });
  });
}
