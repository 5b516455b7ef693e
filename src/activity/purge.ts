import { sql } from 'kysely';
import { inParts } from '../platform/db/in-parts.ts';
import type { Database } from '../platform/work.ts';

/** Removes the activity log of a deleted organization. */
export async function purgeActivity(db: Database, orgId: string): Promise<void> {
  await inParts(async (atMost) => {
    const { numAffectedRows } = await sql`
      DELETE FROM activity a USING (SELECT id, at FROM activity WHERE org_id = ${orgId} LIMIT ${atMost}) part
      WHERE a.id = part.id AND a.at = part.at`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}
