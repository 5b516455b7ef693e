// The records of fire drills: what was sent, what arrived, and how they ended.
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import { publishDrill } from '#src/events/publish.ts';
import type { DeliveryEnd } from '#src/notifications/delivery/record-outcome.ts';
import { isId } from '#src/platform/ids.ts';
import { notFound } from '#src/platform/refusals.ts';
import type { Database, Tx, Work } from '#src/platform/work.ts';
import type { EndedNotice } from '#src/user-notifications/ended.ts';
import type { Drill, DrillReach, DrillRecord } from './contract.ts';

const MAX_LISTED = 100;
const KEPT_MS = 400 * DAY_MS;

const drillsOf = (orgId: string, caller: string | null) => sql`
  SELECT d.id, CASE WHEN d.for_person THEN 'person' ELSE 'chain' END AS scope, d.user_id, p.name AS person_name,
    floor(extract(epoch FROM d.started_at))::bigint AS started_at_unix,
    coalesce(d.started_by_key_name, s.name) AS started_by_name,
    floor(extract(epoch FROM d.ended_at))::bigint AS ended_at_unix,
    coalesce(d.ended_by_key_name, e.name) AS ended_by_name, d.outcome,
    (SELECT jsonb_build_object('arrived', count(*) FILTER (WHERE r.state = 'arrived'),
      'failed', count(*) FILTER (WHERE r.state = 'failed'), 'waiting', count(*) FILTER (WHERE r.state = 'waiting'))
      FROM fire_drill_reaches r WHERE r.drill_id = d.id) AS reached,
    (d.ended_at IS NULL AND EXISTS (SELECT FROM alarms a JOIN alarm_audience aud ON aud.alarm_no = a.no
      WHERE a.drill_id = d.id AND aud.user_id = ${caller})) AS rings
  FROM fire_drills d LEFT JOIN users p ON p.id = d.user_id LEFT JOIN users s ON s.id = d.started_by_user_id
    LEFT JOIN users e ON e.id = d.ended_by_user_id
  WHERE d.org_id = ${orgId}`;

/** Drills of an organization, the newest first, as the person `caller` sees them; null: a key. */
export async function listDrills(
  db: Database,
  orgId: string,
  caller: string | null,
  state: 'running' | 'all' = 'all',
): Promise<Drill[]> {
  const those = state === 'running' ? sql`AND d.ended_at IS NULL` : sql``;
  const { rows } = await sql<Drill>`
    ${drillsOf(orgId, caller)} ${those} ORDER BY d.started_at DESC, d.id DESC LIMIT ${MAX_LISTED}`.execute(
    db,
  );
  return rows;
}

/** Why the last attempt at a message that is still tried failed. */
const lastError = sql`SELECT coalesce(
  (SELECT d.error FROM delivery_queue q JOIN deliveries d ON d.id = q.delivery_id AND d.created_at = q.created_at
    WHERE q.lane = r.recipient_id || ':' || r.drill_id ORDER BY q.seq LIMIT 1),
  (SELECT n.error FROM notices n JOIN alarms a ON a.no = n.alarm_no
    WHERE a.drill_id = r.drill_id AND n.user_id = r.user_id AND n.channel = r.channel AND n.kind = 'drill' LIMIT 1)) AS error`;

/** 404 for a drill that is not the organization's. */
export async function findDrill(db: Database | Tx, orgId: string, id: string): Promise<{ id: string }> {
  const found = isId('drl', id)
    ? await db
        .selectFrom('fire_drills')
        .select('id')
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  return found ?? notFound('fire drill');
}

/** One drill with its record; 404 for another organization's. */
export async function getDrill(
  db: Database | Tx,
  orgId: string,
  id: string,
  caller: string | null,
): Promise<DrillRecord> {
  await findDrill(db, orgId, id);
  const { rows } = await sql<Drill>`${drillsOf(orgId, caller)} AND d.id = ${id}`.execute(db);
  const drill = rows[0] ?? notFound('fire drill');
  const { rows: reaches } = await sql<DrillReach>`
    SELECT r.recipient_id, coalesce(r.target_name, u.name) AS name, r.channel, r.step, r.state, coalesce(r.error, tried.error) AS error,
      floor(extract(epoch FROM r.at))::bigint AS at_unix,
      floor(extract(epoch FROM r.settled_at))::bigint AS settled_at_unix
    FROM fire_drill_reaches r LEFT JOIN users u ON u.id = r.user_id LEFT JOIN LATERAL (${lastError}) tried ON r.state = 'waiting'
    WHERE r.drill_id = ${id}
    ORDER BY r.at, r.target_name NULLS FIRST, name, r.recipient_id, array_position('{loud_alarm,push,mail}', r.channel)`.execute(
    db,
  );
  const { rows: coming } = await sql<DrillRecord['coming'][number]>`
    SELECT s.step, floor(extract(epoch FROM s.due_at))::bigint AS due_at_unix
    FROM alarms a JOIN alarm_steps s ON s.alarm_no = a.no
    WHERE a.drill_id = ${id} AND a.ended_at IS NULL AND s.done_at IS NULL ORDER BY s.due_at, s.step`.execute(
    db,
  );
  return { ...drill, reaches, coming };
}

/** Reaction to `noticeEnded`: a mail or push of a drill arrived, or never will. */
export async function recordDrillNotice(work: Work, notice: EndedNotice): Promise<void> {
  if (notice.kind !== 'drill' || notice.alarmNo === null) return;
  const { alarmNo, userId, channel, ok, error, at, orgId } = notice;
  const { rows } = await sql<{ id: string }>`
    UPDATE fire_drill_reaches r
    SET state = ${ok ? 'arrived' : 'failed'}, settled_at = ${at}, error = ${ok ? null : error}
    FROM alarms a WHERE a.no = ${alarmNo} AND r.drill_id = a.drill_id AND r.recipient_id = ${userId}
      AND r.channel = ${channel} AND r.state <> 'arrived'
    RETURNING r.drill_id AS id`.execute(work.tx);
  for (const { id } of rows) publishDrill(work, orgId, { drill_id: id });
}

/** Reaction to `deliveriesEnded`: a target got the first message of a drill, or never will. */
export async function recordDrillDeliveries(work: Work, ends: readonly DeliveryEnd[]): Promise<void> {
  for (const { incidentId, targetId, ok, error, at, orgId } of ends) {
    if (!isId('drl', incidentId)) continue;
    await sql`
      UPDATE fire_drill_reaches
      SET state = ${ok ? 'arrived' : 'failed'}, settled_at = ${at}, error = ${ok ? null : error}
      WHERE drill_id = ${incidentId} AND recipient_id = ${targetId} AND state = 'waiting'`.execute(work.tx);
    publishDrill(work, orgId, { drill_id: incidentId });
  }
}

/** Deletes drills that began 400 days ago. */
export async function forgetOldDrills(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await db.deleteFrom('fire_drills').where('started_at', '<', before).execute();
}
