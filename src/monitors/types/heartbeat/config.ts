// Browser-safe. Config of type `heartbeat` (docs/rules/monitor-types.md#heartbeat): a job calls us.
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { config } from '../parts.ts';

export const HeartbeatSchedule = Type.Union([
  config({
    kind: Type.Literal('period'),
    /** A ping is due this long after the one before. */
    period_seconds: Type.Integer({ minimum: 1, maximum: 31_622_400 }),
  }),
  config({
    kind: Type.Literal('cron'),
    /** Five fields: minute, hour, day of month, month, day of week. */
    expression: Type.String({ minLength: 1, maxLength: 256 }),
    /** An IANA zone. */
    timezone: Type.String({ minLength: 1, maxLength: 64, default: 'UTC' }),
  }),
]);
export type HeartbeatSchedule = Static<typeof HeartbeatSchedule>;

export const HeartbeatConfig = config({
  schedule: HeartbeatSchedule,
  /** How late a ping may be. */
  grace_seconds: Type.Integer({ minimum: 0, maximum: 31_622_400, default: 60 }),
  /** A run that reported its start must finish within this time; null: no limit. */
  max_runtime_seconds: Nullable(Type.Integer({ minimum: 1, maximum: 31_622_400 })),
});
export type HeartbeatConfig = Static<typeof HeartbeatConfig>;

/** When read, it also has the address to call. Writes accept that with its current value. */
export type HeartbeatConfigRead = HeartbeatConfig & { ping_url: string };
