import { sql } from 'kysely';
import { inParts } from '../platform/db/in-parts.ts';
import type { Database } from '../platform/work.ts';

/** Removes the live events of a deleted organization. */
export async function purgeLiveEvents(db: Database, orgId: string): Promise<void> {
  await inParts(async (atMost) => {
    const { numAffectedRows } = await sql`
      DELETE FROM live_events e USING (
        SELECT seq, at FROM live_events WHERE org_id = ${orgId} LIMIT ${atMost}
      ) part
      WHERE e.org_id = ${orgId} AND e.seq = part.seq AND e.at = part.at`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}
