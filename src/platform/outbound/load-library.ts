import { requireDescriptor } from './descriptors.ts';

/**
 * Loads a library at its first use. Throws OutboundFailure (`probe_exhausted`) if no descriptor is left to read it with:
 * another attempt may find one. Other errors are passed on.
 */
export async function loadLibrary<Library>(load: () => Promise<Library>): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    await requireDescriptor();
    throw error;
  }
}
