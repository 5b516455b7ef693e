// The later steps of an alarm chain. Each runs once, in the job scheduled for its time.
import { sql } from 'kysely';
import { isPaging } from '#src/conditions/paging.ts';
import {
  type LaterStep,
  MAX_REMINDERS,
  notifyBy,
  STORED_STEPS,
  type Step,
  type StoredStep,
} from '#src/domain/escalation.ts';
import { announceIncident } from '#src/incidents/announce.ts';
import { type IncidentRow, selectIncidents } from '#src/incidents/queries.ts';
import { recordTimeline } from '#src/incidents/timeline.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import type { Work } from '#src/platform/work.ts';
import { enqueueNotices, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { runningDrill } from '../drills/running.ts';
import { runDrillSteps } from '../drills/steps.ts';
import { type OnCall, readOnCall } from '../on-call-config.ts';
import { storeStepJobs } from './escalation-job.ts';
import { addAudience, ringFor } from './loud-alarm.ts';
import { describeIncidents } from './notice-content.ts';
import { reachedBefore } from './reached-before.ts';
import { reconcileAlarms } from './reconcile-alarm.ts';

const WORDS: Record<LaterStep, string> = { mail: 'the e-mail', stage1: 'stage 1', stage2: 'stage 2' };

type Alarm = { no: number; orgId: string; isDrill: boolean };

/** A running alarm with the incidents that page, and the configuration that its steps follow. */
type Ringing = { alarm: Alarm; rows: readonly IncidentRow[]; onCall: OnCall };

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
    .orderBy(sql`array_position(${[...STORED_STEPS]}::text[], step)`)
    .execute();
  const due = steps.map(({ step }) => step);
  const drill = alarm.isDrill ? await runningDrill(tx, { alarmNo }) : null;
  if (drill !== null) await runDrillSteps(work, drill, due);
  else if (due.length > 0) {
    const rows = await pagingIncidents(work, alarm);
    // A maintenance window began this second, and its own job has not run yet.
    if (rows.length === 0) return reconcileAlarms(work, alarm.orgId, new Set([alarmNo]), new Set());
    const ringing = { alarm, rows, onCall: await readOnCall(tx, alarm.orgId, now) };
    for (const step of due) await take(work, ringing, step as StoredStep);
  }
  await storeStepJobs(work, [alarmNo]);
}

async function runningAlarm({ tx }: Work, alarmNo: number): Promise<Alarm | null> {
  const row = await tx
    .selectFrom('alarms')
    .select(['org_id', 'drill_id'])
    .where('no', '=', alarmNo)
    .executeTakeFirst();
  if (!row || !(await lockOrganization(tx, row.org_id))) return null;
  const running = await tx
    .selectFrom('alarms')
    .select('no')
    .where('no', '=', alarmNo)
    .where('ended_at', 'is', null)
    .where('paused_at', 'is', null)
    .executeTakeFirst();
  return running ? { no: alarmNo, orgId: row.org_id, isDrill: row.drill_id !== null } : null;
}

/** Incidents of an alarm that page at this moment. */
async function pagingIncidents({ tx, now }: Work, { no, orgId }: Alarm): Promise<IncidentRow[]> {
  return selectIncidents(tx)
    .where('incidents.org_id', '=', orgId)
    .where(
      'incidents.id',
      'in',
      sql<string>`(SELECT i.id FROM incidents i WHERE i.alarm_no = ${no} AND ${isPaging(now)})`,
    )
    .orderBy('incidents.id')
    .execute();
}

function take(work: Work, ringing: Ringing, step: StoredStep): Promise<void> {
  if (step === 'reminder') return remind(work, ringing);
  return ringing.onCall.rotation.active ? runStep(work, ringing, step) : deferStep(work, ringing, step);
}

/**
 * Defers a step that comes due while on-call is off until on-call is on again: a change of settings wakes it, or the job
 * auditor after a change of plan. Meanwhile the administrators are notified instead, and the timeline says so once.
 */
async function deferStep(work: Work, ringing: Ringing, step: LaterStep): Promise<void> {
  const { alarm, rows, onCall } = ringing;
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
  await notify(work, ringing, 'start');
  await storeReminder(work, ringing);
}

async function runStep(work: Work, ringing: Ringing, step: LaterStep): Promise<void> {
  await work.tx
    .updateTable('alarm_steps')
    .set({ done_at: work.now, put_off_at: null })
    .where('alarm_no', '=', ringing.alarm.no)
    .where('step', '=', step)
    .execute();
  await notify(work, ringing, step);
  if (step === 'stage2') await storeReminder(work, ringing);
}

/**
 * Notifies everyone of the last stage again, and schedules the next reminder. Not if the last stage, due in the same run of a late job,
 * has just moved this one behind itself.
 */
async function remind(work: Work, ringing: Ringing): Promise<void> {
  const { reminder_minutes: minutes } = ringing.onCall.settings;
  if (ringing.onCall.rotation.active && (await waitForLastStage(work, ringing))) return;
  const next = new Date(work.now.getTime() + minutes * 60_000);
  const isOff = minutes === 0;
  const { rows } = await sql<{ times: number }>`
    UPDATE alarm_steps SET times = times + 1, due_at = ${next},
      done_at = CASE WHEN ${isOff} OR times + 1 >= ${MAX_REMINDERS} THEN ${work.now}::timestamptz END
    WHERE alarm_no = ${ringing.alarm.no} AND step = 'reminder' AND due_at <= ${work.now} RETURNING times`.execute(
    work.tx,
  );
  const [done] = rows;
  if (done && !isOff) await notify(work, ringing, 'reminder', done.times);
}

/**
 * Moves the reminder behind a last stage that is still to come: it was stored while on-call was off, and on-call is on again. It
 * would wake everyone of that stage ahead of it. False where no stage is to come.
 */
async function waitForLastStage({ tx }: Work, { alarm, onCall }: Ringing): Promise<boolean> {
  const { reminder_minutes: minutes } = onCall.settings;
  const { numAffectedRows } = await sql`
    UPDATE alarm_steps s SET due_at = last.due_at + make_interval(mins => ${minutes}::int)
    FROM alarm_steps last WHERE s.alarm_no = ${alarm.no} AND s.step = 'reminder'
      AND last.alarm_no = s.alarm_no AND last.step = 'stage2' AND last.done_at IS NULL`.execute(tx);
  return numAffectedRows === 1n;
}

/** Schedules the first reminder after the last stage of an alarm. */
async function storeReminder({ tx, now }: Work, { alarm, onCall }: Ringing): Promise<void> {
  const { reminder_minutes: minutes } = onCall.settings;
  if (minutes === 0) return;
  const due = new Date(now.getTime() + minutes * 60_000);
  await sql`INSERT INTO alarm_steps (alarm_no, step, due_at) VALUES (${alarm.no}, 'reminder', ${due})
    ON CONFLICT (alarm_no, step) DO UPDATE SET due_at = excluded.due_at WHERE alarm_steps.done_at IS NULL`.execute(
    tx,
  );
}

/** Notifies the people of a step, each on the channels that have not reached them yet. */
async function notify(work: Work, ringing: Ringing, step: Step, reminder?: number): Promise<void> {
  const { alarm, rows, onCall } = ringing;
  const { orgId, no: alarmNo } = alarm;
  const known = await reachedBefore(work, alarmNo);
  const { rotation, administrators, names } = onCall;
  const { reaches, fallback } = notifyBy(step, rotation, administrators, work.now.getTime(), known);
  const by = (way: 'loud_alarm' | 'push' | 'mail') =>
    reaches.filter((reached) => reached.by.includes(way)).map(({ userId }) => userId);
  const rung = by('loud_alarm');
  if (step === 'stage1' || step === 'stage2') {
    await recordOnAll(work, rows, 'escalated', `${WORDS[step]}${suffixOf(fallback, rung)}`);
    for (const row of rows) announceIncident(work, row, 'escalated');
  }
  if (reminder !== undefined)
    await recordOnAll(work, rows, 'paged', `reminder ${reminder} of ${MAX_REMINDERS}`);
  await addAudience(
    work,
    rung.map((userId) => ({ alarmNo, userId })),
  );
  const about = describeIncidents(rows);
  const notice = (userId: string, channel: 'mail' | 'push'): NewNotice => ({
    orgId,
    userId,
    channel,
    alarmNo,
    kind: KIND_OF[step],
    data: { ...about, stage: step, ...(reminder === undefined ? {} : { reminder }) },
  });
  await enqueueNotices(work, [
    ...by('push').map((userId) => notice(userId, 'push')),
    ...by('mail').map((userId) => notice(userId, 'mail')),
  ]);
  // A reminder is a single timeline entry, however many people it notifies.
  const fresh = rung.filter((userId) => !known.rings.has(userId));
  const people = fresh.map((userId) => ({ userId, name: names.get(userId) ?? '' }));
  await ringFor(
    work,
    rows.map((row) => ({ row, people, detail: 'the loud alarm rings' })),
  );
}

const KIND_OF = {
  start: 'alarm',
  mail: 'alarm',
  stage1: 'alarm_escalated',
  stage2: 'alarm_escalated',
  reminder: 'alarm_reminder',
} as const;

function suffixOf(fallback: boolean, fresh: readonly string[]): string {
  if (fallback) return ': nobody else is on the roster, the administrators are told';
  return fresh.length === 0 ? ': it rings for everybody already' : '';
}

const recordOnAll = (
  work: Work,
  rows: readonly IncidentRow[],
  kind: 'suppressed' | 'escalated' | 'paged',
  detail: string,
) =>
  recordTimeline(
    work,
    rows.map(({ id }) => ({ incidentId: id, kind, detail })),
  );
