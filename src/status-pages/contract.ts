// Browser-safe. Status pages: creating, archiving, and linking incidents to them (docs/rules/access.md#status-pages).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation } from '../platform/contract.ts';

export const StatusPage = Type.Object({
  id: Type.String(),
  organization_id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  description: Nullable(Type.String()),
  headline: Nullable(Type.String()),
  enabled: Type.Boolean(),
  public_viewable: Type.Boolean(),
  password_protected: Type.Boolean(),
  shared_password_protected: Type.Boolean(),
  shared_password_set: Type.Boolean(),
  hide_platform_brand: Type.Boolean(),
  collapsed_groups: Type.Array(Type.String()),
  header_nav: Type.Array(Type.Object({ label: Type.String(), href: Type.String() })),
});
export type StatusPage = Static<typeof StatusPage>;

export const listStatusPages = operation({
  id: 'listStatusPages',
  method: 'GET',
  path: '/organizations/{org_id}/status-pages',
  summary: 'Status pages of an organization',
  tag: 'Status pages',
  right: 'member',
  resource: 'organization',
  scope: 'status-pages:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  status: 200,
  reply: Type.Array(StatusPage),
});

export const createStatusPage = operation({
  id: 'createStatusPage',
  method: 'POST',
  path: '/organizations/{org_id}/status-pages',
  summary: 'Create a status page as a draft',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'organization',
  scope: 'status-pages:write',
  params: OrganizationParams,
  body: Type.Object(
    {
      name: Type.String({ maxLength: 200 }),
      slug: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    },
    closed,
  ),
  status: 201,
  reply: StatusPage,
  refusals: [409],
});

export const archiveStatusPage = operation({
  id: 'archiveStatusPage',
  method: 'DELETE',
  path: '/status-pages/{id}',
  summary: 'Archive a status page: it goes offline at once, and its slug is free again',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: Type.Object({ id: Type.String() }),
  status: 204,
});
