// Ends, pauses or resumes alarms after their incidents have changed.
import { sql } from 'kysely';
import { isPaging, isPending } from '#src/conditions/paging.ts';
import type { Step } from '#src/domain/escalation.ts';
import { holdPages, releasePages } from '#src/notifications/delivery/held-pages.ts';
import { PAGING } from '#src/notifications/delivery/queue.ts';
import { leavesOutIncidents } from '#src/notifications/delivery/receives-incident.ts';
import { pipelined } from '#src/platform/db/pipelined.ts';
import type { Work } from '#src/platform/work.ts';
import {
  cancelNotices,
  enqueueNotices,
  type NewNotice,
  type NoticeKind,
  recipientsOf,
  wakeNotices,
} from '#src/user-notifications/enqueue.ts';
import { numbers } from './alarm-state.ts';
import { storeStepJobs } from './escalation-job.ts';
import { describeAlarms } from './notice-content.ts';

type Running = {
  no: number;
  isPaused: boolean;
  isOpen: boolean;
  isPending: boolean;
  isPaging: boolean;
  /** Some of its pending incidents are suppressed, and a pager may receive only those. */
  isPartlyQuiet: boolean;
  /** Pages of its organization are held. */
  hasHeld: boolean;
};

/**
 * Brings alarms in line with their incidents. An alarm ends when none of its incidents is pending, and pauses when all
 * pending ones are suppressed. A resumed alarm runs its steps later by the length of the pause. `acknowledged` names the
 * alarms that end by an acknowledgement. Those of which an incident is still open end as acknowledged too: somebody has it. The
 * others end as resolved. The organization is locked.
 */
export async function reconcileAlarms(
  work: Work,
  orgId: string,
  alarmNos: ReadonlySet<number>,
  acknowledged: ReadonlySet<number>,
): Promise<void> {
  if (alarmNos.size === 0) return;
  const { rows } = await sql<Running>`
    SELECT a.no, a.paused_at IS NOT NULL AS "isPaused",
      EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND i.status = 'open') AS "isOpen",
      EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND ${isPending}) AS "isPending",
      EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND ${isPaging(work.now)}) AS "isPaging",
      -- Looks at every incident, so only where it matters.
      CASE WHEN a.group_no IS NOT NULL AND EXISTS (SELECT FROM webhook_targets t
          WHERE t.org_id = a.org_id AND t.kind = ANY(${PAGING}::text[]) AND ${leavesOutIncidents(sql`t.id`)})
        THEN EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND ${isPending} AND NOT ${isPaging(work.now)})
        ELSE false END AS "isPartlyQuiet",
      EXISTS (SELECT FROM delivery_queue q WHERE q.next_attempt_at = 'infinity' AND q.org_id = a.org_id) AS "hasHeld"
    FROM alarms a WHERE a.no = ANY(${numbers(alarmNos)}) AND a.ended_at IS NULL ORDER BY a.no`.execute(
    work.tx,
  );
  const those = (fits: (alarm: Running) => boolean) => rows.filter(fits).map(({ no }) => no);
  await end(
    work,
    orgId,
    those((alarm) => !alarm.isPending),
    acknowledged,
    new Set(those((alarm) => alarm.isOpen)),
  );
  const silenced = those((alarm) => alarm.isPending && !alarm.isPaging && !alarm.isPaused);
  await pause(work, silenced);
  await resume(
    work,
    those((alarm) => alarm.isPaging && alarm.isPaused),
  );
  // An alarm that rings for some incidents is quiet at a target that receives only others.
  const quiet = [...silenced, ...those((alarm) => alarm.isPaging && alarm.isPartlyQuiet)];
  if (quiet.length > 0) await holdPages(work, orgId, quiet);
  // Pages of an alarm that ended are released too: the message that calls people off may wait behind them.
  if (rows.some((alarm) => alarm.hasHeld && (alarm.isPaging || !alarm.isPending)))
    await releasePages(work, orgId);
}

async function pause({ tx, now }: Work, nos: readonly number[]): Promise<void> {
  if (nos.length === 0) return;
  await sql`UPDATE alarms SET paused_at = ${now} WHERE no = ANY(${numbers(nos)})`.execute(tx);
}

async function resume(work: Work, nos: readonly number[]): Promise<void> {
  if (nos.length === 0) return;
  const { tx, now } = work;
  await sql`UPDATE alarm_steps s SET due_at = s.due_at + (${now}::timestamptz - a.paused_at)
    FROM alarms a WHERE a.no = s.alarm_no AND a.no = ANY(${numbers(nos)}) AND s.done_at IS NULL`.execute(tx);
  await sql`UPDATE alarms SET paused_at = NULL WHERE no = ANY(${numbers(nos)})`.execute(tx);
  await storeStepJobs(work, nos);
  await wakeNotices(work);
}

async function end(
  work: Work,
  orgId: string,
  nos: readonly number[],
  acknowledged: ReadonlySet<number>,
  open: ReadonlySet<number>,
): Promise<void> {
  if (nos.length === 0) return;
  const { tx, now } = work;
  const [, , notified] = await pipelined(
    () => sql`UPDATE alarms SET ended_at = ${now} WHERE no = ANY(${numbers(nos)})`.execute(tx),
    // Steps left undone are never due again; deleting them keeps the scan for due steps short.
    () => sql`DELETE FROM alarm_steps WHERE alarm_no = ANY(${numbers(nos)}) AND done_at IS NULL`.execute(tx),
    () => alarmsWithNotices(work, nos),
  );
  if (notified.length === 0) return;
  // First: it waits for a sender that is claiming one of them, and whom that mails must not be missed.
  await Promise.all(notified.map(({ no }) => cancelNotices(work, no)));
  const [about, ...recipients] = await Promise.all([
    describeAlarms(
      work,
      notified.map(({ no }) => no),
    ),
    ...notified.map(({ no }) => recipientsOf(work, no)),
  ]);
  const { kind: actor, id, name } = work.actor;
  const doneBy = actor === 'user' || actor === 'key' ? { by_name: name } : {};
  await enqueueNotices(
    work,
    notified.flatMap(({ no, stage }, i) => {
      const isAcknowledged = acknowledged.has(no) || open.has(no);
      const kind: NoticeKind = isAcknowledged ? 'alarm_acknowledged' : 'alarm_resolved';
      // Whoever resolved the last that nobody had taken did not acknowledge the others.
      const by = isAcknowledged && !acknowledged.has(no) ? {} : doneBy;
      const data = { ...(about.get(no) ?? { incidents: [], total: 0 }), stage, ...by };
      // The person who ended the alarm needs no notice.
      return (recipients[i] ?? [])
        .filter(({ userId }) => actor !== 'user' || userId !== id)
        .map(({ userId, channel }): NewNotice => ({ orgId, userId, channel, alarmNo: no, kind, data }));
    }),
  );
}

type Notified = { no: number; stage: Step };

/** The alarms that sent a notice to anybody, or took over one that did, with the last step of their chain. */
async function alarmsWithNotices({ tx }: Work, nos: readonly number[]): Promise<Notified[]> {
  const { rows } = await sql<Notified>`
    SELECT a.no, coalesce((SELECT s.step FROM alarm_steps s WHERE s.alarm_no = a.no AND s.done_at IS NOT NULL
      ORDER BY array_position('{mail,stage1,stage2,reminder}', s.step) DESC LIMIT 1), 'start') AS stage
    FROM unnest(${numbers(nos)}) AS a (no)
    WHERE EXISTS (SELECT FROM notices n WHERE n.alarm_no = a.no
      UNION ALL SELECT FROM alarms j JOIN notices n ON n.alarm_no = j.no WHERE j.joined_no = a.no) ORDER BY a.no`.execute(
    tx,
  );
  return rows;
}
