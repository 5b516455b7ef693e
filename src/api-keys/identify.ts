import { sql } from 'kysely';
import type { Caller } from '../platform/http/caller.ts';
import { hashToken } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import { isKeyShaped } from './format.ts';

/** `last_used_at` is exact to this: a busy key costs one write a minute, not one a request. */
const USE_NOTED_EVERY_SECONDS = 60;

/**
 * The key behind a Bearer credential at `now`; null when it is malformed (no look-up then), unknown, revoked or run
 * out. Never cached, so that a revoked key is void at once on every server.
 */
export async function identifyKey(
  db: Database,
  authorization: string | undefined,
  now: Date,
): Promise<Caller | null> {
  const key = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (!key || !isKeyShaped(key)) return null;
  const row = await db
    .selectFrom('api_keys')
    .select(['id', 'org_id', 'name', 'scopes', 'project_ids', 'monitor_ids', 'expires_at', 'last_used_at'])
    .where('hash', '=', hashToken(key))
    .executeTakeFirst();
  if (!row || (row.expires_at && row.expires_at <= now)) return null;
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() >= USE_NOTED_EVERY_SECONDS * 1000)
    await noteUse(db, row.id, now);
  const isNarrowed = row.project_ids !== null || row.monitor_ids !== null;
  return {
    kind: 'key',
    keyId: row.id,
    name: row.name,
    orgId: row.org_id,
    scopes: row.scopes,
    within: isNarrowed ? { projectIds: row.project_ids ?? [], monitorIds: row.monitor_ids ?? [] } : null,
  };
}

/** One of many requests in a minute writes; the others find the row locked or up to date. */
async function noteUse(db: Database, id: string, now: Date): Promise<void> {
  await sql`
    UPDATE api_keys SET last_used_at = ${now}
    WHERE id = (
      SELECT id FROM api_keys
      WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${now}::timestamptz - make_interval(secs => ${USE_NOTED_EVERY_SECONDS}))
      FOR UPDATE SKIP LOCKED
    )`.execute(db);
}
