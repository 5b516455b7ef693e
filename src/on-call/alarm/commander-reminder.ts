// Reminds the commander of an acknowledged incident once a day while it is open (docs/rules/on-call-and-alarms.md#reminders).
import { sql } from 'kysely';
import { monitorInMaintenance } from '#src/conditions/paging.ts';
import { DAY_MS } from '#src/domain/durations.ts';
import type { Changed } from '#src/incidents/announce.ts';
import { addJobs } from '#src/platform/jobs/add-job.ts';
import { unix } from '#src/platform/unix.ts';
import { sendUnawaited, type Tx, type Work } from '#src/platform/work.ts';
import { enqueueNotices, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { DEFAULTS } from '../on-call-config.ts';
import { describeIncidents } from './notice-content.ts';

export const COMMANDER_TASK = 'remind_commander';

export const commanderKey = (incidentId: string) => `${COMMANDER_TASK}:${incidentId}`;
const jobOf = (incidentId: string) => ({
  payload: { incident_id: incidentId },
  key: commanderKey(incidentId),
});

/** Starts the daily reminders of acknowledged incidents, and ends those of closed ones. */
export async function followAcknowledged(
  work: Work,
  { changes }: { changes: readonly Changed[] },
): Promise<void> {
  const { tx, now } = work;
  const over = changes.filter(({ row }) => row.status === 'closed').map(({ row }) => row.id);
  if (over.length > 0)
    sendUnawaited(
      work,
      tx.deleteFrom('commander_reminders').where('incident_id', '=', sql<string>`ANY(${over}::text[])`),
    );
  const acknowledged = changes.filter(
    ({ row, change }) =>
      change === 'acknowledged' && row.status === 'open' && row.commander_user_id !== null && !row.example,
  );
  const ids = [...new Set(acknowledged.map(({ row }) => row.id))];
  if (ids.length === 0) return;
  const due = new Date(now.getTime() + DAY_MS);
  await sql`INSERT INTO commander_reminders (incident_id, due_at)
    SELECT id, ${due} FROM unnest(${ids}::text[]) AS id ON CONFLICT DO NOTHING`.execute(tx);
  await addJobs(
    tx,
    COMMANDER_TASK,
    ids.map((id) => ({ ...jobOf(id), runAt: due, from: now })),
  );
}

type Acknowledged = {
  id: string;
  orgId: string;
  due_at: Date;
  status: string;
  cause: string;
  started_at: Date;
  acknowledged_at: Date;
  monitor_name: string | null;
  group_name: string | null;
  /** null: the commander is no member any more. */
  commander: string | null;
  minutes: number;
  quiet: boolean;
};

/**
 * Reminds the commander of an open incident by mail and push, and schedules the next reminder a day later. One reminder covers
 * all incidents of the storm that the person commands, except those in maintenance. Running twice, or early, is harmless.
 */
export async function remindCommander(work: Work, incidentId: string): Promise<void> {
  const { tx, now } = work;
  if (await isDue(work, incidentId)) await remindOfAll(work, incidentId);
  const row = await tx
    .selectFrom('commander_reminders')
    .select('due_at')
    .where('incident_id', '=', incidentId)
    .executeTakeFirst();
  if (row) await addJobs(tx, COMMANDER_TASK, [{ ...jobOf(incidentId), runAt: row.due_at, from: now }]);
}

/** Checks without a lock: in a storm of thousands all jobs but the first end here. */
async function isDue({ tx, now }: Work, incidentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('commander_reminders')
    .select('incident_id')
    .where('incident_id', '=', incidentId)
    .where('due_at', '<=', now)
    .executeTakeFirst();
  return row !== undefined;
}

async function remindOfAll(work: Work, incidentId: string): Promise<void> {
  const { tx, now } = work;
  const acknowledged = await lockAcknowledged(work, incidentId);
  const row = acknowledged.find(({ id }) => id === incidentId);
  if (!row || row.due_at > now) return;
  if (row.status !== 'open') {
    await tx.deleteFrom('commander_reminders').where('incident_id', '=', incidentId).execute();
    return;
  }
  const open = acknowledged.filter(({ status }) => status === 'open');
  await tx
    .updateTable('commander_reminders')
    .set({ due_at: new Date(now.getTime() + DAY_MS) })
    .where('incident_id', '=', sql<string>`ANY(${open.map(({ id }) => id)}::text[])`)
    .execute();
  const loud = open.filter(({ quiet }) => !quiet);
  if (row.commander !== null && row.minutes > 0) await enqueueNotices(work, noticesOf(loud, row.commander));
}

/**
 * An acknowledged incident, with the others of its storm that the same person commands. Locks their reminders in one order: the
 * jobs of a storm are due together, and only the first finds its reminder due.
 */
async function lockAcknowledged({ tx, now }: Work, incidentId: string): Promise<Acknowledged[]> {
  const { rows } = await sql<Acknowledged>`
    SELECT i.id, i.org_id AS "orgId", r.due_at, i.status, i.cause, i.started_at, i.acknowledged_at, m.name AS monitor_name,
      (SELECT name FROM incident_groups g WHERE g.no = i.group_no) AS group_name,
      (SELECT user_id FROM members WHERE org_id = i.org_id AND user_id = i.commander_user_id
        AND role <> 'viewer') AS commander,
      coalesce((SELECT reminder_minutes FROM on_call_settings WHERE org_id = i.org_id), ${DEFAULTS.reminder_minutes})
        AS minutes,
      ${monitorInMaintenance(now)} AS quiet
    FROM commander_reminders r JOIN incidents i ON i.id = r.incident_id LEFT JOIN monitors m ON m.no = i.monitor_no
    WHERE r.incident_id = ${incidentId} OR i.id IN (
      SELECT other.id FROM incidents own JOIN incidents other
        ON other.group_no = own.group_no AND other.commander_user_id = own.commander_user_id AND other.status = 'open'
      WHERE own.id = ${incidentId})
    ORDER BY r.incident_id FOR UPDATE OF r`.execute(tx);
  return rows;
}

function noticesOf(rows: readonly Acknowledged[], userId: string): NewNotice[] {
  const [first] = rows.toSorted((a, b) => a.acknowledged_at.getTime() - b.acknowledged_at.getTime());
  if (!first) return [];
  const data = {
    ...describeIncidents(rows),
    stage: 'reminder' as const,
    acknowledged_at_unix: unix(first.acknowledged_at),
  };
  const notice = { orgId: first.orgId, userId, kind: 'alarm_commander' as const, data };
  return [
    { ...notice, channel: 'mail' },
    { ...notice, channel: 'push' },
  ];
}

/** Incidents whose reminder was due before `overdue`: their job was lost. */
export async function overdueCommanderReminders(tx: Tx, overdue: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom('commander_reminders')
    .select('incident_id')
    .where('due_at', '<', overdue)
    .orderBy('due_at')
    .limit(1000)
    .execute();
  return rows.map(({ incident_id }) => incident_id);
}

/** Runs the reminders of these incidents as soon as this commits. */
export const wakeCommanderReminders = (tx: Tx, incidentIds: readonly string[]): Promise<void> =>
  addJobs(tx, COMMANDER_TASK, incidentIds.map(jobOf));
