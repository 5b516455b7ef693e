// Removes the history of a deleted monitor in the background, a part at a time (architecture, section 5).
import { sql } from 'kysely';
import { addJob } from '../platform/jobs/add-job.ts';
import type { Database, Work } from '../platform/work.ts';

export const PURGE_TASK = 'purge_checks';
const ROWS_AT_ONCE = 20_000;

/** Stores the job that removes a monitor's checks. */
export async function purgeLater(work: Work, monitorNo: number): Promise<void> {
  await addJob(work.tx, { task: PURGE_TASK, payload: { monitor_no: monitorNo }, key: `purge:${monitorNo}` });
}

/** Removes all checks of a monitor that is gone, in short statements. */
export async function purgeChecks(db: Database, monitorNo: number): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      DELETE FROM checks c USING (
        SELECT region_no, checked_at FROM checks WHERE monitor_no = ${monitorNo} LIMIT ${ROWS_AT_ONCE}
      ) part
      WHERE c.monitor_no = ${monitorNo} AND c.region_no = part.region_no AND c.checked_at = part.checked_at`.execute(
      db,
    );
    if (Number(numAffectedRows ?? 0) < ROWS_AT_ONCE) return;
  }
}
