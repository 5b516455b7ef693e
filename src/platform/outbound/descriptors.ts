import { open } from 'node:fs/promises';
import { ownFailure } from './failures.ts';

/**
 * Throws OutboundFailure (`probe_exhausted`) if this process cannot open any file. For callers whose error does not say
 * so: the resolver, which reports a refused connection, and the module loader.
 */
export async function requireDescriptor(): Promise<void> {
  const file = await open(process.execPath).catch((error: unknown) => {
    throw ownFailure(error);
  });
  await file.close();
}
