// Browser-safe. Single checks, and how each region sees a monitor (docs/rules/figures.md#check-records).
import { type Static, Type } from 'typebox';
import { ResponseExcerpt } from '../capsules/response-contract.ts';
import { MonitorParams } from '../monitors/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';
import { Timings } from '../probe-protocol/contract.ts';
import { ProjectParams } from '../projects/contract.ts';

export const CheckRecord = Type.Object({
  id: Type.String(),
  monitor_id: Type.String(),
  region: Type.String(),
  checked_at_unix: UnixSeconds(),
  status: Type.String(),
  latency_ms: Type.Optional(Nullable(Type.Integer())),
  response_code: Type.Optional(Nullable(Type.Integer())),
  failure_class: Type.Optional(Nullable(Type.String())),
  cause_layer: Type.Optional(Nullable(Type.String())),
  detail: Type.Optional(Nullable(Type.String())),
  metric_value: Type.Optional(Nullable(Type.Number())),
  timings_ms: Type.Optional(Timings),
  in_maintenance: Type.Boolean(),
  discarded: Type.Boolean(),
  response_excerpt: Type.Optional(
    // Additive: kept for 7 days, credentials masked; null: nothing was kept, or the key has no monitors:write.
    Nullable(ResponseExcerpt),
  ),
});
export type CheckRecord = Static<typeof CheckRecord>;

export const listChecks = operation({
  id: 'listChecks',
  method: 'GET',
  path: '/monitors/{monitor_id}/checks',
  summary: 'Recent checks of a monitor, newest first',
  tag: 'Checks',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  query: Type.Object(
    {
      region: Type.Optional(Type.String({ maxLength: 64 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      before: Type.Optional(
        Type.String({
          pattern: '^([0-9]{1,12}|chk_[0-9a-z]{1,8}-[0-9a-z]{1,4}-[0-9a-z]{1,10})$',
          description:
            'only checks before this Unix second, or that follow the check with this id in the list',
        }),
      ),
      responses: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'false: without response_excerpt, for a short list' }),
      ),
    },
    closed,
  ),
  status: 200,
  reply: Type.Array(CheckRecord),
});

export const getCheck = operation({
  id: 'getCheck',
  method: 'GET',
  path: '/monitors/{monitor_id}/checks/{check_id}',
  summary: 'One check of a monitor, with what its target answered',
  tag: 'Checks',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:read',
  params: Type.Object({ ...MonitorParams.properties, check_id: Type.String({ maxLength: 200 }) }),
  status: 200,
  reply: CheckRecord,
});

export const listRecentChecks = operation({
  id: 'listRecentChecks',
  method: 'GET',
  path: '/projects/{project_id}/recent-checks',
  summary:
    'The last checks of every monitor of a project, newest first: what a list of monitors shows beside each name',
  tag: 'Checks',
  right: 'member',
  resource: 'project',
  scope: 'monitors:read',
  params: ProjectParams,
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }, closed),
  status: 200,
  reply: Type.Array(
    Type.Object({
      monitor_id: Type.String(),
      checks: Type.Array(
        Type.Object({
          checked_at_unix: UnixSeconds(),
          region: Type.String(),
          status: Type.String(),
          latency_ms: Nullable(Type.Integer()),
          cause_layer: Nullable(Type.String()),
        }),
      ),
    }),
  ),
});

/** How one region sees a monitor. */
export const RegionStatus = Type.Object({
  region: Type.String({ description: 'slug; "" for a type without regions' }),
  name: Type.String(),
  online: Type.Boolean({ description: 'one of its probes was heard from within 30 s' }),
  reporting: Type.Boolean({
    description: 'it is online and its last result is younger than 3 × the interval plus the timeout',
  }),
  condition: Type.Enum(['recovered', 'failing', 'unknown'], {
    description: 'failing after alarm_consecutive failing results in a row; unknown before the first result',
  }),
  failures_in_a_row: Type.Integer(),
  recovering: Nullable(
    Type.Object(
      { passes: Type.Integer(), required: Type.Integer() },
      {
        description:
          'additive: passing results in a row since a failing region last failed, and how many it needs to recover; null unless it is failing and its newest result passed',
      },
    ),
  ),
  last_check: Nullable(CheckRecord),
});
export type RegionStatus = Static<typeof RegionStatus>;

export const listRegionStatuses = operation({
  id: 'listRegionStatuses',
  method: 'GET',
  path: '/monitors/{monitor_id}/regions',
  summary: 'How each region sees a monitor, in the order of its regions',
  tag: 'Monitors',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  status: 200,
  reply: Type.Array(RegionStatus),
});
