import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { lockMember } from '../organizations/lock-member.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { BodyOf, ReplyOf } from '../platform/contract.ts';
import { newId } from '../platform/ids.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { refuseBeyond } from '../platform/refuse-beyond.ts';
import { hashToken } from '../platform/secrets.ts';
import type { Tx, Work } from '../platform/work.ts';
import type { createApiKey } from './contract.ts';
import { keyPrefix, makeKey } from './format.ts';
import { findKey } from './list.ts';

/**
 * Makes an API key of an organization (docs/rules/access.md#api-keys). The key itself is in this answer and never again.
 * Refuses `empty_name`, `limit_reached` for one more than MAX_KEYS, and with `invalid_request` projects and monitors of others and an expiry that is over.
 */
export async function createKey(
  work: Work,
  orgId: string,
  userId: string,
  body: BodyOf<typeof createApiKey>,
): Promise<ReplyOf<typeof createApiKey>> {
  const { tx, now } = work;
  const name = checkedName(body.name);
  const expiresAt = body.expires_at_unix == null ? null : new Date(body.expires_at_unix * 1000);
  if (expiresAt && expiresAt <= now)
    refuse('invalid_request', 'expires_at_unix must be in the future.', { field: 'expires_at_unix' });
  // The organization may have been deleted since the request was let in; this lock rules it out from here on.
  const { rows } = await sql`SELECT 1 FROM organizations WHERE id = ${orgId} FOR KEY SHARE`.execute(tx);
  if (rows.length === 0) notFound('organization');
  // A removal that revokes the keys of this person finds this one, or comes first.
  if (!(await lockMember(tx, orgId, userId))) notFound('organization');
  await refuseBeyond(tx, orgId, {
    table: 'api_keys',
    lock: 'api keys',
    max: MAX_KEYS,
    message: `This organization has ${MAX_KEYS} API keys, which is the maximum; revoke one that is not used any more.`,
  });
  const projectIds = await ownIds(tx, orgId, 'projects', body.project_ids);
  const monitorIds = await ownIds(tx, orgId, 'monitors', body.monitor_ids);

  const id = newId('key');
  const key = makeKey();
  await tx
    .insertInto('api_keys')
    .values({
      id,
      org_id: orgId,
      name,
      hash: hashToken(key),
      prefix: keyPrefix(key),
      scopes: [...new Set(body.scopes)],
      project_ids: projectIds,
      monitor_ids: monitorIds,
      created_by_user_id: userId,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  const shown = (await findKey(tx, orgId, id)) ?? notFound('API key');
  await recordActivity(work, {
    orgId,
    action: 'api_key.create',
    resource: { kind: 'api_key', id, name },
    after: shown,
  });
  return { ...shown, key };
}

/** Most keys of an organization. Each key has its own rate limit, so their number must be limited too. */
export const MAX_KEYS = 200;

/** The ids without repetition; null where the key is not narrowed by them. A foreign id and an unknown one read the same. */
async function ownIds(
  tx: Tx,
  orgId: string,
  table: 'projects' | 'monitors',
  given: readonly string[] | null | undefined,
): Promise<string[] | null> {
  if (given == null) return null;
  const ids = [...new Set(given)];
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)} WHERE org_id = ${orgId} AND id = ANY(${ids}::text[])`.execute(tx);
  const own = new Set(rows.map((row) => row.id));
  const foreign = ids.find((id) => !own.has(id));
  if (foreign === undefined) return ids;
  const [field, kind] = table === 'projects' ? ['project_ids', 'project'] : ['monitor_ids', 'monitor'];
  return refuse(
    'invalid_request',
    `${field} names ${JSON.stringify(foreign)}, which is no ${kind} of this organization.`,
    { field },
  );
}
