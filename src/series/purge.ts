// Removes the history of a deleted monitor in the background, a part at a time (docs/rules/figures.md#deleting-a-monitor).
import { sql } from 'kysely';
import { inParts } from '../platform/db/in-parts.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { addJobs } from '../platform/jobs/add-job.ts';
import type { Database, Work } from '../platform/work.ts';
import { lockBuckets } from './rollup.ts';
import { ROLLED } from './rollup-tiers.ts';

export const PURGE_TASK = 'purge_checks';

/** Schedules a job per monitor that removes its checks. */
export async function purgeLater(work: Work, monitorNos: readonly number[]): Promise<void> {
  await addJobs(
    work.tx,
    PURGE_TASK,
    monitorNos.map((no) => ({ payload: { monitor_no: no }, key: `purge:${no}` })),
  );
}

/** The tables derived from checks, by monitor_no. */
const ROLLED_UP = [...ROLLED.map(({ table }) => table), 'rollup_dirty'];
/** Where packed checks are. Nothing is packed or merged any more of a monitor that is removed. */
const PACKED = ['late_checks', 'packed_checks'];

/** The ids of all checks of a monitor lie between these, as bytes: they begin with its number. */
export function checkIdsOf(monitorNo: number): { from: string; to: string } {
  const name = `chk_${monitorNo.toString(36)}`;
  return { from: `${name}-`, to: `${name}.` };
}

/** Removes all checks of a deleted monitor, and everything derived from them, in short statements. */
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
  for (const table of PACKED)
    await sql`DELETE FROM ${sql.table(table)} WHERE monitor_no = ${monitorNo}`.execute(db);
  const ids = checkIdsOf(monitorNo);
  await inParts(async (atMost) => {
    const { numAffectedRows } = await sql`
      DELETE FROM check_responses r USING (
        SELECT check_id, checked_at FROM check_responses
        WHERE check_id >= ${ids.from} AND check_id < ${ids.to} LIMIT ${atMost}
      ) part
      WHERE r.check_id = part.check_id AND r.checked_at = part.checked_at`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
  // After the checks, and with the roll-up locked out, so that nothing is derived again. One monitor has few of these rows.
  for (const table of ROLLED_UP)
    await inTransaction(db, async (tx) => {
      await lockBuckets(tx);
      await sql`DELETE FROM ${sql.table(table)} WHERE monitor_no = ${monitorNo}`.execute(tx);
    });
}
