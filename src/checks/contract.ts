// Browser-safe. What checks measured: records and time series (docs/rules/figures.md#check-records,
// docs/rules/figures.md#series).
import { type Static, Type } from 'typebox';
import { SERIES_RANGES, SERIES_UNITS } from '../domain/names.ts';
import { MonitorParams } from '../monitors/contract.ts';
import { CONFIG_BODY_LIMIT, Nullable, operation, UnixSeconds } from '../platform/contract.ts';
import { ProjectParams } from '../projects/contract.ts';
import { Judgement, Observed, Timings } from './probe-contract.ts';

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
  unit: Type.Enum([...SERIES_UNITS], {
    description:
      'of avg_ms, max_ms and p95_ms: monitors of agents carry their metric in them, all others latency in ms',
  }),
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

/** How one region sees a monitor. */
export const RegionStatus = Type.Object({
  region: Type.String({ description: 'slug; "" for a type without regions' }),
  name: Type.String(),
  online: Type.Boolean({ description: 'one of its probes was heard from within 30 s' }),
  reporting: Type.Boolean({
    description: 'its last result is younger than 3 × the interval plus the timeout',
  }),
  condition: Type.Enum(['recovered', 'failing', 'unknown'], {
    description: 'failing after alarm_consecutive failing results in a row; unknown before the first result',
  }),
  failures_in_a_row: Type.Integer(),
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
  subject: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  status: 200,
  reply: Type.Array(RegionStatus),
});

export const MonitorTest = Type.Object(
  {
    type: Type.String({ maxLength: 64 }),
    config: Type.Object({}, { additionalProperties: true }),
    /** Slug; null: the default region. */
    region: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
    /** Of which the masked secrets in `config` are. */
    monitor_id: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  },
  closed,
);
export type MonitorTest = Static<typeof MonitorTest>;

export const MonitorTestReport = Type.Object({
  region: Type.String(),
  probe_id: Type.String(),
  ...Observed.properties,
  judgements: Type.Array(Judgement),
  values_withheld: Type.Boolean({
    description:
      'additive: the target is in a private network that several organizations reach; what it said is not shown, `actual` is empty',
  }),
});
export type MonitorTestReport = Static<typeof MonitorTestReport>;

export const testMonitor = operation({
  id: 'testMonitor',
  bodyLimit: CONFIG_BODY_LIMIT,
  method: 'POST',
  path: '/projects/{project_id}/monitor-tests',
  summary: 'Check a target once, now, from one region; nothing is stored and nobody is told',
  tag: 'Monitors',
  right: 'project_management',
  subject: 'project',
  scope: 'monitors:write',
  params: ProjectParams,
  body: MonitorTest,
  status: 200,
  reply: MonitorTestReport,
  refusals: [503],
});
