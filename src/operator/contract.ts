// Browser-safe. What the operator of the installation does with organizations (docs/rules/access.md#operator).
import { type Static, Type } from 'typebox';
import { Organization, OrganizationParams } from '../organizations/contract.ts';
import { Plan } from '../plans/contract.ts';
import { closed, operation, PageQuery, UnixSeconds } from '../platform/contract.ts';

export const AdministeredOrganization = Type.Object({
  ...Organization.properties,
  plan: Type.String(),
  created_at_unix: UnixSeconds(),
  members: Type.Integer(),
  monitors: Type.Integer(),
});
export type AdministeredOrganization = Static<typeof AdministeredOrganization>;

export const listAllOrganizations = operation({
  id: 'listAllOrganizations',
  method: 'GET',
  path: '/admin/organizations',
  summary: 'Every organization of the installation, newest first',
  tag: 'Operator',
  right: 'operator',
  resource: 'none',
  query: PageQuery('an organization id'),
  status: 200,
  reply: Type.Array(AdministeredOrganization),
  refusals: [404],
});

export const setOrganizationPlan = operation({
  id: 'setOrganizationPlan',
  fresh: true,
  method: 'PATCH',
  path: '/admin/organizations/{org_id}',
  summary: 'Set the plan of an organization; nothing is deleted when it shrinks',
  tag: 'Operator',
  right: 'operator',
  resource: 'organization',
  params: OrganizationParams,
  body: Type.Object(
    {
      plan: Type.String({ maxLength: 64 }),
      // Read-only: accepted with the value they have, so that what was read can be sent back.
      id: Type.Optional(Type.Unknown()),
      name: Type.Optional(Type.Unknown()),
      slug: Type.Optional(Type.Unknown()),
      language: Type.Optional(Type.Unknown()),
      created_at_unix: Type.Optional(Type.Unknown()),
      members: Type.Optional(Type.Unknown()),
      monitors: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
  status: 200,
  reply: AdministeredOrganization,
});

export const listPlans = operation({
  id: 'listPlans',
  method: 'GET',
  path: '/admin/plans',
  summary: 'The plans of the installation',
  tag: 'Operator',
  right: 'operator',
  resource: 'none',
  status: 200,
  reply: Type.Array(Plan),
});
