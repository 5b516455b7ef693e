// `tocsin region admit SLUG PROBE`.
import { setAdmission } from '#src/regions/admission.ts';
import { changeProbe } from '../change-probe.ts';

/** Admits a probe that is waiting or was refused; returns the exit code. */
export async function run(slug: string, probeId: string): Promise<number> {
  return changeProbe(slug, probeId, 'admitted', (work) => setAdmission(work, slug, probeId, 'admitted'));
}
