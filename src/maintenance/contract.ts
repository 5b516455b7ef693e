// Browser-safe. Maintenance windows (docs/rules/confirmation.md#maintenance-windows).
import { type Static, Type } from 'typebox';
import { MAINTENANCE_SCOPES, MAINTENANCE_STATES } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import {
  closed,
  Id,
  LARGE_BODY_LIMIT,
  Nullable,
  operation,
  pageFields,
  UnixSeconds,
} from '../platform/contract.ts';

/** How a window comes again; the clock on the wall in `timezone` decides. */
export const Repeat = Type.Object(
  {
    rrule: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'RRULE of RFC 5545, FREQ from DAILY to YEARLY',
    }),
    timezone: Type.String({ maxLength: 100, description: 'IANA time zone' }),
    until_unix: Type.Optional(
      Nullable(UnixSeconds({ description: 'no window begins after this; null: without an end' })),
    ),
  },
  closed,
);
export type Repeat = Static<typeof Repeat>;

export const MaintenanceWindow = Type.Object({
  id: Type.String(),
  title: Type.String(),
  body: Type.String(),
  scheduled_start: UnixSeconds(),
  scheduled_end: UnixSeconds(),
  public_visible: Type.Boolean(),
  cancelled: Type.Boolean(),
  series_id: Nullable(Type.String({ description: 'shared by the windows of one repetition' })),
  repeat: Nullable(Repeat),
  monitors: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      by_tag: Type.Boolean({ description: 'additive: it is in because it has one of the tags' }),
    }),
  ),
  tags: Type.Array(Type.String(), {
    description:
      'additive: monitors that have one of these are in, also those that get it before the window ends',
  }),
});
export type MaintenanceWindow = Static<typeof MaintenanceWindow>;

const WindowParams = Type.Object({ org_id: Type.String(), window_id: Type.String() });
const Title = Type.String({ maxLength: 200 });
const Body = Type.String({ maxLength: 20_000 });
const MonitorIds = Type.Array(Id, { maxItems: 1000 });
const Tags = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 });

export const listMaintenance = operation({
  id: 'listMaintenanceWindows',
  method: 'GET',
  path: '/organizations/{org_id}/maintenance-windows',
  summary: 'Maintenance windows, the latest start first',
  tag: 'Maintenance',
  right: 'member',
  resource: 'organization',
  scope: 'maintenance:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: Type.Object(
    {
      state: Type.Optional(Type.Enum([...MAINTENANCE_STATES])),
      ...pageFields('a maintenance window id'),
    },
    closed,
  ),
  status: 200,
  reply: Type.Array(MaintenanceWindow),
});

export const createMaintenance = operation({
  id: 'createMaintenanceWindow',
  method: 'POST',
  path: '/organizations/{org_id}/maintenance-windows',
  summary: 'Plan maintenance; ids of other organizations’ monitors are ignored',
  tag: 'Maintenance',
  right: 'project_management',
  resource: 'organization',
  scope: 'maintenance:write',
  narrowed: 'filtered',
  params: OrganizationParams,
  body: Type.Object(
    {
      title: Title,
      body: Type.Optional(Nullable(Body)),
      scheduled_start: UnixSeconds(),
      scheduled_end: UnixSeconds(),
      monitors: Type.Optional(Nullable(MonitorIds)),
      tags: Type.Optional(Nullable(Tags)),
      public_visible: Type.Optional(Nullable(Type.Boolean())),
      repeat: Type.Optional(Nullable(Repeat)),
    },
    closed,
  ),
  status: 201,
  reply: MaintenanceWindow,
  refusals: [409],
});

const OfOne = {
  tag: 'Maintenance',
  right: 'project_management',
  resource: 'organization',
  scope: 'maintenance:write',
  narrowed: 'filtered',
  params: WindowParams,
  query: Type.Object(
    {
      scope: Type.Optional(
        Type.Enum([...MAINTENANCE_SCOPES], {
          description:
            'of a repeated window: this one (default), this and the following ones, or all; a window that is not repeated is always alone',
        }),
      ),
    },
    closed,
  ),
} as const;

export const updateMaintenance = operation({
  ...OfOne,
  id: 'updateMaintenanceWindow',
  bodyLimit: LARGE_BODY_LIMIT,
  method: 'PATCH',
  path: '/organizations/{org_id}/maintenance-windows/{window_id}',
  summary: 'Change a maintenance window; omitted fields keep their value',
  body: Type.Object(
    {
      title: Type.Optional(Nullable(Title)),
      body: Type.Optional(Nullable(Body)),
      scheduled_start: Type.Optional(Nullable(UnixSeconds())),
      scheduled_end: Type.Optional(Nullable(UnixSeconds())),
      // Ids, or objects as in the reply, so that a client can send back what it read.
      monitors: Type.Optional(
        Nullable(
          Type.Array(
            Type.Union([
              Id,
              Type.Object(
                { id: Id, name: Type.Optional(Type.String()), by_tag: Type.Optional(Type.Boolean()) },
                closed,
              ),
            ]),
            { maxItems: 10_000 },
          ),
        ),
      ),
      tags: Type.Optional(Nullable(Tags)),
      public_visible: Type.Optional(Nullable(Type.Boolean())),
      repeat: Type.Optional(Nullable(Repeat)),
      // Read-only: accepted with the value they have.
      id: Type.Optional(Type.Unknown()),
      cancelled: Type.Optional(Type.Unknown()),
      series_id: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
  status: 200,
  reply: MaintenanceWindow,
  refusals: [409],
});

export const deleteMaintenance = operation({
  ...OfOne,
  id: 'deleteMaintenanceWindow',
  method: 'DELETE',
  path: '/organizations/{org_id}/maintenance-windows/{window_id}',
  summary: 'Delete a maintenance window as if it had never existed; figures are computed again',
  status: 204,
});

export const cancelMaintenance = operation({
  ...OfOne,
  id: 'cancelMaintenanceWindow',
  method: 'POST',
  path: '/organizations/{org_id}/maintenance-windows/{window_id}/cancel',
  summary: 'Cancel a maintenance window: suppression ends at once; idempotent',
  status: 200,
  reply: MaintenanceWindow,
});
