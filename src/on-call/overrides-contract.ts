// Browser-safe. Shifts that people take over (docs/rules/on-call-and-alarms.md#overrides).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Id, operation, UnixSeconds } from '../platform/contract.ts';

const Shared = { tag: 'On-call', resource: 'organization', params: OrganizationParams } as const;

export const Override = Type.Object({
  id: Type.String(),
  user_id: Type.String(),
  name: Type.String(),
  starts_at_unix: UnixSeconds(),
  ends_at_unix: UnixSeconds(),
  created_at_unix: UnixSeconds(),
});
export type Override = Static<typeof Override>;

export const listOverrides = operation({
  ...Shared,
  id: 'listOnCallOverrides',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/overrides',
  summary: 'Shifts that people took over and that are not over yet, the first to begin first',
  right: 'member',
  scope: 'on-call:read',
  status: 200,
  reply: Type.Array(Override),
});

export const createOverride = operation({
  ...Shared,
  id: 'createOnCallOverride',
  method: 'POST',
  path: '/organizations/{org_id}/on-call/overrides',
  summary:
    'Put a person on duty for a time, whoever’s turn it is; any member for themselves, admins for others',
  right: 'member',
  scope: 'on-call:write',
  capability: 'on_call',
  body: Type.Object({ user_id: Id, starts_at_unix: UnixSeconds(), ends_at_unix: UnixSeconds() }, closed),
  status: 201,
  reply: Override,
});

export const deleteOverride = operation({
  tag: 'On-call',
  resource: 'organization',
  params: Type.Object({ org_id: Type.String(), override_id: Type.String() }),
  id: 'deleteOnCallOverride',
  method: 'DELETE',
  path: '/organizations/{org_id}/on-call/overrides/{override_id}',
  summary: 'Delete an override; people their own, admins any',
  right: 'member',
  scope: 'on-call:write',
  status: 204,
  refusals: [404],
});
