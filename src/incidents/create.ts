// Manual incidents, opened by a person or a key (docs/rules/confirmation.md#manual-incidents).
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { BodyOf } from '../platform/contract.ts';
import { hook } from '../platform/hook.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { sees } from '../platform/http/within.ts';
import { newId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { createIncident as contract } from './actions-contract.ts';
import { announceIncident } from './announce.ts';
import { manualIncidentsChanged } from './close.ts';
import type { IncidentDetail } from './contract.ts';
import { projectOf } from './project-of.ts';
import { detailOf, writeIncidents } from './queries.ts';
import { checkedLine, checkedText, excerptOf } from './texts.ts';
import { recordTimeline } from './timeline.ts';

/** An incident that started in the past is about to be opened by hand; nothing is written yet. */
export const pastIncidentOpens = hook<{ monitorNo: number; startedAt: Date }>();

/** 2000-01-01: an earlier start is a mistake. */
const EARLIEST_UNIX = 946_684_800;

/**
 * Opens a manual incident; a monitor may have any number of them. Announced changes and failed dependencies do not hold its
 * alarm: a person has already looked. Refuses an empty `cause`, a `monitor_id` of another organization and a start in the
 * future (400), and a monitor that a narrowed key does not cover (403).
 */
export async function createIncident(
  work: Work,
  orgId: string,
  body: BodyOf<typeof contract>,
  within: ResourceFilter,
): Promise<IncidentDetail> {
  const { tx, now, actor } = work;
  await refuseOutsideKey(tx, orgId, body.monitor_id, within);
  const cause = checkedLine(body.cause, 'cause');
  const summary = body.summary == null ? cause : checkedText(body.summary, 'summary');
  const startedAt = startOf(body.started_at_unix ?? null, now);
  const monitor = await lockMonitor(tx, orgId, body.monitor_id);
  if (monitor && startedAt < now) await pastIncidentOpens.run(work, { monitorNo: monitor.no, startedAt });
  const insert = tx
    .insertInto('incidents')
    .values({
      id: newId('inc'),
      org_id: orgId,
      monitor_id: monitor?.id ?? '',
      monitor_no: monitor?.no ?? null,
      project_id: monitor && projectOf(sql`${monitor.no}::int`),
      origin: 'manual',
      cause,
      summary,
      severity: body.severity,
      severity_level: body.severity_level ?? null,
      status: 'open',
      down_regions: [],
      region_count: monitor?.regions.length ?? 0,
      started_at: startedAt,
      created_at: now,
    })
    .returningAll();
  const [row] = await writeIncidents(tx, insert);
  if (!row) throw new Error('an insert answers its row');
  await recordTimeline(work, [
    { incidentId: row.id, kind: 'opened', actorName: actor.name, detail: excerptOf(summary) },
  ]);
  announceIncident(work, row, 'opened');
  if (monitor) await manualIncidentsChanged.run(work, { monitorNos: [monitor.no] });
  const shown = detailOf(row, now);
  const { monitor_id, severity, severity_level, started_at_unix } = shown;
  await recordActivity(work, {
    orgId,
    action: 'incident.create',
    resource: { kind: 'incident', id: row.id, name: cause },
    after: { monitor_id, severity, severity_level, started_at_unix, cause, summary },
  });
  return shown;
}

/** Refuses (403) a narrowed key that names any other monitor than its own, or none. */
export async function refuseOutsideKey(
  db: Database | Tx,
  orgId: string,
  monitorId: unknown,
  within: ResourceFilter,
): Promise<void> {
  if (within === null) return;
  const monitor =
    typeof monitorId === 'string'
      ? await db
          .selectFrom('monitors')
          .select(['id', 'project_id'])
          .where('id', '=', monitorId)
          .where('org_id', '=', orgId)
          .executeTakeFirst()
      : undefined;
  if (!monitor || !sees(within, { projectId: monitor.project_id, monitorId: monitor.id }))
    refuse('forbidden', 'monitor_id must be a monitor that this key is narrowed to.', {
      field: 'monitor_id',
    });
}

function startOf(startedAtUnix: number | null, now: Date): Date {
  if (startedAtUnix === null) return now;
  const field = 'started_at_unix';
  if (startedAtUnix > unix(now)) refuse('invalid_request', `${field} must not be in the future.`, { field });
  if (startedAtUnix < EARLIEST_UNIX)
    refuse('invalid_request', `${field} must not be before the year 2000.`, { field });
  return new Date(startedAtUnix * 1000);
}

/** Locks the monitor's state before its incident: the one lock order. Null for an incident without a monitor. */
async function lockMonitor(tx: Tx, orgId: string, monitorId: string | null | undefined) {
  if (monitorId == null || monitorId === '') return null;
  const { rows } = await sql<{ id: string; no: number; regions: string[] }>`
    SELECT m.id, m.no, m.regions FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no
    WHERE m.id = ${monitorId} AND m.org_id = ${orgId} AND NOT m.example FOR UPDATE OF s`.execute(tx);
  const [monitor] = rows;
  return (
    monitor ??
    refuse('invalid_request', 'monitor_id must be a monitor of this organization.', { field: 'monitor_id' })
  );
}
