// Organizations as the operator of the installation sees them: names and sizes, no contents.
import { sql } from 'kysely';
import type { PageLanguage } from '../domain/names.ts';
import type { Page } from '../platform/http/page.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { AdministeredOrganization } from './contract.ts';

/** Every organization, newest first; `before` is the id of one, 404 when there is no such organization. */
export async function listAdministered(
  db: Database,
  { limit, before }: Page,
): Promise<AdministeredOrganization[]> {
  let query = administered(db).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
  if (before !== null) {
    const from = await db
      .selectFrom('organizations')
      .select(['created_at', 'id'])
      .where('id', '=', before)
      .executeTakeFirst();
    if (!from) return notFound('organization');
    query = query.where(sql<boolean>`(created_at, id) < (${from.created_at}, ${from.id})`);
  }
  return (await query.execute()).map(show);
}

/** One of them; 404 when unknown. */
export async function getAdministered(db: Database | Tx, orgId: string): Promise<AdministeredOrganization> {
  const row = await administered(db).where('id', '=', orgId).executeTakeFirst();
  return row ? show(row) : notFound('organization');
}

function administered(db: Database | Tx) {
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'slug', 'language', 'plan', 'created_at'])
    .select([
      sql<number>`(SELECT count(*) FROM members WHERE org_id = organizations.id)::int`.as('members'),
      sql<number>`(SELECT count(*) FROM monitors WHERE org_id = organizations.id)::int`.as('monitors'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof administered>['executeTakeFirstOrThrow']>>;

function show({ created_at, ...row }: Row): AdministeredOrganization {
  return { ...row, language: row.language as PageLanguage, created_at_unix: unix(created_at) };
}
