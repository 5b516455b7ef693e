// The error for a region or probe that was named on a command line and does not exist.
import { Refusal } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { listAdministered } from '../regions/administered.ts';

/** Throws the error; if a region or a probe was not found, one that names the existing ones. */
export async function explainNotFound(
  db: Database,
  now: Date,
  slug: string,
  error: unknown,
  probeId?: string,
): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
  const regions = await listAdministered(db, now);
  const region = regions.find((each) => each.slug === slug);
  const there = (list: string[]) => list.join(', ') || 'none';
  throw new Error(
    region
      ? `There is no probe ${JSON.stringify(probeId)} in the region ${slug}. Its probes: ${there(region.probes.map(({ probe_id }) => probe_id))}.`
      : `There is no region ${JSON.stringify(slug)}. Regions: ${there(regions.map((each) => each.slug))}.`,
  );
}
