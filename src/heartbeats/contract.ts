// Browser-safe. What a heartbeat monitor has heard and waits for (beside the interface: for the dashboard).
import { type Static, Type } from 'typebox';
import { MonitorParams } from '../monitors/contract.ts';
import { Nullable, operation, UnixSeconds } from '../platform/contract.ts';

export const HeartbeatStatus = Type.Object({
  last_beat_at_unix: Nullable(
    UnixSeconds({ description: 'the last ping that ended a run or stood alone, whatever it said' }),
  ),
  due_at_unix: Nullable(
    UnixSeconds({ description: 'the next ping is expected then; null before the first' }),
  ),
  late_at_unix: Nullable(UnixSeconds({ description: 'due and grace: from then on silence is a failure' })),
  runs: Type.Array(Type.Object({ rid: Type.String(), started_at_unix: UnixSeconds() }), {
    description: 'started and not ended, newest first',
  }),
  last_duration_ms: Nullable(Type.Integer({ description: 'of the last run, where its start was seen' })),
  next: Type.Array(UnixSeconds(), { description: 'the next five instants at which a ping is expected' }),
});
export type HeartbeatStatus = Static<typeof HeartbeatStatus>;

export const getHeartbeat = operation({
  id: 'getHeartbeat',
  method: 'GET',
  path: '/monitors/{monitor_id}/heartbeat',
  summary: 'What a heartbeat monitor has heard and waits for; 404 for monitors of another type',
  tag: 'Monitors',
  right: 'member',
  subject: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  status: 200,
  reply: HeartbeatStatus,
});
