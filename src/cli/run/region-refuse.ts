// `tocsin region refuse SLUG PROBE`.
import { setAdmission } from '#src/regions/admission.ts';
import { changeProbe } from '../change-probe.ts';

/** Refuses a probe; returns the exit code. */
export async function run(slug: string, probeId: string): Promise<number> {
  return changeProbe(slug, probeId, 'refused', (work) => setAdmission(work, slug, probeId, 'refused'));
}
