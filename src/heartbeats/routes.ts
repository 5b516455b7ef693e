import { lateAt } from '../domain/heartbeat.ts';
import { expectedInstants } from '../domain/heartbeat-schedule.ts';
import { heartbeatOf } from '../monitors/heartbeat-row.ts';
import { type Route, read } from '../platform/http/route.ts';
import { notFound } from '../platform/refusals.ts';
import { unixOfMs, unixOrNull } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { getHeartbeat, type HeartbeatStatus } from './contract.ts';

const SHOWN = 5;

export const heartbeatRoutes: Route[] = [
  read(getHeartbeat, ({ db, params, now }) => showHeartbeat(db, params.monitor_id, now)),
];

async function showHeartbeat(db: Database, monitorId: string, now: Date): Promise<HeartbeatStatus> {
  const row = await db
    .selectFrom('heartbeats')
    .innerJoin('monitors', 'monitors.no', 'heartbeats.monitor_no')
    .selectAll('heartbeats')
    .where('monitors.id', '=', monitorId)
    .executeTakeFirst();
  if (!row) return notFound('heartbeat monitor');
  const heartbeat = heartbeatOf(row);
  const { schedule, dueMs, runs } = heartbeat;
  const lateMs = lateAt(heartbeat);
  return {
    last_beat_at_unix: unixOrNull(row.last_beat_at),
    due_at_unix: unixOfMs(dueMs),
    late_at_unix: unixOfMs(lateMs),
    runs: runs.map(({ rid, atMs }) => ({ rid, started_at_unix: unixOfMs(atMs) })),
    last_duration_ms: row.last_duration_ms,
    next: row.paused ? [] : expectedInstants(schedule, dueMs, now.getTime(), SHOWN).map((ms) => unixOfMs(ms)),
  };
}
