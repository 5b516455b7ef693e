// API keys as people see them: never the key itself, of which only a hash is kept.
import { sql } from 'kysely';
import type { Page } from '../platform/http/page.ts';
import { notFound } from '../platform/refusals.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { ApiKey } from './contract.ts';

function selectKeys(db: Database | Tx) {
  return db
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.created_by_user_id')
    .leftJoin('members', (on) =>
      on
        .onRef('members.user_id', '=', 'api_keys.created_by_user_id')
        .onRef('members.org_id', '=', 'api_keys.org_id'),
    )
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.prefix',
      'api_keys.scopes',
      'api_keys.project_ids',
      'api_keys.monitor_ids',
      'api_keys.created_at',
      'api_keys.expires_at',
      'api_keys.last_used_at',
      'api_keys.created_by_user_id',
      'users.name as created_by_name',
      'members.user_id as member_id',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>;

function showKey(row: Row): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    project_ids: row.project_ids,
    monitor_ids: row.monitor_ids,
    created_at_unix: unix(row.created_at),
    created_by_name: row.created_by_name,
    created_by_user_id: row.created_by_user_id,
    created_by_gone: row.member_id === null,
    expires_at_unix: unixOrNull(row.expires_at),
    last_used_at_unix: unixOrNull(row.last_used_at),
  };
}

/** Keys of an organization, newest first; those that have run out are listed until they are revoked. */
export async function listKeys(db: Database, orgId: string, { limit, before }: Page): Promise<ApiKey[]> {
  let query = selectKeys(db).where('api_keys.org_id', '=', orgId);
  if (before !== null) {
    const from = await query.where('api_keys.id', '=', before).executeTakeFirst();
    if (!from) return notFound('API key');
    query = query.where(sql<boolean>`(api_keys.created_at, api_keys.id) < (${from.created_at}, ${from.id})`);
  }
  const rows = await query
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(showKey);
}

/** One key of an organization; null when unknown or another organization's. */
export async function findKey(db: Database | Tx, orgId: string, keyId: string): Promise<ApiKey | null> {
  const row = await selectKeys(db)
    .where('api_keys.org_id', '=', orgId)
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst();
  return row ? showKey(row) : null;
}
