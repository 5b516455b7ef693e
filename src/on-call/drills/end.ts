// The end of a fire drill.
import { type RawBuilder, sql } from 'kysely';
import type { DrillOutcome } from '#src/domain/names.ts';
import { publishDrill } from '#src/events/publish.ts';
import { cancelOfDrill } from '#src/notifications/delivery/superseded.ts';
import { closedDrillText } from '#src/notifications/drill-text.ts';
import { orderingKeyOf } from '#src/notifications/ordering-key.ts';
import { enqueueDrill } from '#src/notifications/outbox.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import { addingJobs } from '#src/platform/jobs/add-job.ts';
import type { Work } from '#src/platform/work.ts';
import {
  cancelNotices,
  enqueueNotices,
  type NewNotice,
  recipientsOf,
} from '#src/user-notifications/enqueue.ts';
import { noticeDataOf, type RunningDrill, runningDrill } from './running.ts';

/**
 * Ends a running drill: cancels waiting notifications, and notifies everybody whom it had reached, except the person who ended
 * it. The organization is locked.
 */
export async function endDrill(work: Work, drill: RunningDrill, outcome: DrillOutcome): Promise<void> {
  const { tx, now, actor } = work;
  const { id, orgId, alarmNo } = drill;
  const byHand = outcome === 'acknowledged' || outcome === 'stopped';
  const endedBy = byHand ? actor : null;
  await tx
    .updateTable('fire_drills')
    .set({
      ended_at: now,
      outcome,
      ended_by_user_id: endedBy?.kind === 'user' ? endedBy.id : null,
      ended_by_key_name: endedBy?.kind === 'key' ? endedBy.name : null,
    })
    .where('id', '=', id)
    .execute();
  await tx.updateTable('alarms').set({ ended_at: now }).where('no', '=', alarmNo).execute();
  await tx.deleteFrom('alarm_steps').where('alarm_no', '=', alarmNo).where('done_at', 'is', null).execute();
  await cancelNotices(work, alarmNo);
  const recipients = await recipientsOf(work, alarmNo);
  await closeWaiting(work, drill);
  const named = endedBy === null ? {} : { by_name: endedBy.name };
  const data = { ...noticeDataOf(drill), stage: 'start' as const, outcome, ...named };
  await enqueueNotices(
    work,
    recipients
      .filter(({ userId }) => endedBy?.kind !== 'user' || userId !== endedBy.id)
      .map(({ userId, channel }): NewNotice => {
        return { orgId, userId, channel, alarmNo, kind: 'drill_ended', data };
      }),
  );
  await closeAtTargets(work, drill, closedDrillText(outcome));
  publishDrill(work, orgId, { drill_id: id });
}

/** Marks dashboards that have not rung as failed, and cancels unsent mails and pushes. */
async function closeWaiting({ tx, now }: Work, { id, alarmNo }: RunningDrill): Promise<void> {
  await sql`
    UPDATE fire_drill_reaches r SET settled_at = ${now},
      state = CASE WHEN r.channel = 'loud_alarm' THEN 'failed' ELSE 'cancelled' END,
      error = CASE WHEN r.channel = 'loud_alarm' THEN 'no_dashboard_rang' END
    WHERE r.drill_id = ${id} AND r.state = 'waiting' AND (r.channel = 'loud_alarm' OR EXISTS (
      SELECT FROM notices n WHERE n.alarm_no = ${alarmNo} AND n.user_id = r.user_id AND n.channel = r.channel
        AND n.state = 'cancelled'))`.execute(tx);
}

/**
 * Cancels what has not reached the targets, and tells those that it was over which may have got it. A page that waits for a retry
 * would call somebody after the drill, perhaps during a real alarm.
 */
async function closeAtTargets(work: Work, { id, orgId }: RunningDrill, text: string): Promise<void> {
  const { tx, now } = work;
  const { rows } = await sql<{ target: string }>`
    SELECT recipient_id AS target FROM fire_drill_reaches
    WHERE drill_id = ${id} AND target_name IS NOT NULL AND error IS DISTINCT FROM 'switched_off'`.execute(tx);
  const targets = rows.map(({ target }) => target);
  const keys = targets.map((target) => orderingKeyOf(target, id));
  const dropped = await cancelOfDrill(work, orgId, keys);
  // The record keeps why an attempt failed: a broken target is known before a real alarm needs it.
  await sql`
    UPDATE fire_drill_reaches r SET settled_at = ${now}, state = 'cancelled', error = x.error
    FROM jsonb_to_recordset(${JSON.stringify(dropped)}::jsonb) AS x ("targetId" text, error text)
    WHERE r.drill_id = ${id} AND r.recipient_id = x."targetId" AND r.state = 'waiting'`.execute(tx);
  const untried = new Set(dropped.filter(({ attempts }) => attempts === 0).map(({ targetId }) => targetId));
  await enqueueDrill(
    work,
    orgId,
    { id, state: 'closed', text },
    targets.filter((target) => !untried.has(target)),
  );
}

export const ABORT_TASK = 'break_off_drill';

/**
 * Ends the drill of an organization in which a real alarm begins, so that nobody confuses the two. A separate job does it, so
 * that the alarm neither waits for it nor fails with it.
 */
export const abortingLater = (orgId: string): RawBuilder<unknown> | null =>
  addingJobs(ABORT_TASK, [{ payload: { org_id: orgId }, key: `${ABORT_TASK}:${orgId}` }]);

/** Runs that job. */
export async function abortDrill(work: Work, orgId: string): Promise<void> {
  if (!(await lockOrganization(work.tx, orgId))) return;
  const drill = await runningDrill(work.tx, { orgId });
  if (drill !== null) await endDrill(work, drill, 'real_alarm');
}
