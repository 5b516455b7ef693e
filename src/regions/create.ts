import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { slugFrom } from '../domain/slug.ts';
import { checkedName } from '../platform/checked-name.ts';
import { Refusal, refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { keepBundledToken } from './bundled-token.ts';
import { acceptCanaries } from './canaries.ts';
import type { RegionCreate } from './contract.ts';
import { wakeProbes } from './wake.ts';

/** The region that the bundled probe serves. */
export const LOCAL_REGION = 'local';

/** `allowSingleLabel`: whether canaries may have names of one label; null: where private addresses are reached. */
export type RegionOptions = { allowSingleLabel: boolean | null };

/**
 * Creates a region. Refuses a taken slug (`slug_taken`, 409), an invalid slug, an empty name, and an invalid canary
 * (`invalid_target` with `canaries.N`).
 */
export async function createRegion(work: Work, body: RegionCreate, options: RegionOptions): Promise<void> {
  const { slug } = body;
  if (slug === '') refuse('empty_slug', 'slug must not be empty.', { field: 'slug' });
  if (slugFrom(slug) !== slug)
    refuse(
      'invalid_request',
      'slug must be lower-case letters, digits and single hyphens between them, at most 63 characters.',
      { field: 'slug' },
    );
  const allowPrivate = body.allow_private_targets ?? false;
  const region = {
    slug,
    name: checkedName(body.name),
    internal: body.internal ?? false,
    allow_private_targets: allowPrivate,
    ...(body.keep_private_responses == null ? {} : { private_responses_choice: body.keep_private_responses }),
    canaries: acceptCanaries(body.canaries ?? [], options.allowSingleLabel ?? allowPrivate),
  };
  await work.tx
    .insertInto('regions')
    .values({ ...region, created_at: work.now })
    .execute()
    .catch((error: { code?: string }) => {
      if (error.code !== '23505') throw error;
      throw new Refusal('slug_taken', `slug ${JSON.stringify(slug)} already belongs to another region.`, {
        field: 'slug',
      });
    });
  await recordActivity(work, {
    orgId: null,
    action: 'region.create',
    resource: { kind: 'region', id: slug, name: region.name },
    after: region,
  });
}

/** `fixed` is the environment's setting, null if it has none; `usual` is the default. */
export type PrivateTargets = { fixed: boolean | null; usual: boolean };

/**
 * Makes sure the region `local` exists, with its rule about private targets, and that the bundled probe's token is
 * registered; its name, canaries and `internal` belong to the operator. Returns its number and that token.
 */
export async function prepareLocalRegion(
  work: Work,
  {
    privateTargets,
    ...keys
  }: { privateTargets: PrivateTargets; secretKey: string; earlierKeys: readonly string[] },
): Promise<{ regionNo: number; token: string }> {
  const { tx, now } = work;
  const { fixed, usual } = privateTargets;
  const { numAffectedRows } = await sql`
    INSERT INTO regions (slug, name, allow_private_targets, private_targets_fixed, created_at)
    VALUES (${LOCAL_REGION}, 'Local', ${fixed ?? usual}, ${fixed !== null}, ${now})
    ON CONFLICT (slug) DO UPDATE
      SET allow_private_targets = coalesce(${fixed}::boolean, regions.private_targets_choice, ${usual}),
        private_targets_fixed = excluded.private_targets_fixed, revision = regions.revision + 1
      WHERE (regions.allow_private_targets, regions.private_targets_fixed)
        <> (coalesce(${fixed}::boolean, regions.private_targets_choice, ${usual}), excluded.private_targets_fixed)
  `.execute(tx);
  const { no } = await tx
    .selectFrom('regions')
    .select('no')
    .where('slug', '=', LOCAL_REGION)
    .executeTakeFirstOrThrow();
  if (numAffectedRows) await wakeProbes(tx, no);
  return { regionNo: no, token: await keepBundledToken(work, no, keys) };
}
