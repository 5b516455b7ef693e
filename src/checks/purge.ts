// Removes the history of a deleted monitor in the background, a part at a time (architecture, section 5).
import { sql } from 'kysely';
import { inParts } from '../platform/db/in-parts.ts';
import { addJobs } from '../platform/jobs/add-job.ts';
import type { Database, Work } from '../platform/work.ts';

export const PURGE_TASK = 'purge_checks';

/** Stores the jobs that remove the checks of monitors, one each. */
export async function purgeLater(work: Work, monitorNos: readonly number[]): Promise<void> {
  await addJobs(
    work.tx,
    PURGE_TASK,
    monitorNos.map((no) => ({ payload: { monitor_no: no }, key: `purge:${no}` })),
  );
}

/** Removes all checks of a monitor that is gone, in short statements. */
export async function purgeChecks(db: Database, monitorNo: number): Promise<void> {
  await inParts(async (atMost) => {
    const { numAffectedRows } = await sql`
      DELETE FROM checks c USING (
        SELECT region_no, checked_at FROM checks WHERE monitor_no = ${monitorNo} LIMIT ${atMost}
      ) part
      WHERE c.monitor_no = ${monitorNo} AND c.region_no = part.region_no AND c.checked_at = part.checked_at`.execute(
      db,
    );
    return Number(numAffectedRows ?? 0);
  });
}
