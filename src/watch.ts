// The second loop over the alert pipeline (reliability, section 1): what is due and has no job, because its worker
// died, is added again; partitions are there before they are needed, also after a long sleep of the machine.
import { sql } from 'kysely';
import { noteDropped } from './activity/drop.ts';
import { CONFIRM_TASK, confirmKey } from './checks/apply.ts';
import { checksRetention } from './checks/raw-retention.ts';
import { END_HOLD_TASK, endHoldsNow } from './incidents/end-hold.ts';
import { MAINTENANCE_TASK, wakeWindow } from './maintenance/effects.ts';
import { GROUP_TASK } from './monitors/groups.ts';
import { countOverdueNotices } from './notices/claim.ts';
import { wakeNotices } from './notices/enqueue.ts';
import { rescueAlarms } from './on-call/alarm/rescue.ts';
import { ALARM_TASK, overdueAlarms, wakeAlarms } from './on-call/alarm/step-job.ts';
import { keptFrom, maintainPartitions } from './platform/db/partitions.ts';
import { addJob } from './platform/jobs/add-job.ts';
import { releaseDeadJobs } from './platform/jobs/release-dead.ts';
import type { Log } from './platform/log.ts';
import { type Database, runWork, SYSTEM } from './platform/work.ts';
import { PARTITIONED } from './retention.ts';
import { countOverdue } from './webhooks/desk/waiting.ts';
import { wakeDesks } from './webhooks/desk/wake.ts';

export type WatchOptions = { db: Database; clock: () => Date; log: Log };

const EVERY_MS = 10_000;
const OVERDUE_MS = 5_000;
/** A desk looks for itself every few seconds. */
const DELIVERIES_OVERDUE_MS = 30_000;
/** A sender looks for itself as well, and a notice that a killed one had is free again after 25 s. */
const NOTICES_OVERDUE_MS = 30_000;
const PARTITIONS_EVERY_MS = 3_600_000;
/** What takes a moment: a job of these that is not done within a minute has lost its worker. */
const BRIEF_TASKS = [CONFIRM_TASK, GROUP_TASK, END_HOLD_TASK, ALARM_TASK, MAINTENANCE_TASK];

/** Audits and keeps house at once, then every 10 s until stopped; throws when the first round fails. */
export async function startWatch(options: WatchOptions): Promise<{ stop: () => Promise<void> }> {
  let keptAtMs = 0;
  const round = async () => {
    const now = options.clock();
    if (Math.abs(now.getTime() - keptAtMs) >= PARTITIONS_EVERY_MS) {
      await keepPartitions(options.db, now);
      keptAtMs = now.getTime();
    }
    await releaseDead(options);
    await audit(options);
  };
  await round();
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(round)
      .catch((err: unknown) => options.log.warn({ err }, 'the audit of due jobs failed; trying again'));
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Makes the partitions that are needed now and soon, and drops what is not kept any longer. */
export async function keepPartitions(db: Database, now: Date): Promise<void> {
  const checks = await checksRetention(db);
  const tables = PARTITIONED.map((entry) => (entry.table === checks.table ? checks : entry));
  const activity = PARTITIONED.find(({ table }) => table === 'activity');
  if (activity) await noteDropped(db, keptFrom(activity, now));
  await maintainPartitions(db, tables, now);
}

async function releaseDead({ db, log }: WatchOptions): Promise<void> {
  const jobs = await releaseDeadJobs(db, BRIEF_TASKS);
  if (jobs > 0) log.warn({ jobs }, 'jobs of workers that died are free again');
}

/** Adds again what is due and has no job, and has ring what should and does not; answers how many were found. */
export async function audit(options: WatchOptions): Promise<number> {
  const jobs = await auditJobs(options);
  const { db, clock, log } = options;
  const silent = await rescueAlarms(db, clock(), log);
  if (silent > 0) log.warn({ silent }, 'alarms that should ring did not; they do now');
  return jobs + silent;
}

async function auditJobs({ db, clock, log }: WatchOptions): Promise<number> {
  const now = clock();
  const overdue = new Date(now.getTime() - OVERDUE_MS);
  const deliveries = await countOverdue(db, new Date(now.getTime() - DELIVERIES_OVERDUE_MS), now);
  const notices = await countOverdueNotices(db, new Date(now.getTime() - NOTICES_OVERDUE_MS));
  return runWork(db, now, SYSTEM, async (work) => {
    const { tx } = work;
    const [states, holds, windows, alarms] = await Promise.all([
      sql<{ no: number }>`
        SELECT monitor_no AS no FROM monitor_state WHERE reevaluate_at < ${overdue}`.execute(tx),
      sql<{ id: string }>`
        SELECT id FROM incidents WHERE alarm_held_until < ${overdue} AND status = 'open'`.execute(tx),
      sql<{ id: string }>`
        SELECT id FROM maintenance_windows WHERE started_at IS NULL AND scheduled_start < ${overdue}
        UNION SELECT id FROM maintenance_windows WHERE ended_at IS NULL AND scheduled_end < ${overdue}`.execute(
        tx,
      ),
      overdueAlarms(tx, overdue),
    ]);
    await Promise.all([
      deliveries > 0 && wakeDesks(work),
      notices > 0 && wakeNotices(work),
      ...states.rows.map(({ no }) =>
        addJob(tx, { task: CONFIRM_TASK, payload: { monitor_no: no }, key: confirmKey(no) }),
      ),
      endHoldsNow(
        tx,
        holds.rows.map(({ id }) => id),
      ),
      ...windows.rows.map(({ id }) => wakeWindow(tx, id)),
      wakeAlarms(tx, alarms),
    ]);
    const found =
      deliveries + notices + states.rows.length + holds.rows.length + windows.rows.length + alarms.length;
    if (found > 0)
      log.warn(
        {
          deliveries,
          notices,
          confirmations: states.rows.length,
          holds: holds.rows.length,
          maintenance: windows.rows.length,
          alarms: alarms.length,
        },
        'overdue jobs were added again',
      );
    return found;
  });
}
