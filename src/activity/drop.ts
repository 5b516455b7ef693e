import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';

/**
 * Notes where the chains begin once partitions from before this moment are dropped. Entries missing before that point have
 * expired; entries missing after it were tampered with. Call this before the drop.
 */
export async function noteDropped(db: Database, before: Date): Promise<void> {
  await sql`
    UPDATE organizations o SET activity_dropped_no = last.chain_no, activity_dropped_hash = last.chain_hash
    FROM (SELECT DISTINCT ON (org_id) org_id, chain_no, chain_hash FROM activity
          WHERE at < ${before} AND chain_no IS NOT NULL ORDER BY org_id, chain_no DESC) last
    WHERE o.id = last.org_id AND o.activity_dropped_no < last.chain_no`.execute(db);
}
