import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';

const KEPT_MS = 30 * 86_400_000;

/** Deletes notices that ended, and links that expired, 30 days ago (docs/rules/limits.md#retention). */
export async function forgetOldNotices(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await sql`DELETE FROM notices WHERE finished_at < ${before} AND state <> 'pending'`.execute(db);
  await sql`DELETE FROM acknowledge_links WHERE expires_at < ${before}`.execute(db);
}
