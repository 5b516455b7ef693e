import { type Route, read, write } from '../platform/http/mount.ts';
import { notFound } from '../platform/refusals.ts';
import { createOrganization as create, listMyOrganizations } from './contract.ts';
import { type CreateOptions, createOrganization } from './create.ts';

/** Organizations of the caller. */
export function organizationRoutes(options: CreateOptions): Route[] {
  return [
    read(listMyOrganizations, async ({ db, caller }) => {
      if (caller?.kind !== 'user') return [];
      return db
        .selectFrom('organizations')
        .innerJoin('members', 'members.org_id', 'organizations.id')
        .select(['organizations.id', 'organizations.name', 'organizations.slug', 'members.role'])
        .where('members.user_id', '=', caller.userId)
        .orderBy('organizations.name')
        .orderBy('organizations.id')
        .execute();
    }),
    write(create, async ({ caller, body }, work) => {
      if (caller?.kind !== 'user') return notFound('user');
      return createOrganization(work, caller.userId, body.name, options);
    }),
  ];
}
