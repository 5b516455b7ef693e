// Browser-safe. What checks measured: records and time series (interface, section 2; decisions, sections 3 and 5).
import { type Static, Type } from 'typebox';
import { SERIES_RANGES } from '../domain/names.ts';
import { MonitorParams } from '../monitors/contract.ts';
import { Nullable, operation, UnixSeconds } from '../platform/contract.ts';
import { ProjectParams } from '../projects/contract.ts';
import { Timings } from './probe-contract.ts';

const closed = { additionalProperties: false } as const;

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
});
export type CheckRecord = Static<typeof CheckRecord>;

export const SeriesPoint = Type.Object({
  bucket_unix: UnixSeconds(),
  region: Nullable(Type.String()),
  up: Type.Integer(),
  down: Type.Integer(),
  degraded: Type.Integer(),
  avg_ms: Nullable(Type.Integer()),
  max_ms: Nullable(Type.Integer()),
});

export const Series = Type.Object({
  range: Type.String(),
  from_unix: UnixSeconds(),
  to_unix: UnixSeconds(),
  bucket_seconds: Type.Integer(),
  points: Type.Array(SeriesPoint),
  stats: Type.Object({
    checks: Type.Integer(),
    uptime_pct: Nullable(Type.Number()),
    avg_ms: Nullable(Type.Integer()),
    p95_ms: Nullable(Type.Integer()),
    coverage_pct: Nullable(Type.Number({ description: 'share of the expected checks that reported at all' })),
  }),
});
export type Series = Static<typeof Series>;

export const listChecks = operation({
  id: 'listChecks',
  method: 'GET',
  path: '/monitors/{monitor_id}/checks',
  summary: 'Recent checks of a monitor, newest first',
  tag: 'Checks',
  right: 'member',
  subject: 'monitor',
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
    },
    closed,
  ),
  status: 200,
  reply: Type.Array(CheckRecord),
});

export const getSeries = operation({
  id: 'getMonitorSeries',
  method: 'GET',
  path: '/monitors/{monitor_id}/series',
  summary: 'Counts and latencies in buckets, per region, with figures over the whole range',
  tag: 'Checks',
  right: 'member',
  subject: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  query: Type.Object(
    {
      range: Type.Optional(Type.Enum([...SERIES_RANGES])),
      series_metric: Type.Optional(Type.Enum(['cpu', 'mem'], { description: 'service monitors only' })),
    },
    closed,
  ),
  status: 200,
  reply: Series,
});

export const listRecentChecks = operation({
  id: 'listRecentChecks',
  method: 'GET',
  path: '/projects/{project_id}/recent-checks',
  summary:
    'The last checks of every monitor of a project, newest first: what a list of monitors shows beside each name',
  tag: 'Checks',
  right: 'member',
  subject: 'project',
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
