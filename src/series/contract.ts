// Browser-safe. Time series of a monitor (docs/rules/figures.md#series).
import { type Static, Type } from 'typebox';
import { SERIES_RANGES, SERIES_UNITS } from '../domain/names.ts';
import { MonitorParams } from '../monitors/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

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
    description: 'of avg_ms, max_ms and p95_ms: the metric for agent monitors, latency in ms for all others',
  }),
  points: Type.Array(SeriesPoint),
  stats: Type.Object({
    checks: Type.Integer(),
    uptime_pct: Nullable(Type.Number()),
    avg_ms: Nullable(Type.Integer()),
    p95_ms: Nullable(Type.Integer()),
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
