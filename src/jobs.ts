// Every stored job there is: its name, what runs, and what recurs.
import { sql } from 'kysely';
import { CONFIRM_TASK, confirmKey } from './checks/apply.ts';
import { confirmInTime } from './checks/confirm-later.ts';
import { PURGE_TASK, purgeChecks } from './checks/purge.ts';
import { maintainPartitions } from './platform/db/partitions.ts';
import { addJob } from './platform/jobs/add-job.ts';
import type { Log } from './platform/log.ts';
import { type Database, runWork, SYSTEM } from './platform/work.ts';
import { PARTITIONED } from './retention.ts';
import { type DeliverOptions, deliverLane } from './webhooks/deliver.ts';
import { DELIVER_TASK, wakeLane } from './webhooks/lane.ts';

export type JobOptions = DeliverOptions & { log: Log };

/** What runs for each task name. Every task takes its truth from the database: running twice changes nothing. */
export function taskList(options: JobOptions) {
  const { db, clock } = options;
  return {
    [CONFIRM_TASK]: ({ monitor_no }: { monitor_no: number }) =>
      runWork(db, clock(), SYSTEM, (work) => confirmInTime(work, monitor_no)),
    [DELIVER_TASK]: ({ lane }: { lane: string }) => deliverLane(options, lane),
    [PURGE_TASK]: ({ monitor_no }: { monitor_no: number }) => purgeChecks(db, monitor_no),
    partitions: () => maintainPartitions(db, PARTITIONED, clock()),
    sweep: () => sweep(db, clock()),
    audit: async () => void (await audit(options)),
  };
}

/** Recurring tasks, cron patterns in UTC. */
export const RECURRING = { partitions: '7 * * * *', sweep: '23 3 * * *', audit: '* * * * *' } as const;

const OVERDUE_MS = 10_000;

/**
 * The second loop over the alert pipeline (reliability, section 1): what is due and has no job, because its worker
 * died, is added again. Returns how many were found; run at every start and every minute.
 */
export async function audit({ db, clock, log }: JobOptions): Promise<number> {
  const now = clock();
  const overdue = new Date(now.getTime() - OVERDUE_MS);
  return runWork(db, now, SYSTEM, async ({ tx }) => {
    const lanes = await sql<{ lane: string }>`
      SELECT DISTINCT lane FROM deliveries
      WHERE state = 'pending' AND next_attempt_at < ${overdue} AND (leased_until IS NULL OR leased_until < ${now})`.execute(
      tx,
    );
    for (const { lane } of lanes.rows) await wakeLane(tx, lane, 'replace');
    const states = await sql<{ no: number }>`
      SELECT monitor_no AS no FROM monitor_state WHERE reevaluate_at < ${overdue}`.execute(tx);
    for (const { no } of states.rows)
      await addJob(tx, { task: CONFIRM_TASK, payload: { monitor_no: no }, key: confirmKey(no) });
    const found = lanes.rows.length + states.rows.length;
    if (found > 0)
      log.warn(
        { deliveries: lanes.rows.length, confirmations: states.rows.length },
        'overdue jobs were added again',
      );
    return found;
  });
}

/** Forgets removed assignments that every probe has long seen, and sessions that have run out. */
async function sweep(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * 86_400_000);
  await db.deleteFrom('assignments').where('removed', '=', true).where('changed_at', '<', before).execute();
  await db.deleteFrom('probes').where('last_seen_at', '<', before).execute();
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute();
}
