// Browser-safe. Clones of a monitor (docs/rules/monitor-types.md#clones).
import { type Static, Type } from 'typebox';
import { closed, Id, operation } from '#src/platform/contract.ts';
import { Monitor, MonitorParams } from '../contract.ts';

export const Clone = Type.Object(
  {
    name: Type.String({ maxLength: 1000 }),
    project_id: Type.Optional(Id),
    /** Absent: the same as the original. */
    enabled: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type Clone = Static<typeof Clone>;

export const cloneMonitor = operation({
  id: 'cloneMonitor',
  method: 'POST',
  path: '/monitors/{monitor_id}/clone',
  summary: 'Create a monitor with all settings of another one, its secrets among them',
  tag: 'Monitors',
  right: 'project_management',
  resource: 'monitor',
  scope: 'monitors:write',
  params: MonitorParams,
  body: Clone,
  status: 201,
  reply: Monitor,
  refusals: [402],
});
