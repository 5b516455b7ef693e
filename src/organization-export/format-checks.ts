// The kinds of lines about checks, and of what is left of checks that are not kept any more.
import { Type } from 'typebox';
import { CHECK_STATUSES } from '../domain/names.ts';
import { Bins, Count, Instant, id, nullable, object, oneOf, Place, Text } from './format-fields.ts';

export const KINDS_OF_CHECKS = {
  check: object({
    monitor_id: id('mon'),
    region: Place,
    checked_at: Instant,
    status: oneOf(CHECK_STATUSES),
    /** For people who read the file; an import computes it from the windows. */
    in_maintenance: Type.Boolean(),
    latency_ms: nullable(Type.Integer()),
    dns_ms: nullable(Type.Integer()),
    connect_ms: nullable(Type.Integer()),
    tls_ms: nullable(Type.Integer()),
    first_byte_ms: nullable(Type.Integer()),
    response_code: nullable(Type.Integer()),
    failure_class: nullable(Text),
    cause_layer: nullable(Text),
    detail: nullable(Text),
    metric_value: nullable(Type.Number()),
    /** Not in exports of before it was there. */
    metric_value_2: Type.Optional(nullable(Type.Number())),
  }),
  check_bucket: object({
    monitor_id: id('mon'),
    region: Place,
    seconds: Type.Unsafe<3600 | 43_200>(Type.Enum([3600, 43_200])),
    bucket: Instant,
    up: Count,
    degraded: Count,
    down: Count,
    maintenance_up: nullable(Count),
    maintenance_degraded: nullable(Count),
    maintenance_down: nullable(Count),
    latency_count: nullable(Count),
    latency_max: nullable(Type.Integer()),
    latency_sum: nullable(Type.Integer()),
    latencies: nullable(Bins),
    metric_count: nullable(Count),
    metric_sum: nullable(Type.Number()),
    metric_max: nullable(Type.Number()),
    metrics: nullable(Bins),
    metric_2_count: nullable(Count),
    metric_2_sum: nullable(Type.Number()),
    metric_2_max: nullable(Type.Number()),
    metrics_2: nullable(Bins),
  }),
  downtime_bucket: object({
    monitor_id: id('mon'),
    region: Place,
    bucket: Instant,
    up: Count,
    degraded: Count,
    down: Count,
    incident_ids: Type.Array(id('inc'), { minItems: 1, maxItems: 1000 }),
  }),
  reported_time: object({
    monitor_id: id('mon'),
    bucket: Instant,
    rule_since: Instant,
    times: Type.Array(Type.Array(Instant, { minItems: 2, maxItems: 2 }), { minItems: 1, maxItems: 43_200 }),
  }),
} as const;
