// Handles uncaught errors of this process.
import type { Log } from '../platform/log.ts';

/**
 * Resolves when an uncaught error that belongs to no request (`ofRequest`) must end this process, so that everything can be
 * stopped in order rather than left behind.
 */
export function unexpectedEnd(
  log: Log,
  ofRequest: (error: unknown) => object | null = () => null,
): { promise: Promise<'error'>; dispose(): void } {
  const { promise, resolve } = Promise.withResolvers<'error'>();
  const onError = (error: unknown) => {
    const ended = ofRequest(error);
    if (ended) return log.error({ err: error, ...ended }, 'unhandled error; ending its request');
    log.fatal({ err: error }, 'an error nobody handled; stopping');
    resolve('error');
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  return {
    promise,
    dispose() {
      process.off('uncaughtException', onError);
      process.off('unhandledRejection', onError);
    },
  };
}
