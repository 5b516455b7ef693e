// Browser-safe. The state of a heartbeat monitor, for the dashboard: its last ping, and the next one expected.
import { type Static, Type } from 'typebox';
import { MonitorParams } from '../monitors/contract.ts';
import { Nullable, operation, UnixSeconds } from '../platform/contract.ts';

export const HeartbeatStatus = Type.Object({
  last_beat_at_unix: Nullable(
    UnixSeconds({ description: 'the last ping other than a start, successful or not' }),
  ),
  due_at_unix: Nullable(
    UnixSeconds({ description: 'the next ping is expected then; null before the first' }),
  ),
  late_at_unix: Nullable(
    UnixSeconds({ description: 'due plus grace: without a ping by then, the check fails' }),
  ),
  runs: Type.Array(Type.Object({ rid: Type.String(), started_at_unix: UnixSeconds() }), {
    description: 'runs that started and have not ended, newest first',
  }),
  last_duration_ms: Nullable(Type.Integer({ description: 'of the last run, if it sent a start ping' })),
  next: Type.Array(UnixSeconds(), { description: 'the next five instants at which a ping is expected' }),
});
export type HeartbeatStatus = Static<typeof HeartbeatStatus>;

export const getHeartbeat = operation({
  id: 'getHeartbeat',
  method: 'GET',
  path: '/monitors/{monitor_id}/heartbeat',
  summary: 'The last and next pings of a heartbeat monitor; 404 for monitors of another type',
  tag: 'Monitors',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  status: 200,
  reply: HeartbeatStatus,
});
