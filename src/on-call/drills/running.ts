// The drill of an organization that is running, with its alarm.
import { sql } from 'kysely';
import { lockOrganization } from '#src/organizations/lock.ts';
import { unix } from '#src/platform/unix.ts';
import type { Database, Tx, Work } from '#src/platform/work.ts';
import type { OnCall } from '../on-call-config.ts';

export type RunningDrill = {
  id: string;
  orgId: string;
  alarmNo: number;
  forPerson: boolean;
  /** The only person who is notified; null: the whole chain. */
  userId: string | null;
  startedAtUnix: number;
  /** '' for an account that is gone. */
  startedByName: string;
};

/** The running drill of an organization, or of an alarm; null: there is none. */
export async function runningDrill(
  db: Database | Tx,
  of: { orgId: string } | { alarmNo: number },
): Promise<RunningDrill | null> {
  const those = 'orgId' in of ? sql`d.org_id = ${of.orgId}` : sql`a.no = ${of.alarmNo}`;
  const { rows } = await sql<Omit<RunningDrill, 'startedAtUnix'> & { startedAt: Date }>`
    SELECT d.id, d.org_id AS "orgId", a.no AS "alarmNo", d.for_person AS "forPerson", d.user_id AS "userId",
      d.started_at AS "startedAt", coalesce(d.started_by_key_name, u.name, '') AS "startedByName"
    FROM fire_drills d JOIN alarms a ON a.drill_id = d.id LEFT JOIN users u ON u.id = d.started_by_user_id
    WHERE ${those} AND d.ended_at IS NULL`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { startedAt, ...drill } = row;
  return { ...drill, startedAtUnix: unix(startedAt) };
}

/** Locks the organization, and returns its drill with this id if it is still running. */
export async function lockDrill(work: Work, orgId: string, id: string): Promise<RunningDrill | null> {
  if (!(await lockOrganization(work.tx, orgId))) return null;
  const drill = await runningDrill(work.tx, { orgId });
  return drill?.id === id ? drill : null;
}

/** The on-call configuration of a drill. For one person it is as if they alone were on duty, on the roster and administrator. */
export function onCallOf(onCall: OnCall, { forPerson, userId }: RunningDrill): OnCall {
  if (!forPerson) return onCall;
  const only = userId === null ? [] : [userId];
  const rotation = { ...onCall.rotation, active: true, mode: 'manual' as const, manualUserId: userId };
  return { ...onCall, rotation: { ...rotation, roster: only, overrides: [] }, administrators: only };
}

/** The fields that every notice of a drill has. */
export const noticeDataOf = ({ id, startedAtUnix, startedByName }: RunningDrill) => ({
  drill_id: id,
  started_at_unix: startedAtUnix,
  started_by_name: startedByName,
});
