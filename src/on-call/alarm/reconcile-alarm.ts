// What becomes of alarms when their incidents change: they end, pause, or go on.
import { sql } from 'kysely';
import { isAwake, isPending } from '#src/incidents/awake.ts';
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
import { aboutAlarms } from './notice-content.ts';

type Running = { no: number; isPaused: boolean; isPending: boolean; isAwake: boolean };

/**
 * Brings alarms in line with how their incidents stand: one that waits for nobody any more ends, one of which everything
 * is quiet pauses, and one that was paused goes on, its steps later by as much. `taken` says which of those that end were
 * acknowledged; the others were resolved. The organization is locked.
 */
export async function settleAlarms(
  work: Work,
  orgId: string,
  alarmNos: ReadonlySet<number>,
  taken: ReadonlySet<number>,
): Promise<void> {
  if (alarmNos.size === 0) return;
  const { rows } = await sql<Running>`
    SELECT a.no, a.paused_at IS NOT NULL AS "isPaused",
      EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND ${isPending}) AS "isPending",
      EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND ${isAwake(work.now)}) AS "isAwake"
    FROM alarms a WHERE a.no = ANY(${numbers(alarmNos)}) AND a.ended_at IS NULL ORDER BY a.no`.execute(
    work.tx,
  );
  const those = (fits: (alarm: Running) => boolean) => rows.filter(fits).map(({ no }) => no);
  await end(
    work,
    orgId,
    those((alarm) => !alarm.isPending),
    taken,
  );
  await pause(
    work,
    those((alarm) => alarm.isPending && !alarm.isAwake && !alarm.isPaused),
  );
  await goOn(
    work,
    those((alarm) => alarm.isAwake && alarm.isPaused),
  );
}

async function pause({ tx, now }: Work, nos: readonly number[]): Promise<void> {
  if (nos.length === 0) return;
  await sql`UPDATE alarms SET paused_at = ${now} WHERE no = ANY(${numbers(nos)})`.execute(tx);
}

async function goOn(work: Work, nos: readonly number[]): Promise<void> {
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
  taken: ReadonlySet<number>,
): Promise<void> {
  if (nos.length === 0) return;
  const { tx, now } = work;
  await sql`UPDATE alarms SET ended_at = ${now} WHERE no = ANY(${numbers(nos)})`.execute(tx);
  // What was not taken is never due again, and is nobody's to look through.
  await sql`DELETE FROM alarm_steps WHERE alarm_no = ANY(${numbers(nos)}) AND done_at IS NULL`.execute(tx);
  const noticed = await withNotices(work, nos);
  if (noticed.length === 0) return;
  const [about, ...told] = await Promise.all([
    aboutAlarms(
      work,
      noticed.map(({ no }) => no),
    ),
    ...noticed.map(({ no }) => recipientsOf(work, no)),
  ]);
  await Promise.all(noticed.map(({ no }) => cancelNotices(work, no)));
  const { kind: by, id, name } = work.actor;
  const doneBy = by === 'user' || by === 'key' ? { by_name: name } : {};
  await enqueueNotices(
    work,
    noticed.flatMap(({ no, stage }, i) => {
      const kind: NoticeKind = taken.has(no) ? 'alarm_acknowledged' : 'alarm_resolved';
      const data = { ...(about.get(no) ?? { incidents: [], total: 0 }), stage, ...doneBy };
      // Whoever did it knows.
      return (told[i] ?? [])
        .filter(({ userId }) => by !== 'user' || userId !== id)
        .map(({ userId, channel }): NewNotice => ({ orgId, userId, channel, alarmNo: no, kind, data }));
    }),
  );
}

type Noticed = { no: number; stage: 'start' | 'mail' | 'stage1' | 'stage2' };

/** Those of these alarms that somebody has a notice of, with how far their chain has come. */
async function withNotices({ tx }: Work, nos: readonly number[]): Promise<Noticed[]> {
  const { rows } = await sql<Noticed>`
    SELECT a.no, coalesce((SELECT s.step FROM alarm_steps s WHERE s.alarm_no = a.no AND s.done_at IS NOT NULL
      ORDER BY array_position('{mail,stage1,stage2}', s.step) DESC LIMIT 1), 'start') AS stage
    FROM unnest(${numbers(nos)}) AS a (no)
    WHERE EXISTS (SELECT FROM notices n WHERE n.alarm_no = a.no) ORDER BY a.no`.execute(tx);
  return rows;
}
