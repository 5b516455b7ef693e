// An incident that a person or a key opens (docs/rules/confirmation.md#manual-incidents).
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { announcement } from '../platform/announcement.ts';
import type { BodyOf } from '../platform/contract.ts';
import type { Within } from '../platform/http/caller.ts';
import { sees } from '../platform/http/within.ts';
import { newId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { createIncident as contract } from './actions-contract.ts';
import { announceIncident } from './announce.ts';
import { manualIncidentsChanged } from './close.ts';
import type { IncidentDetail } from './contract.ts';
import { detailOf, writeIncidents } from './queries.ts';
import { beginningOf, checkedLine, checkedText } from './texts.ts';
import { recordTimeline } from './timeline.ts';

/** Somebody opens an incident of a monitor that began in the past; nothing of it is written yet. */
export const pastIncidentOpens = announcement<{ monitorNo: number; startedAt: Date }>();

/** 2000-01-01: what claims to have begun before is a mistake. */
const EARLIEST_UNIX = 946_684_800;

/**
 * Opens an incident by hand; as many as people like may be open of one monitor. What was announced, or is down elsewhere,
 * does not hold its alarm: somebody looked. Refuses with 400 an empty `cause`, a `monitor_id` of another organization and a
 * beginning in the future; with 403 what lies outside of a narrowed key.
 */
export async function createIncident(
  work: Work,
  orgId: string,
  body: BodyOf<typeof contract>,
  within: Within,
): Promise<IncidentDetail> {
  const { tx, now, actor } = work;
  await refuseOutside(tx, orgId, body.monitor_id, within);
  const cause = checkedLine(body.cause, 'cause');
  const summary = body.summary == null ? cause : checkedText(body.summary, 'summary');
  const startedAt = startOf(body.started_at_unix ?? null, now);
  const monitor = await lockMonitor(tx, orgId, body.monitor_id);
  if (monitor && startedAt < now)
    await pastIncidentOpens.announce(work, { monitorNo: monitor.no, startedAt });
  const insert = tx
    .insertInto('incidents')
    .values({
      id: newId('inc'),
      org_id: orgId,
      monitor_id: monitor?.id ?? '',
      monitor_no: monitor?.no ?? null,
      project_id: monitor?.project_id ?? null,
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
    { incidentId: row.id, kind: 'opened', actorName: actor.name, detail: beginningOf(summary) },
  ]);
  announceIncident(work, row, 'opened');
  if (monitor) await manualIncidentsChanged.announce(work, { monitorNos: [monitor.no] });
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

/** 403 of a key that is narrowed: it names its own monitors only, and a standalone incident is none of them. */
export async function refuseOutside(
  db: Database | Tx,
  orgId: string,
  monitorId: unknown,
  within: Within,
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
  if (startedAtUnix > unix(now)) refuse('invalid_request', `${field} must not lie in the future.`, { field });
  if (startedAtUnix < EARLIEST_UNIX)
    refuse('invalid_request', `${field} must not lie before the year 2000.`, { field });
  return new Date(startedAtUnix * 1000);
}

/** The monitor with its state locked, before its incident: one order of locks. Null: it is a standalone incident. */
async function lockMonitor(tx: Tx, orgId: string, monitorId: string | null | undefined) {
  if (monitorId == null || monitorId === '') return null;
  const { rows } = await sql<{ id: string; no: number; project_id: string; regions: string[] }>`
    SELECT m.id, m.no, m.project_id, m.regions FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no
    WHERE m.id = ${monitorId} AND m.org_id = ${orgId} FOR UPDATE OF s`.execute(tx);
  const [monitor] = rows;
  return (
    monitor ??
    refuse('invalid_request', 'monitor_id must be a monitor of this organization.', { field: 'monitor_id' })
  );
}
