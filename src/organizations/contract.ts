// Browser-safe. Organizations (docs/rules/access.md#organizations).
import { type Static, Type } from 'typebox';
import { PAGE_LANGUAGES } from '../domain/names.ts';
import { closed, Nullable, operation } from '../platform/contract.ts';

export const OrganizationParams = Type.Object({ org_id: Type.String() });

const Language = Type.Enum([...PAGE_LANGUAGES], {
  description: 'additive: of its chat messages, and of mails and pushes to people who chose none',
});

export const Organization = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  language: Language,
});
export type Organization = Static<typeof Organization>;

/** An organization as one of its members sees it; a key has no role. */
export const MyOrganization = Type.Object({ ...Organization.properties, role: Nullable(Type.String()) });

export const listMyOrganizations = operation({
  id: 'listMyOrganizations',
  method: 'GET',
  path: '/me/organizations',
  summary: 'Organizations the caller belongs to',
  tag: 'Organizations',
  right: 'signed_in',
  resource: 'none',
  scope: 'organization:read',
  status: 200,
  reply: Type.Array(MyOrganization),
});

export const createOrganization = operation({
  id: 'createOrganization',
  method: 'POST',
  path: '/organizations',
  summary: 'Create an organization; the caller becomes its owner',
  tag: 'Organizations',
  right: 'signed_in',
  resource: 'none',
  body: Type.Object({ name: Type.String({ maxLength: 200 }) }, closed),
  status: 200,
  reply: Organization,
  refusals: [409],
});

export const renameOrganization = operation({
  id: 'renameOrganization',
  method: 'PATCH',
  path: '/organizations/{org_id}',
  summary: 'Rename an organization, or change its language; its slug stays',
  tag: 'Organizations',
  right: 'admin',
  resource: 'organization',
  scope: 'organization:write',
  params: OrganizationParams,
  body: Type.Object(
    {
      name: Type.Optional(Type.String({ maxLength: 200 })),
      language: Type.Optional(Language),
      // Read-only: accepted with the value they have, so that what was read can be sent back.
      id: Type.Optional(Type.String()),
      slug: Type.Optional(Type.String()),
      role: Type.Optional(Nullable(Type.String())),
    },
    closed,
  ),
  status: 200,
  reply: Organization,
});

export const deleteOrganization = operation({
  id: 'deleteOrganization',
  fresh: true,
  method: 'DELETE',
  path: '/organizations/{org_id}',
  summary: 'Delete an organization for good, with everything it owns',
  tag: 'Organizations',
  right: 'owner',
  resource: 'organization',
  params: OrganizationParams,
  status: 204,
});
