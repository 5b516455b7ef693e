import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';

/**
 * Notes where the chains will begin once everything from before this moment is dropped with its partitions: what is missing
 * before that was let go, what is missing after it was taken. To be called before they are dropped.
 */
export async function noteDropped(db: Database, before: Date): Promise<void> {
  await sql`
    UPDATE organizations o SET activity_dropped_no = last.chain_no, activity_dropped_hash = last.chain_hash
    FROM (SELECT DISTINCT ON (org_id) org_id, chain_no, chain_hash FROM activity
          WHERE at < ${before} AND chain_no IS NOT NULL ORDER BY org_id, chain_no DESC) last
    WHERE o.id = last.org_id AND o.activity_dropped_no < last.chain_no`.execute(db);
}
