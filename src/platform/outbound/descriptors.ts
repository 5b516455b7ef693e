import { open } from 'node:fs/promises';
import { ownFailure } from './failures.ts';

/**
 * Throws OutboundFailure (`probe_exhausted`) where this process cannot open any file: for what failed and does not say why,
 * as the resolver, which calls that a refused connection, and the loader of modules.
 */
export async function demandDescriptor(): Promise<void> {
  const file = await open(process.execPath).catch((error: unknown) => {
    throw ownFailure(error);
  });
  await file.close();
}
