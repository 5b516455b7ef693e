import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

const KEPT_MS = 30 * 86_400_000;
/** Rows per transaction, not counting the rows that refer to them. */
const AT_ONCE = 1000;

/**
 * Deletes alarms that ended 30 days ago, with their steps and audience; notices are deleted at the same age. Alarms of
 * incidents that are still open stay: paging providers must still learn of their end. Nothing writes to an alarm that has
 * ended, so this needs no lock on the organization.
 */
export async function forgetOldAlarms(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  let forgotten = AT_ONCE;
  while (forgotten === AT_ONCE) {
    const { numAffectedRows } = await sql`
      DELETE FROM alarms WHERE no IN (
        SELECT a.no FROM alarms a WHERE a.ended_at < ${before}
          AND NOT EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND i.status = 'open')
        LIMIT ${AT_ONCE})`.execute(db);
    forgotten = Number(numAffectedRows ?? 0n);
  }
}
