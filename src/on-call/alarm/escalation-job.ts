import { type RawBuilder, sql } from 'kysely';
import { addJobs } from '#src/platform/jobs/add-job.ts';
import type { Tx, Work } from '#src/platform/work.ts';
import { numbers } from './alarm-state.ts';

export const ALARM_TASK = 'alarm';

/** Ahead of all other jobs: no backlog may delay an escalation. */
const PRIORITY = -10;

export const alarmKey = (alarmNo: number) => `${ALARM_TASK}:${alarmNo}`;
const jobOf = (alarmNo: number) => ({ payload: { alarm_no: alarmNo }, key: alarmKey(alarmNo) });

/** Schedules the job of each alarm's next step, if it has one. The job of an alarm that has ended does nothing. */
export async function storeStepJobs(
  work: Pick<Work, 'tx' | 'now'>,
  alarmNos: Iterable<number>,
): Promise<void> {
  await storingStepJobs(work, alarmNos).execute(work.tx);
}

/** The statement of `storeStepJobs`. */
export const storingStepJobs = (
  { now }: Pick<Work, 'now'>,
  alarmNos: Iterable<number>,
): RawBuilder<unknown> =>
  // Computes the delay on the database's clock, as addJobs does.
  sql`SELECT graphile_worker.add_job(${ALARM_TASK}, json_build_object('alarm_no', next.no),
      run_at => now() + greatest(next.due_at - ${now}::timestamptz, '0'), job_key => ${`${ALARM_TASK}:`}::text || next.no,
      priority => ${PRIORITY})
    FROM (
      SELECT alarm_no AS no, min(due_at) AS due_at FROM alarm_steps
      WHERE alarm_no = ANY(${numbers(alarmNos)}) AND done_at IS NULL AND put_off_at IS NULL GROUP BY alarm_no
    ) next`;

/** Runs the job of these alarms as soon as this commits. */
export const wakeAlarms = (tx: Tx, alarmNos: readonly number[]): Promise<void> =>
  addJobs(tx, ALARM_TASK, alarmNos.map(jobOf), { priority: PRIORITY });

/** The organization of alarm `a` has on-call switched on, and in its plan. */
const isOnCallOn = sql`EXISTS (SELECT FROM on_call_settings s JOIN organizations o ON o.id = s.org_id
  JOIN plans p ON p.name = o.plan WHERE s.org_id = a.org_id AND s.enabled AND p.on_call)`;

/**
 * Running alarms with a step that was due before `overdue`: their job was lost, or the step was deferred while on-call was
 * off and on-call is on again.
 */
export async function overdueAlarms(tx: Tx, overdue: Date): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    SELECT DISTINCT a.no FROM alarm_steps s JOIN alarms a ON a.no = s.alarm_no
    WHERE s.due_at < ${overdue} AND s.done_at IS NULL AND a.ended_at IS NULL AND a.paused_at IS NULL
      AND (s.put_off_at IS NULL OR ${isOnCallOn})`.execute(tx);
  return rows.map(({ no }) => no);
}

/** Wakes the alarms of an organization with a deferred step: on-call is on again. */
export async function wakeDeferred(tx: Tx, orgId: string): Promise<void> {
  const { rows } = await sql<{ no: number }>`
    SELECT DISTINCT a.no FROM alarms a JOIN alarm_steps s ON s.alarm_no = a.no
    WHERE a.org_id = ${orgId} AND a.ended_at IS NULL AND s.done_at IS NULL AND s.put_off_at IS NOT NULL`.execute(
    tx,
  );
  await wakeAlarms(
    tx,
    rows.map(({ no }) => no),
  );
}
