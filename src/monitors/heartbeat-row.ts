// Converts a heartbeat's row to and from the domain type.
import type { Selectable } from 'kysely';
import type { Heartbeat, Run } from '../domain/heartbeat.ts';
import type { Schedule } from '../domain/heartbeat-schedule.ts';
import type { DB } from '../platform/db/tables.ts';

export type HeartbeatRow = Selectable<DB['heartbeats']>;
type StoredRuns = Record<string, { at: number; unsure?: boolean }>;

/** Newest run first. */
export function runsOf(row: Pick<HeartbeatRow, 'runs'>): Run[] {
  return Object.entries(row.runs as StoredRuns)
    .map(([rid, { at, unsure = false }]) => ({ rid, atMs: at, unsure }))
    .sort((a, b) => b.atMs - a.atMs);
}

/** The stored form, for JSON. */
export function storedRuns(runs: readonly Run[]): StoredRuns {
  return Object.fromEntries(
    runs.map(({ rid, atMs, unsure }) => [rid, { at: atMs, ...(unsure ? { unsure } : {}) }]),
  );
}

export function heartbeatOf(row: HeartbeatRow): Heartbeat {
  return {
    schedule: row.schedule as Schedule,
    graceMs: row.grace_seconds * 1000,
    maxRuntimeMs: row.max_runtime_seconds === null ? null : row.max_runtime_seconds * 1000,
    lastPingMs: row.last_beat_at?.getTime() ?? null,
    lastOk: row.last_ok,
    lastCode: row.last_code,
    dueMs: row.due_at?.getTime() ?? null,
    runs: runsOf(row),
    excused: row.excused,
  };
}
