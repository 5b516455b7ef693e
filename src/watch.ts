// The second loop over the alert pipeline (reliability, section 1): what is due and has no job, because its worker
// died, is added again; partitions are there before they are needed, also after a long sleep of the machine.
import { sql } from 'kysely';
import { CONFIRM_TASK, confirmKey } from './checks/apply.ts';
import { checksRetention } from './checks/raw-retention.ts';
import { endHoldAt } from './incidents/end-hold.ts';
import { maintainPartitions } from './platform/db/partitions.ts';
import { addJob } from './platform/jobs/add-job.ts';
import type { Log } from './platform/log.ts';
import { type Database, runWork, SYSTEM } from './platform/work.ts';
import { PARTITIONED } from './retention.ts';
import { wakeLane } from './webhooks/lane.ts';

export type WatchOptions = { db: Database; clock: () => Date; log: Log };

const EVERY_MS = 10_000;
const OVERDUE_MS = 5_000;
const PARTITIONS_EVERY_MS = 3_600_000;

/** Audits and keeps house at once, then every 10 s until stopped; throws when the first round fails. */
export async function startWatch(options: WatchOptions): Promise<{ stop: () => Promise<void> }> {
  let keptAtMs = 0;
  const round = async () => {
    const now = options.clock();
    if (Math.abs(now.getTime() - keptAtMs) >= PARTITIONS_EVERY_MS) {
      await keepPartitions(options.db, now);
      keptAtMs = now.getTime();
    }
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
  await maintainPartitions(db, tables, now);
}

/** Adds again what is due and has no job; answers how many were found. */
export async function audit({ db, clock, log }: WatchOptions): Promise<number> {
  const now = clock();
  const overdue = new Date(now.getTime() - OVERDUE_MS);
  return runWork(db, now, SYSTEM, async ({ tx }) => {
    const [lanes, states, holds] = await Promise.all([
      sql<{ lane: string }>`
        SELECT lane FROM (
          SELECT DISTINCT ON (lane) lane, next_attempt_at, leased_until FROM deliveries
          WHERE state = 'pending' ORDER BY lane, seq
        ) head
        WHERE next_attempt_at < ${overdue} AND (leased_until IS NULL OR leased_until < ${now})`.execute(tx),
      sql<{ no: number }>`
        SELECT monitor_no AS no FROM monitor_state WHERE reevaluate_at < ${overdue}`.execute(tx),
      sql<{ id: string }>`
        SELECT id FROM incidents WHERE alarm_held_until < ${overdue} AND status = 'open'`.execute(tx),
    ]);
    await Promise.all([
      ...lanes.rows.map(({ lane }) => wakeLane(tx, lane, 'replace')),
      ...states.rows.map(({ no }) =>
        addJob(tx, { task: CONFIRM_TASK, payload: { monitor_no: no }, key: confirmKey(no) }),
      ),
      ...holds.rows.map(({ id }) => endHoldAt(tx, id)),
    ]);
    const found = lanes.rows.length + states.rows.length + holds.rows.length;
    if (found > 0)
      log.warn(
        { deliveries: lanes.rows.length, confirmations: states.rows.length, holds: holds.rows.length },
        'overdue jobs were added again',
      );
    return found;
  });
}
