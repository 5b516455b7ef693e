// Browser-safe. Config of type `heartbeat` (docs/rules/monitor-types.md#heartbeat): the target calls us.
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { config } from '../parts.ts';

export const HeartbeatSchedule = Type.Union([
  config({
    kind: Type.Literal('period'),
    /** A beat is due this long after the one before. */
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
  /** How late a beat may be. */
  grace_seconds: Type.Integer({ minimum: 0, maximum: 31_622_400, default: 60 }),
  /** A run that was started must have finished by then; null: however long it takes. */
  max_runtime_seconds: Nullable(Type.Integer({ minimum: 1, maximum: 31_622_400 })),
});
export type HeartbeatConfig = Static<typeof HeartbeatConfig>;

/** As it is read: the server adds the address to call. Accepted in writes with the value it has. */
export type HeartbeatConfigRead = HeartbeatConfig & { ping_url: string };
