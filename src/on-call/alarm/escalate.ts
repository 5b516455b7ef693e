// The later steps of an alarm chain. Each runs once, in the job scheduled for its time.
import { sql } from 'kysely';
import { LATER_STEPS, type LaterStep } from '#src/domain/escalation.ts';
import { announceIncident } from '#src/incidents/announce.ts';
import { isAwake } from '#src/incidents/awake.ts';
import { type IncidentRow, selectIncidents } from '#src/incidents/queries.ts';
import { recordTimeline } from '#src/incidents/timeline.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import type { Work } from '#src/platform/work.ts';
import { enqueueNotices, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { type OnCall, reachedBy, readOnCall } from '../on-call-config.ts';
import { storeStepJobs } from './escalation-job.ts';
import { addAudience, ringFor } from './loud-alarm.ts';
import { describeIncidents } from './notice-content.ts';
import { reconcileAlarms } from './reconcile-alarm.ts';

const WORDS: Record<LaterStep, string> = { mail: 'the e-mail', stage1: 'stage 1', stage2: 'stage 2' };

type Alarm = { no: number; orgId: string };

/**
 * Runs the due steps of an alarm, and schedules the job of the next. The roster is read now, not when the alarm started.
 * Running twice, late, or on two servers at once is harmless: the organization's lock and `done_at` see to that. An alarm
 * that has ended or is paused is left alone.
 */
export async function runDueSteps(work: Work, alarmNo: number): Promise<void> {
  const { tx, now } = work;
  const alarm = await runningAlarm(work, alarmNo);
  if (!alarm) return;
  const steps = await tx
    .selectFrom('alarm_steps')
    .select('step')
    .where('alarm_no', '=', alarmNo)
    .where('done_at', 'is', null)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy(sql`array_position(${[...LATER_STEPS]}::text[], step)`)
    .execute();
  if (steps.length > 0) {
    const rows = await awakeOf(work, alarm);
    // A maintenance window began this second, and its own job has not run yet.
    if (rows.length === 0) return reconcileAlarms(work, alarm.orgId, new Set([alarmNo]), new Set());
    const onCall = await readOnCall(tx, alarm.orgId);
    const act = onCall.rota.active ? runStep : deferStep;
    for (const { step } of steps) await act(work, alarm, step as LaterStep, rows, onCall);
  }
  await storeStepJobs(work, [alarmNo]);
}

async function runningAlarm({ tx }: Work, alarmNo: number): Promise<Alarm | null> {
  const row = await tx.selectFrom('alarms').select('org_id').where('no', '=', alarmNo).executeTakeFirst();
  if (!row || !(await lockOrganization(tx, row.org_id))) return null;
  const running = await tx
    .selectFrom('alarms')
    .select('no')
    .where('no', '=', alarmNo)
    .where('ended_at', 'is', null)
    .where('paused_at', 'is', null)
    .executeTakeFirst();
  return running ? { no: alarmNo, orgId: row.org_id } : null;
}

/** Incidents of an alarm that page at this moment. */
async function awakeOf({ tx, now }: Work, { no, orgId }: Alarm): Promise<IncidentRow[]> {
  return selectIncidents(tx)
    .where('incidents.org_id', '=', orgId)
    .where(
      'incidents.id',
      'in',
      sql<string>`(SELECT i.id FROM incidents i WHERE i.alarm_no = ${no} AND ${isAwake(now)})`,
    )
    .orderBy('incidents.id')
    .execute();
}

/**
 * A step that comes due while on-call is off runs when it is on again: settings wake it, or the job auditor where the plan
 * had excluded on-call. The timeline says so once.
 */
async function deferStep(
  work: Work,
  alarm: Alarm,
  step: LaterStep,
  rows: readonly IncidentRow[],
  onCall: OnCall,
): Promise<void> {
  const { numUpdatedRows } = await work.tx
    .updateTable('alarm_steps')
    .set({ put_off_at: work.now })
    .where('alarm_no', '=', alarm.no)
    .where('step', '=', step)
    .where('put_off_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const why = onCall.entitled ? 'on-call is switched off' : 'the plan does not include on-call';
  await recordOnAll(work, rows, 'suppressed', `${WORDS[step]} waits: ${why}`);
}

async function runStep(
  work: Work,
  alarm: Alarm,
  step: LaterStep,
  rows: readonly IncidentRow[],
  onCall: OnCall,
): Promise<void> {
  await work.tx
    .updateTable('alarm_steps')
    .set({ done_at: work.now, put_off_at: null })
    .where('alarm_no', '=', alarm.no)
    .where('step', '=', step)
    .execute();
  const known = await reachedBefore(work, alarm.no);
  const { userIds, fallback } = reachedBy(onCall, step, work.now, known.rings);
  const fresh = userIds.filter((userId) => !known.rings.has(userId));
  const people = fresh.map((userId) => ({ userId, name: onCall.names.get(userId) ?? '' }));
  if (step !== 'mail') {
    await recordOnAll(work, rows, 'escalated', `${WORDS[step]}${suffixOf(fallback, fresh)}`);
    for (const row of rows) announceIncident(work, row, 'escalated');
  }
  await addAudience(
    work,
    fresh.map((userId) => ({ alarmNo: alarm.no, userId })),
  );
  const about = describeIncidents(rows);
  const notice = (userId: string, channel: 'mail' | 'push'): NewNotice => ({
    orgId: alarm.orgId,
    userId,
    channel,
    alarmNo: alarm.no,
    kind: step === 'mail' ? 'alarm' : 'alarm_escalated',
    data: { ...about, stage: step },
  });
  await enqueueNotices(work, [
    ...fresh.map((userId) => notice(userId, 'push')),
    ...userIds.filter((userId) => !known.mailed.has(userId)).map((userId) => notice(userId, 'mail')),
  ]);
  await ringFor(
    work,
    rows.map((row) => ({ row, people, detail: 'the loud alarm rings' })),
  );
}

function suffixOf(fallback: boolean, fresh: readonly string[]): string {
  if (fallback) return ': nobody else is on the roster, the administrators are told';
  return fresh.length === 0 ? ': it rings for everybody already' : '';
}

/** The people for whom an alarm rings already, and those with a mail sent or queued. */
async function reachedBefore(
  { tx }: Work,
  alarmNo: number,
): Promise<{ rings: Set<string>; mailed: Set<string> }> {
  const { rows } = await sql<{ user_id: string; mailed: boolean }>`
    SELECT user_id, false AS mailed FROM alarm_audience WHERE alarm_no = ${alarmNo}
    UNION ALL
    SELECT user_id, true FROM notices
    WHERE alarm_no = ${alarmNo} AND channel = 'mail' AND kind IN ('alarm', 'alarm_escalated')`.execute(tx);
  const usersWhere = (mailed: boolean) =>
    rows.filter((row) => row.mailed === mailed).map(({ user_id }) => user_id);
  return { rings: new Set(usersWhere(false)), mailed: new Set(usersWhere(true)) };
}

const recordOnAll = (
  work: Work,
  rows: readonly IncidentRow[],
  kind: 'suppressed' | 'escalated',
  detail: string,
) =>
  recordTimeline(
    work,
    rows.map(({ id }) => ({ incidentId: id, kind, detail })),
  );
