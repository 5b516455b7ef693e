// The state of an acknowledge link from a mail: is it valid, and which incidents would it acknowledge?
import { sql } from 'kysely';
import { runningDrill } from '../on-call/drills/running.ts';
import type { Database, Tx } from '../platform/work.ts';
import { type AcknowledgeLink, findAcknowledgeLink } from '../user-notifications/acknowledge-links.ts';

export type LinkState =
  | { kind: 'open'; link: AcknowledgeLink; alarm: AlarmToAcknowledge }
  /** 404 · 410 · 410 · 403 · 403 · 410 */
  | { kind: 'unknown' }
  | { kind: 'used' }
  | { kind: 'expired' }
  | { kind: 'not_a_member' }
  | { kind: 'viewer' }
  | { kind: 'ended'; orgId: string };

export type AlarmToAcknowledge = {
  organization: string;
  personName: string;
  email: string;
  /** Open and not acknowledged, the first 20, oldest first. */
  incidents: { id: string; monitorName: string | null; cause: string; startedAt: Date }[];
  /** All of them. */
  total: number;
  /** The fire drill that it is instead; null: a real alarm. */
  drillId: string | null;
};

/** Incidents listed at most. */
const MAX_LISTED = 20;

/** Reads the state of a link; changes nothing. */
export async function stateOfLink(db: Database | Tx, now: Date, token: string): Promise<LinkState> {
  const link = await findAcknowledgeLink(db, token);
  if (!link) return { kind: 'unknown' };
  if (link.usedAt !== null) return { kind: 'used' };
  if (link.expiresAt <= now) return { kind: 'expired' };
  const { orgId, userId, alarmNo } = link;
  type Person = Pick<AlarmToAcknowledge, 'organization' | 'personName' | 'email'> & { role: string };
  const { rows: people } = await sql<Person>`
    SELECT o.name AS organization, u.name AS "personName", u.email, m.role
    FROM members m JOIN organizations o ON o.id = m.org_id JOIN users u ON u.id = m.user_id
    WHERE m.org_id = ${orgId} AND m.user_id = ${userId}`.execute(db);
  const [found] = people;
  if (!found) return { kind: 'not_a_member' };
  const { role, ...person } = found;
  if (role === 'viewer') return { kind: 'viewer' };
  const drill = await runningDrill(db, { alarmNo });
  if (drill !== null)
    return { kind: 'open', link, alarm: { ...person, incidents: [], total: 0, drillId: drill.id } };
  const { rows } = await sql<AlarmToAcknowledge['incidents'][number] & { total: number }>`
    SELECT i.id, m.name AS "monitorName", i.cause, i.started_at AS "startedAt", count(*) OVER ()::int AS total
    FROM incidents i LEFT JOIN monitors m ON m.no = i.monitor_no
    WHERE ${toTake(orgId, alarmNo)} ORDER BY i.started_at, i.id LIMIT ${MAX_LISTED}`.execute(db);
  if (rows.length === 0) return { kind: 'ended', orgId };
  const incidents = rows.map(({ total, ...incident }) => incident);
  return { kind: 'open', link, alarm: { ...person, incidents, total: rows[0]?.total ?? 0, drillId: null } };
}

/** Ids of the incidents that an alarm still rings for, in lock order. */
export async function incidentsToAcknowledge(tx: Tx, { orgId, alarmNo }: AcknowledgeLink): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT i.id FROM incidents i WHERE ${toTake(orgId, alarmNo)} ORDER BY i.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The alarm of a storm may have taken over the one of the link. */
const toTake = (orgId: string, alarmNo: number) => sql`
  i.org_id = ${orgId} AND i.alarm_no = (SELECT coalesce(a.joined_no, a.no) FROM alarms a WHERE a.no = ${alarmNo}) AND i.status = 'open' AND i.acknowledged_at IS NULL`;
