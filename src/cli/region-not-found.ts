// A region or a probe of it that somebody named on a command line, and that does not exist.
import { Refusal } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { listAdministered } from '../regions/administered.ts';

/** Throws the error; where a region or a probe was not found, one that names those that exist. */
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
