import { recordActivity } from '../activity/record.ts';
import { isId } from '../platform/ids.ts';
import { notFound } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { findKey } from './list.ts';

/** Revokes a key: its row is gone with this commit, and with it the key on every server. 404 for another organization's. */
export async function revokeKey(work: Work, orgId: string, keyId: string): Promise<void> {
  const { tx } = work;
  const before = isId('key', keyId) ? await findKey(tx, orgId, keyId) : null;
  if (!before) notFound('API key');
  // If two people revoke it at once, only one of them records it.
  const gone = await tx.deleteFrom('api_keys').where('id', '=', keyId).returning('id').executeTakeFirst();
  if (!gone) notFound('API key');
  await recordActivity(work, {
    orgId,
    action: 'api_key.revoke',
    resource: { kind: 'api_key', id: keyId, name: before.name },
    before,
  });
}

/** Revokes every key that a person made, in all organizations or in one; answers how many. */
export async function revokeKeysOf(work: Work, userId: string, orgId?: string): Promise<number> {
  const keys = await work.tx
    .selectFrom('api_keys')
    .select(['id', 'org_id'])
    .where('created_by_user_id', '=', userId)
    .$if(orgId !== undefined, (query) => query.where('org_id', '=', orgId ?? ''))
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, org_id } of keys) await revokeKey(work, org_id, id);
  return keys.length;
}
