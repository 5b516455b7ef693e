import { sql } from 'kysely';
import { addJobs } from '../../platform/jobs/add-job.ts';
import type { Tx } from '../../platform/work.ts';
import { numbers } from './standing.ts';

export const ALARM_TASK = 'alarm';

const jobOf = (alarmNo: number) => ({ payload: { alarm_no: alarmNo }, key: `${ALARM_TASK}:${alarmNo}` });

/** Stores for each of these alarms the job of its next step, where there is one. One that ended leaves it nothing to do. */
export async function storeStepJobs(tx: Tx, alarmNos: Iterable<number>): Promise<void> {
  const { rows } = await sql<{ no: number; due_at: Date }>`
    SELECT alarm_no AS no, min(due_at) AS due_at FROM alarm_steps
    WHERE alarm_no = ANY(${numbers(alarmNos)}) AND done_at IS NULL GROUP BY alarm_no`.execute(tx);
  await addJobs(
    tx,
    ALARM_TASK,
    rows.map(({ no, due_at }) => ({ ...jobOf(no), runAt: due_at })),
  );
}

/** Has these alarms looked at as soon as this commits. */
export const wakeAlarms = (tx: Tx, alarmNos: readonly number[]): Promise<void> =>
  addJobs(tx, ALARM_TASK, alarmNos.map(jobOf));

/** Alarms that run and have a step that was due before `overdue`: their job is lost. */
export async function overdueAlarms(tx: Tx, overdue: Date): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    SELECT DISTINCT a.no FROM alarm_steps s JOIN alarms a ON a.no = s.alarm_no
    WHERE s.due_at < ${overdue} AND s.done_at IS NULL AND a.ended_at IS NULL AND a.paused_at IS NULL`.execute(
    tx,
  );
  return rows.map(({ no }) => no);
}
