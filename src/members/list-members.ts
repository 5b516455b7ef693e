import { sql } from 'kysely';
import type { Role } from '../domain/names.ts';
import type { Page } from '../platform/http/page.ts';
import { isId } from '../platform/ids.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { Member } from './contract.ts';

function selectMembers(db: Database | Tx, orgId: string) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'members.role',
      'members.joined_at',
      'users.two_factor_enabled',
    ])
    .where('members.org_id', '=', orgId);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>;

const showMember = (row: Row): Member & { role: Role } => ({
  user_id: row.id,
  name: row.name,
  email: row.email,
  role: row.role as Role,
  joined_at_unix: unix(row.joined_at),
  two_factor_enabled: row.two_factor_enabled,
});

/** Members of an organization in the order they joined. */
export async function listMembers(db: Database, orgId: string, { limit, before }: Page): Promise<Member[]> {
  let query = selectMembers(db, orgId);
  if (before !== null) {
    const from = await query.where('users.id', '=', before).executeTakeFirst();
    if (!from) return notFound('member');
    query = query.where(sql<boolean>`(members.joined_at, users.id) > (${from.joined_at}, ${from.id})`);
  }
  const rows = await query.orderBy('members.joined_at').orderBy('users.id').limit(limit).execute();
  return rows.map(showMember);
}

/** One member of an organization; 404 for an unknown user and for one who is no member of it. */
export async function findMember(
  db: Database | Tx,
  orgId: string,
  userId: string,
): Promise<Member & { role: Role }> {
  if (!isId('usr', userId)) notFound('member');
  const row = await selectMembers(db, orgId).where('users.id', '=', userId).executeTakeFirst();
  return row ? showMember(row) : notFound('member');
}
