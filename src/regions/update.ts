import { type Selectable, sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { DB } from '../platform/db/tables.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { refuse } from '../platform/refusals.ts';
import type { Tx, Work } from '../platform/work.ts';
import { acceptCanaries } from './canaries.ts';
import type { RegionUpdate } from './contract.ts';
import { LOCAL_REGION, type RegionOptions } from './create.ts';
import { findRegion } from './find.ts';
import { keepsPrivateResponses } from './private-responses.ts';
import { wakeProbes } from './wake.ts';

/**
 * Updates the given fields of a region; omitted ones and nulls keep their value. Running probes learn of changed private
 * targets and canaries at once.
 */
export async function updateRegion(
  work: Work,
  slug: string,
  body: RegionUpdate,
  options: RegionOptions,
): Promise<void> {
  const { tx } = work;
  // Locked, so that concurrent changes apply one after the other.
  await sql`SELECT 1 FROM regions WHERE slug = ${slug} FOR NO KEY UPDATE`.execute(tx);
  const region = await findRegion(tx, slug);
  // The other read-only fields change by themselves between reading and sending back.
  refuseChangedReadOnly({ slug: body.slug }, region);
  const { name, internal, allow_private_targets, canaries } = region;
  const keeps = await keepsPrivate(tx, region.no);
  const before = { slug, name, internal, allow_private_targets, keep_private_responses: keeps, canaries };
  refuseFixed(region, body);
  const allowPrivate = body.allow_private_targets ?? allow_private_targets;
  const after = {
    slug,
    name: body.name == null ? name : checkedName(body.name),
    internal: body.internal ?? internal,
    allow_private_targets: allowPrivate,
    keep_private_responses: body.keep_private_responses ?? keeps,
    canaries:
      body.canaries == null
        ? canaries
        : acceptCanaries(body.canaries, options.allowSingleLabel ?? allowPrivate),
  };
  const chosen = choicesOf(region, body, before);
  if (JSON.stringify(after) === JSON.stringify(before) && Object.keys(chosen).length === 0) return;
  const { keep_private_responses: _, ...columns } = after;
  await tx
    .updateTable('regions')
    .set((eb) => ({
      ...columns,
      ...chosen,
      revision: eb('revision', '+', 1),
    }))
    .where('no', '=', region.no)
    .execute();
  await wakeProbes(tx, region.no);
  await recordActivity(work, {
    orgId: null,
    action: 'region.update',
    resource: { kind: 'region', id: slug, name: after.name },
    before,
    after: { ...after, ...chosen },
  });
}

/**
 * What the operator has chosen anew. A value that is the default at the moment is a choice, too, and stays when the default
 * changes; but not one that is sent back as it was read, with who decided it. Only `local` has a default for private targets.
 */
function choicesOf(
  region: Selectable<DB['regions']>,
  body: RegionUpdate,
  before: { allow_private_targets: boolean; keep_private_responses: boolean },
) {
  const { allow_private_targets: targets, keep_private_responses: responses } = body;
  const isSaid = (by: unknown) => by === undefined || by === 'operator';
  const isTargets =
    targets != null &&
    targets !== region.private_targets_choice &&
    (targets !== before.allow_private_targets ||
      (region.slug === LOCAL_REGION && !region.private_targets_fixed && isSaid(body.private_targets_by)));
  const isResponses =
    responses != null &&
    responses !== region.private_responses_choice &&
    (responses !== before.keep_private_responses || isSaid(body.private_responses_by));
  return {
    ...(isTargets ? { private_targets_choice: targets } : {}),
    ...(isResponses ? { private_responses_choice: responses } : {}),
  };
}

async function keepsPrivate(tx: Tx, no: number): Promise<boolean> {
  const { rows } = await sql<{ keeps: boolean }>`
    SELECT ${keepsPrivateResponses} AS keeps FROM regions r WHERE r.no = ${no}`.execute(tx);
  return rows[0]?.keeps ?? false;
}

/** Refuses a change that the environment would undo at the next start. */
function refuseFixed(
  region: { allow_private_targets: boolean; private_targets_fixed: boolean },
  { allow_private_targets: given }: RegionUpdate,
): void {
  if (region.private_targets_fixed && given != null && given !== region.allow_private_targets)
    refuse(
      'invalid_request',
      'allow_private_targets of this region is decided by the environment variable ALLOW_PRIVATE_TARGETS; change it there, or unset it and restart.',
      { field: 'allow_private_targets' },
    );
}
