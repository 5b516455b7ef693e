// Browser-safe. Time series of a monitor (docs/rules/figures.md#series).
import { type Static, Type } from 'typebox';
import { SERIES_RANGES, SERIES_UNITS } from '../domain/names.ts';
import { MonitorParams } from '../monitors/contract.ts';
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

export const Series = Type.Object({
  range: Type.String(),
  from_unix: UnixSeconds(),
  to_unix: UnixSeconds(),
  bucket_seconds: Type.Integer(),
  unit: Type.Enum([...SERIES_UNITS], {
    description: 'of avg_ms, max_ms and p95_ms: the metric for agent monitors, latency in ms for all others',
  }),
  points: Type.Array(SeriesPoint),
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
      series_metric: Type.Optional(Type.Enum(['cpu', 'mem'], { description: 'service monitors only' })),
    },
    closed,
  ),
  status: 200,
  reply: Series,
});
