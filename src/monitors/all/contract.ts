// Browser-safe. The monitors of all projects of an organization: one list, and changes of many at once
// (docs/rules/monitor-types.md#monitors-of-all-projects).
import { type Static, Type } from 'typebox';
import { MONITOR_STATES, MONITOR_TYPES } from '#src/domain/names.ts';
import { OrganizationParams } from '#src/organizations/contract.ts';
import { closed, Id, Nullable, operation, pageFields } from '#src/platform/contract.ts';
import { Monitor } from '../contract.ts';

/** A monitor without the fields that only its own page needs. */
export const ListedMonitor = Type.Object({
  ...Type.Pick(Monitor, [
    'id',
    'name',
    'project_id',
    'type',
    'enabled',
    'interval_seconds',
    'regions',
    'last_status',
    'last_status_since_unix',
    'confirming',
    'no_data_since_unix',
    'cannot_check',
    'in_maintenance_until_unix',
    'severity',
    'tags',
    'example',
  ]).properties,
  state: Type.Enum([...MONITOR_STATES], {
    description: 'last_status, or why there is none: paused, pending, no_data, cannot_check',
  }),
  target: Nullable(
    Type.String({
      description: 'URL without its query, or host with port; null for types that have neither',
    }),
  ),
});
export type ListedMonitor = Static<typeof ListedMonitor>;

export const SORTS = ['newest', 'name'] as const;

export const listAllMonitors = operation({
  id: 'listAllMonitors',
  method: 'GET',
  path: '/organizations/{org_id}/monitors',
  summary: 'Monitors of all projects of an organization, in short',
  tag: 'Monitors',
  right: 'member',
  resource: 'organization',
  scope: 'monitors:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: Type.Object(
    {
      ...pageFields('a monitor id'),
      project_id: Type.Optional(Type.String({ maxLength: 200 })),
      type: Type.Optional(Type.Enum([...MONITOR_TYPES])),
      state: Type.Optional(Type.Enum([...MONITOR_STATES])),
      tag: Type.Optional(Type.String({ maxLength: 200, description: 'monitors that have this tag' })),
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'words that all stand in the name, the target or a tag; in any order and case',
        }),
      ),
      sort: Type.Optional(Type.Enum([...SORTS], { description: 'newest (default) or name' })),
    },
    closed,
  ),
  status: 200,
  reply: Type.Array(ListedMonitor),
});

/** The most monitors that one request changes: each takes a few milliseconds, and other writes of the organization wait. */
export const MAX_CHANGED = 200;

export const BULK_ACTIONS = [
  'pause',
  'resume',
  'delete',
  'add_tags',
  'remove_tags',
  'set_profile',
  'move',
] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export const ManyMonitors = Type.Object(
  {
    monitor_ids: Type.Array(Id, { minItems: 1, maxItems: MAX_CHANGED }),
    action: Type.Enum([...BULK_ACTIONS]),
    /** For add_tags and remove_tags. */
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { minItems: 1, maxItems: 100 })),
    /** For set_profile; null: none. */
    alert_profile_id: Type.Optional(Nullable(Id)),
    /** For move. */
    project_id: Type.Optional(Id),
  },
  closed,
);
export type ManyMonitors = Static<typeof ManyMonitors>;

export const MonitorAnswer = Type.Object({
  monitor_id: Type.String(),
  done: Type.Boolean(),
  /** The refusal; null if it was changed. */
  refusal: Nullable(
    Type.Object({
      error: Type.String(),
      message: Type.String(),
      field: Type.Optional(Type.String()),
    }),
  ),
});
export type MonitorAnswer = Static<typeof MonitorAnswer>;

export const changeMonitors = operation({
  id: 'changeMonitors',
  method: 'POST',
  path: '/organizations/{org_id}/monitors/bulk',
  summary: 'Change many monitors in one transaction; each has an answer of its own, in the order asked',
  tag: 'Monitors',
  right: 'project_management',
  resource: 'organization',
  scope: 'monitors:write',
  narrowed: 'filtered',
  params: OrganizationParams,
  body: ManyMonitors,
  status: 200,
  reply: Type.Array(MonitorAnswer),
});
