// Browser-safe. Time series of a monitor (docs/rules/figures.md#series).
import { type Static, Type } from 'typebox';
import { SERIES_RANGES, SERIES_UNITS } from '../domain/names.ts';
import { MonitorParams } from '../monitors/contract.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

/** In the unit of the series. */
const Measured = Nullable(Type.Number({ description: 'a whole number where the unit is ms' }));

export const SeriesPoint = Type.Object({
  bucket_unix: UnixSeconds(),
  region: Nullable(Type.String()),
  up: Type.Integer(),
  down: Type.Integer(),
  degraded: Type.Integer(),
  avg_ms: Measured,
  max_ms: Measured,
});

export const SeriesPercentiles = Type.Object({
  bucket_unix: UnixSeconds(),
  avg_ms: Measured,
  p50_ms: Measured,
  p95_ms: Measured,
  p99_ms: Measured,
});

export type SeriesPercentiles = Static<typeof SeriesPercentiles>;

/** `range` of the answer to a request with from_unix and to_unix. */
export const FREE_RANGE = 'custom';

export const Series = Type.Object({
  range: Type.String({ description: `as asked for; ${FREE_RANGE} with from_unix and to_unix` }),
  from_unix: UnixSeconds(),
  to_unix: UnixSeconds(),
  bucket_seconds: Type.Integer(),
  unit: Type.Enum([...SERIES_UNITS], {
    description: 'of avg_ms, max_ms and p95_ms: the metric for agent monitors, latency in ms for all others',
  }),
  points: Type.Array(SeriesPoint),
  percentiles: Type.Optional(
    Type.Array(SeriesPercentiles, {
      description:
        'with percentiles=true: of all regions together, per bucket in which something was measured',
    }),
  ),
  stats: Type.Object({
    checks: Type.Integer(),
    uptime_pct: Nullable(
      Type.Number({ description: 'checks passed: up and degraded of all counted checks' }),
    ),
    avg_ms: Measured,
    p95_ms: Measured,
    uptime_time_pct: Nullable(
      Type.Number({
        description:
          'uptime by time: the share of the known time outside maintenance that no confirmed outage covers; discarded incidents do not count',
      }),
    ),
    coverage_pct: Nullable(
      Type.Number({ description: 'share of the expected checks that reported a result' }),
    ),
  }),
});
export type Series = Static<typeof Series>;

export const getSeries = operation({
  id: 'getMonitorSeries',
  method: 'GET',
  path: '/monitors/{monitor_id}/series',
  summary: 'Counts and latencies per bucket and region, with figures over the whole range',
  tag: 'Checks',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  query: Type.Object(
    {
      range: Type.Optional(Type.Enum([...SERIES_RANGES])),
      from_unix: Type.Optional(
        UnixSeconds({
          description:
            'with to_unix, instead of range; moved back to the start of its bucket. At most 400 days',
        }),
      ),
      to_unix: Type.Optional(
        UnixSeconds({ description: 'exclusive; moved on to the end of its bucket, to now at most' }),
      ),
      percentiles: Type.Optional(
        Type.Boolean({ description: 'true: also the average and percentiles of each bucket' }),
      ),
      series_metric: Type.Optional(Type.Enum(['cpu', 'mem'], { description: 'service monitors only' })),
    },
    closed,
  ),
  status: 200,
  reply: Series,
  refusals: [400],
});
export type SeriesQuery = Static<NonNullable<typeof getSeries.query>>;

/** Most monitors of one request for figures: more than a screen shows. */
export const MAX_MONITORS_PER_REQUEST = 100;

export const MonitorFigures = Type.Object({
  monitor_id: Type.String(),
  uptime_1d_pct: Nullable(Type.Number({ description: 'stats.uptime_time_pct of the series with range=1d' })),
  uptime_30d_pct: Nullable(
    Type.Number({ description: 'stats.uptime_time_pct of the series with range=30d' }),
  ),
  uptime_7d_pct: Type.Optional(
    Nullable(Type.Number({ description: 'additive, with long=true: the same with range=7d' })),
  ),
  uptime_90d_pct: Type.Optional(
    Nullable(Type.Number({ description: 'additive, with long=true: the same with range=90d' })),
  ),
  days_left: Nullable(
    Type.Number({
      description:
        'tls and domain monitors: until the certificate or the registration ends; negative after it; null if no check of the last 7 days measured it',
    }),
  ),
});
export type MonitorFigures = Static<typeof MonitorFigures>;

export const listMonitorFigures = operation({
  id: 'listMonitorFigures',
  method: 'GET',
  path: '/organizations/{org_id}/monitor-figures',
  summary: 'Uptime of a day and of 30 days, and days left, of the monitors that a list shows',
  tag: 'Checks',
  right: 'member',
  resource: 'organization',
  scope: 'monitors:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: Type.Object(
    {
      monitor_ids: Type.String({
        minLength: 1,
        maxLength: 6000,
        description: `ids separated by commas, ${MAX_MONITORS_PER_REQUEST} at most; those that are not there are left out`,
      }),
      long: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'also of 7 and of 90 days, which takes longer' }),
      ),
    },
    closed,
  ),
  status: 200,
  reply: Type.Array(MonitorFigures),
});
