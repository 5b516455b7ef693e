// Browser-safe. Saved views of the list of all monitors (docs/rules/monitor-types.md#saved-views).
import { type Static, Type } from 'typebox';
import { MONITOR_STATES, MONITOR_TYPES } from '#src/domain/names.ts';
import { OrganizationParams } from '#src/organizations/contract.ts';
import { closed, operation, UnixSeconds } from '#src/platform/contract.ts';

export const VIEW_GROUPS = ['project', 'type', 'tag'] as const;
export const VIEW_SORTS = ['name'] as const;

/** The filters and the layout of the list; a project or a tag in them may have been deleted since. */
export const ViewSearch = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: 200 })),
    state: Type.Optional(Type.Enum([...MONITOR_STATES])),
    project: Type.Optional(Type.String({ maxLength: 200 })),
    type: Type.Optional(Type.Enum([...MONITOR_TYPES])),
    tag: Type.Optional(Type.String({ maxLength: 200 })),
    group: Type.Optional(Type.Enum([...VIEW_GROUPS])),
    sort: Type.Optional(Type.Enum([...VIEW_SORTS], { description: 'absent: trouble first, then by name' })),
  },
  closed,
);
export type ViewSearch = Static<typeof ViewSearch>;

export const MonitorView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  search: ViewSearch,
  shared: Type.Boolean({ description: 'true: of everybody in the organization; false: of the caller alone' }),
  created_at_unix: UnixSeconds(),
});
export type MonitorView = Static<typeof MonitorView>;

const Shared = { tag: 'Monitors', right: 'member', resource: 'organization' } as const;
const ViewParams = Type.Object({ org_id: Type.String(), view_id: Type.String() });
const Name = Type.String({ maxLength: 100 });

export const listMonitorViews = operation({
  ...Shared,
  id: 'listMonitorViews',
  method: 'GET',
  path: '/organizations/{org_id}/monitor-views',
  summary: 'Saved views of the list of monitors: the caller’s own and the shared ones, by name',
  params: OrganizationParams,
  status: 200,
  reply: Type.Array(MonitorView),
});

export const createMonitorView = operation({
  ...Shared,
  id: 'createMonitorView',
  method: 'POST',
  path: '/organizations/{org_id}/monitor-views',
  summary: 'Save a view of the list of monitors',
  params: OrganizationParams,
  body: Type.Object({ name: Name, search: ViewSearch, shared: Type.Optional(Type.Boolean()) }, closed),
  status: 201,
  reply: MonitorView,
  refusals: [409],
});

export const updateMonitorView = operation({
  ...Shared,
  id: 'updateMonitorView',
  method: 'PATCH',
  path: '/organizations/{org_id}/monitor-views/{view_id}',
  summary: 'Change a saved view; omitted fields keep their value',
  params: ViewParams,
  body: Type.Object(
    {
      name: Type.Optional(Name),
      search: Type.Optional(ViewSearch),
      shared: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  status: 200,
  reply: MonitorView,
  refusals: [409],
});

export const deleteMonitorView = operation({
  ...Shared,
  id: 'deleteMonitorView',
  method: 'DELETE',
  path: '/organizations/{org_id}/monitor-views/{view_id}',
  summary: 'Delete a saved view',
  params: ViewParams,
  status: 204,
});
