// Browser-safe. The activity log (docs/rules/access.md#activity-log).
import { type Static, Type } from 'typebox';
import { closed, Nullable, operation, pageFields, UnixSeconds } from '../platform/contract.ts';

export const ACTOR_KINDS = ['user', 'key', 'agent', 'system', 'operator'] as const;

export const ActivityEntry = Type.Object({
  id: Type.String(),
  at_unix: UnixSeconds(),
  actor: Type.Object({
    kind: Type.String(),
    id: Nullable(Type.String()),
    name: Nullable(Type.String()),
  }),
  action: Type.String({ description: 'noun.verb, e.g. monitor.create' }),
  resource: Type.Object({
    kind: Type.String(),
    id: Type.String(),
    name: Nullable(Type.String()),
    monitor_name: Nullable(
      Type.String({ description: 'of an incident: its monitor, as it is named now; null without one' }),
    ),
  }),
  address: Nullable(Type.String()),
  before: Type.Unknown({ description: 'the resource before, secrets masked; null where there was none' }),
  after: Type.Unknown({ description: 'the resource after, secrets masked; null where there is none' }),
});
export type ActivityEntry = Static<typeof ActivityEntry>;

const Text = Type.String({ maxLength: 200 });

const FILTERS = {
  actor_kind: Type.Optional(Type.Enum([...ACTOR_KINDS])),
  actor_id: Type.Optional(Text),
  action: Type.Optional(
    Type.String({ maxLength: 200, description: 'monitor.create, or monitor for all of them' }),
  ),
  resource_kind: Type.Optional(Text),
  resource_id: Type.Optional(Text),
  from_unix: Type.Optional(UnixSeconds()),
  to_unix: Type.Optional(UnixSeconds({ description: 'exclusive' })),
};

export const listActivity = operation({
  id: 'listActivity',
  method: 'GET',
  path: '/organizations/{org_id}/activity',
  summary: 'Who changed what in an organization, newest first',
  tag: 'Activity',
  right: 'admin',
  resource: 'organization',
  scope: 'organization:read',
  narrowed: 'filtered',
  params: Type.Object({ org_id: Type.String() }),
  query: Type.Object(
    {
      ...FILTERS,
      ...pageFields('an activity id'),
    },
    closed,
  ),
  status: 200,
  reply: Type.Array(ActivityEntry),
});

export const getActivityTable = operation({
  id: 'getActivityTable',
  method: 'GET',
  path: '/organizations/{org_id}/activity.csv',
  summary: 'additive: the same as CSV, with the same filters, newest first',
  tag: 'Activity',
  right: 'admin',
  resource: 'organization',
  scope: 'organization:read',
  narrowed: 'filtered',
  params: Type.Object({ org_id: Type.String() }),
  query: Type.Object(FILTERS, closed),
  status: 200,
  produces: 'text/csv',
});
