import type { Database, Tx } from '../platform/work.ts';

/** Members who take shifts: their user ids by the address, in lower case, that the list of members shows. */
export async function membersByAddress(db: Database | Tx, orgId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.email'])
    .where('members.org_id', '=', orgId)
    .where('members.role', '<>', 'viewer')
    .execute();
  return new Map(rows.map(({ id, email }) => [email.toLowerCase(), id]));
}
