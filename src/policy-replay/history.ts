// The past of a monitor that a replay needs beside its checks: maintenance windows, edits and actions of people, real incidents.
import { type RawBuilder, sql } from 'kysely';
import { maintenanceSince } from '../conditions/maintenance.ts';
import type { Span } from '../domain/maintenance.ts';
import type { Interruption } from '../domain/policy-replay.ts';
import { defaultOf } from '../monitors/types/defaults.ts';
import { rulesOf } from '../monitors/types.ts';
import type { Database } from '../platform/work.ts';
import type { Drafted } from './draft.ts';

export type PastIncident = { id: string; cause: string; startedMs: number; endedMs: number | null };

export type Past = {
  /** The windows as they are planned now. */
  maintenance: Span[];
  interruptions: Interruption[];
  /** The automatic ones, oldest first. */
  incidents: PastIncident[];
};

/** More of them are not looked for: one of each is named beside an alarm. */
const MAX_INCIDENTS = 5_000;

export async function pastOf(
  db: Database,
  monitor: Drafted['monitor'],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<Past> {
  const [from, until] = [new Date(fromMs), new Date(untilMs)];
  const [maintenance, incidents, changes] = await Promise.all([
    readMaintenance(db, monitor.no, from, until),
    readIncidents(db, monitor.no, from, until),
    readChanges(db, monitor, from, until),
  ]);
  const closings = incidents.flatMap(({ endedMs, byHand }) =>
    byHand && endedMs !== null ? { atMs: endedMs, kind: 'closed_by_hand' as const } : [],
  );
  return {
    maintenance,
    incidents,
    interruptions: [...closings, ...withLastStart(changes, monitor.notBefore.getTime(), fromMs)].sort(
      (a, b) => a.atMs - b.atMs,
    ),
  };
}

async function readMaintenance(db: Database, no: number, from: Date, until: Date): Promise<Span[]> {
  const { rows } = await sql<{ spans: Span[] }>`
    SELECT ${maintenanceSince(sql`${no}::int`, sql`${until}::timestamptz`, sql`${from}::timestamptz`)} AS spans`.execute(
    db,
  );
  return rows[0]?.spans ?? [];
}

async function readIncidents(db: Database, no: number, from: Date, until: Date) {
  const { rows } = await sql<PastIncident & { byHand: boolean }>`
    SELECT id, cause, (extract(epoch FROM started_at) * 1000)::bigint AS "startedMs",
      (extract(epoch FROM resolved_at) * 1000)::bigint AS "endedMs", status = 'closed' AND NOT auto_resolved AS "byHand"
    FROM incidents WHERE monitor_no = ${no} AND origin = 'automatic' AND started_at <= ${until}
      AND (resolved_at IS NULL OR resolved_at >= ${from})
    ORDER BY started_at DESC LIMIT ${MAX_INCIDENTS}`.execute(db);
  return rows.reverse();
}

/** When its target, regions or type changed, or it was switched on or off: the activity log outlives the checks. */
async function readChanges(
  db: Database,
  { id, orgId, type }: Drafted['monitor'],
  from: Date,
  until: Date,
): Promise<Interruption[]> {
  // The log shows configs with their defaults, and the default timeout follows the interval, which is no edit.
  const fallback = Number(defaultOf(rulesOf(type).schema, 'timeout_ms') ?? 0);
  const config = (of: RawBuilder<unknown>) => sql`CASE WHEN ${of} #>> '{config,timeout_ms}'
      = least(${fallback}::int, (${of} ->> 'interval_seconds')::int * 800)::text
    THEN (${of} -> 'config') - 'timeout_ms' ELSE ${of} -> 'config' END`;
  const { rows } = await sql<{ atMs: number; stopped: boolean }>`
    SELECT (extract(epoch FROM at) * 1000)::bigint AS "atMs",
      before ->> 'enabled' = 'true' AND after ->> 'enabled' = 'false' AS stopped
    FROM activity WHERE org_id = ${orgId} AND action = 'monitor.update' AND resource_id = ${id} AND at >= ${from} AND at <= ${until}
      AND (before -> 'enabled', before -> 'type', ${config(sql`before`)}, before -> 'regions')
        IS DISTINCT FROM (after -> 'enabled', after -> 'type', ${config(sql`after`)}, after -> 'regions')
    ORDER BY at`.execute(db);
  return rows.map(({ atMs, stopped }) => ({ atMs, kind: stopped ? 'switched_off' : 'edited' }));
}

/** A start that no log names, because Tocsin itself had the monitor begin anew. */
function withLastStart(changes: Interruption[], notBeforeMs: number, fromMs: number): Interruption[] {
  const isKnown = notBeforeMs <= fromMs || changes.some(({ atMs }) => atMs >= notBeforeMs);
  return isKnown ? changes : [...changes, { atMs: notBeforeMs, kind: 'began_anew' }];
}
