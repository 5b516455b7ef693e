import type { PageLanguage } from '../domain/names.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import { notFound } from '../platform/refusals.ts';
import * as contract from './contract.ts';
import { type CreateOptions, createOrganization } from './create.ts';
import { deleteOrganization } from './delete.ts';
import { updateOrganization } from './update.ts';

const shown = <Row extends { language: string }>(row: Row) => ({
  ...row,
  language: row.language as PageLanguage,
});

/** Organizations: those of the caller, and one by its id. */
export function organizationRoutes(options: CreateOptions): Route[] {
  return [
    read(contract.listMyOrganizations, async ({ db, caller }) => {
      if (caller?.kind === 'key') {
        const own = db.selectFrom('organizations').select(['id', 'name', 'slug', 'language']);
        return (await own.where('id', '=', caller.orgId).execute()).map((row) => ({
          ...shown(row),
          role: null,
        }));
      }
      if (caller?.kind !== 'user') return [];
      const rows = await db
        .selectFrom('organizations')
        .innerJoin('members', 'members.org_id', 'organizations.id')
        .select([
          'organizations.id',
          'organizations.name',
          'organizations.slug',
          'organizations.language',
          'members.role',
        ])
        .where('members.user_id', '=', caller.userId)
        .orderBy('organizations.name')
        .orderBy('organizations.id')
        .execute();
      return rows.map(shown);
    }),
    write(contract.createOrganization, async ({ caller, body }, work) => {
      if (caller?.kind !== 'user') return notFound('user');
      return createOrganization(work, caller.userId, body.name, options);
    }),
    write(contract.renameOrganization, ({ resource, body, role }, work) =>
      updateOrganization(work, resource.orgId, body, role),
    ),
    write(contract.deleteOrganization, async ({ resource }, work) => {
      await deleteOrganization(work, resource.orgId);
      return undefined;
    }),
  ];
}
