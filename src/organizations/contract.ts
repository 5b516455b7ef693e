// Browser-safe. Organizations (interface, sections 2 and 4).
import { type Static, Type } from 'typebox';
import { operation } from '../platform/contract.ts';

const closed = { additionalProperties: false } as const;

export const OrganizationParams = Type.Object({ org_id: Type.String() });

export const Organization = Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() });
export type Organization = Static<typeof Organization>;

/** An organization as one of its members sees it. */
export const MyOrganization = Type.Object({ ...Organization.properties, role: Type.String() });

export const listMyOrganizations = operation({
  id: 'listMyOrganizations',
  method: 'GET',
  path: '/me/organizations',
  summary: 'Organizations the caller belongs to',
  tag: 'Organizations',
  right: 'signed_in',
  subject: 'none',
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
  subject: 'none',
  body: Type.Object({ name: Type.String({ maxLength: 200 }) }, closed),
  status: 200,
  reply: Organization,
  refusals: [409],
});
