// `tocsin region remove SLUG PROBE`.
import { removeProbe } from '#src/regions/admission.ts';
import { changeProbe } from '../change-probe.ts';

/** Deletes a probe; returns the exit code. */
export async function run(slug: string, probeId: string): Promise<number> {
  return changeProbe(slug, probeId, 'forgotten', (work) => removeProbe(work, slug, probeId));
}
