import { demandDescriptor } from './descriptors.ts';

/**
 * Loads a library with its first use. Throws OutboundFailure (`probe_exhausted`) where no descriptor is left to read it
 * with: another try may well find one. Other errors come as they are.
 */
export async function loadLibrary<Library>(load: () => Promise<Library>): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    await demandDescriptor();
    throw error;
  }
}
