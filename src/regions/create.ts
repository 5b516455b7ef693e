import type { Work } from '../platform/work.ts';
import { saveProbeToken } from './tokens.ts';

/** The region that the bundled probe serves. */
export const LOCAL_REGION = 'local';

/**
 * Makes sure the region `local` exists, with the private-target rule of this start (decisions, section 9), and that
 * the bundled probe's token is known. The token is derived from the installation's secret, so that it is the same
 * on every node and start.
 */
export async function prepareLocalRegion(
  work: Work,
  { allowPrivateTargets, probeToken }: { allowPrivateTargets: boolean; probeToken: string },
): Promise<void> {
  const { tx, now } = work;
  const region = await tx
    .insertInto('regions')
    .values({
      slug: LOCAL_REGION,
      name: 'Local',
      allow_private_targets: allowPrivateTargets,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('slug').doUpdateSet({ allow_private_targets: allowPrivateTargets }),
    )
    .returning('no')
    .executeTakeFirstOrThrow();
  await saveProbeToken(work, region.no, probeToken);
}
