// Incidents as the API shows them.
import { type OperationNodeSource, type RawBuilder, sql } from 'kysely';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn, sees } from '../platform/http/within.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { Evidence, IncidentDetail, IncidentSummary } from './contract.ts';

/** Incidents with the names of their monitor, project and people; narrow it with `where`. */
export function selectIncidents(db: Database | Tx) {
  return db
    .selectFrom('incidents')
    .leftJoin('monitors', 'monitors.no', 'incidents.monitor_no')
    .leftJoin('projects', 'projects.id', 'incidents.project_id')
    .leftJoin('users as acknowledger', 'acknowledger.id', 'incidents.acknowledged_by_user_id')
    .leftJoin('users as commander', 'commander.id', 'incidents.commander_user_id')
    .leftJoin('incident_groups as storm', 'storm.no', 'incidents.group_no')
    .selectAll('incidents')
    .select([
      'monitors.name as monitor_name',
      'projects.name as project_name',
      'acknowledger.email as acknowledged_by_email',
      'acknowledger.name as acknowledged_by_name',
      'commander.email as commander_email',
      'commander.name as commander_name',
      'storm.name as group_name',
    ]);
}

export type IncidentRow = Awaited<ReturnType<ReturnType<typeof selectIncidents>['executeTakeFirstOrThrow']>>;

export function lifecycleState(row: {
  status: string;
  discarded: boolean;
  acknowledged_at: Date | null;
}): string {
  if (row.discarded) return 'discarded';
  if (row.status === 'closed') return 'resolved';
  return row.acknowledged_at ? 'acknowledged' : 'triggered';
}

/** The list entry at `now`; a hold that has run out reads as none (docs/rules/confirmation.md#holds). */
export function summaryOf(row: IncidentRow, now: Date): IncidentSummary {
  const held = row.alarm_held_until !== null && row.alarm_held_until > now;
  return {
    id: row.id,
    monitor_id: row.monitor_id,
    monitor_name: row.monitor_name,
    project_name: row.project_name,
    cause: row.cause,
    severity: row.severity,
    status: row.status,
    down_regions: row.down_regions,
    region_count: row.region_count,
    started_at_unix: unix(row.started_at),
    resolved_at_unix: unixOrNull(row.resolved_at),
    lifecycle_state: lifecycleState(row),
    acknowledged_by_email: row.acknowledged_by_email,
    acknowledged_by_name: row.acknowledged_by_name,
    commander_name: row.commander_name,
    alarm_held_until_unix: held ? unixOrNull(row.alarm_held_until) : null,
    group_id: row.group_no === null ? null : String(row.group_no),
    group_name: row.group_name,
    example: row.example,
  };
}

/** The detail at `now`. */
export function detailOf(row: IncidentRow, now: Date): IncidentDetail {
  const summary = summaryOf(row, now);
  return {
    ...summary,
    project_id: row.project_id,
    check_kind: row.check_kind,
    summary: row.summary,
    severity_level: row.severity_level,
    auto_resolved: row.auto_resolved,
    acknowledged_at_unix: unixOrNull(row.acknowledged_at),
    commander_email: row.commander_email,
    alarm_held_by_name: summary.alarm_held_until_unix !== null ? row.alarm_held_by_name : null,
    failure_phase_started_at_unix: unixOrNull(row.failure_phase_started_at),
    evidence: row.evidence as Evidence | null,
  };
}

/**
 * Runs a statement that writes incidents (`… RETURNING *`) and returns the written rows as `selectIncidents` would, in one
 * round trip. `areNew`: nobody has acknowledged them and they belong to no storm, so nothing of that is looked up. `beside`
 * writes more, and may refer to the written rows as `written`.
 */
export async function writeIncidents(
  tx: Tx,
  statement: OperationNodeSource,
  { areNew = false, beside }: { areNew?: boolean; beside?: RawBuilder<unknown> } = {},
): Promise<IncidentRow[]> {
  const known = areNew
    ? sql`NULL AS acknowledged_by_email, NULL AS acknowledged_by_name, NULL AS commander_email, NULL AS commander_name,
      NULL AS group_name`
    : sql`acknowledger.email AS acknowledged_by_email, acknowledger.name AS acknowledged_by_name,
      commander.email AS commander_email, commander.name AS commander_name, storm.name AS group_name`;
  const lookedUp = areNew
    ? sql``
    : sql`LEFT JOIN users AS acknowledger ON acknowledger.id = written.acknowledged_by_user_id
      LEFT JOIN users AS commander ON commander.id = written.commander_user_id
      LEFT JOIN incident_groups AS storm ON storm.no = written.group_no`;
  const { rows } = await sql<IncidentRow>`
    WITH written AS (${statement})${beside === undefined ? sql`` : sql`, beside AS (${beside})`}
    SELECT written.*, monitors.name AS monitor_name, projects.name AS project_name, ${known}
    FROM written
    LEFT JOIN monitors ON monitors.no = written.monitor_no
    LEFT JOIN projects ON projects.id = written.project_id
    ${lookedUp}`.execute(tx);
  return rows;
}

/** The columns that decide whether a narrowed key sees an incident. */
export const SEEN = { project: 'incidents.project_id', monitor: 'incidents.monitor_id' };

/**
 * One incident of an organization; 404 when it is unknown or another organization's, 403 when the caller's narrowed key does
 * not cover it.
 */
export async function incidentOf(
  db: Database | Tx,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
): Promise<IncidentRow> {
  const row = await selectIncidents(db)
    .where('incidents.org_id', '=', orgId)
    .where('incidents.id', '=', incidentId)
    .executeTakeFirst();
  if (!row) return notFound('incident');
  if (!sees(within, { projectId: row.project_id, monitorId: row.monitor_id }))
    refuse('forbidden', 'This key is narrowed to other projects or monitors.');
  return row;
}

export type ListFilter = { status: 'open' | 'closed' | 'all'; limit: number; before: string | null };

/** Incidents of an organization, newest first. `before` is an incident of the same organization, as in `incidentOf`. */
export async function listIncidents(
  db: Database,
  orgId: string,
  filter: ListFilter,
  within: ResourceFilter,
  now: Date,
): Promise<IncidentSummary[]> {
  let query = selectIncidents(db).where('incidents.org_id', '=', orgId);
  if (within) query = query.where(seenIn(within, SEEN));
  if (filter.status !== 'all') query = query.where('incidents.status', '=', filter.status);
  if (filter.before !== null) {
    const { started_at, id } = await incidentOf(db, orgId, filter.before, within);
    query = query.where((eb) =>
      eb.or([
        eb('incidents.started_at', '<', started_at),
        eb.and([eb('incidents.started_at', '=', started_at), eb('incidents.id', '<', id)]),
      ]),
    );
  }
  const rows = await query
    .orderBy('incidents.started_at', 'desc')
    .orderBy('incidents.id', 'desc')
    .limit(filter.limit)
    .execute();
  return rows.map((row) => summaryOf(row, now));
}

/** Up to 50 recent incidents of a monitor (docs/rules/confirmation.md#incident-values). */
export async function listMonitorIncidents(
  db: Database,
  monitorId: string,
  now: Date,
): Promise<IncidentSummary[]> {
  const rows = await selectIncidents(db)
    .where('incidents.monitor_id', '=', monitorId)
    .orderBy('incidents.started_at', 'desc')
    .orderBy('incidents.id', 'desc')
    .limit(50)
    .execute();
  return rows.map((row) => summaryOf(row, now));
}
