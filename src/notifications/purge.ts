import { sql } from 'kysely';
import { inParts } from '../platform/db/in-parts.ts';
import type { Database } from '../platform/work.ts';

/** Removes the outbox and the deliveries of an organization that is gone. Its targets are gone already: nothing is sent. */
export async function purgeDeliveries(db: Database, orgId: string): Promise<void> {
  await db.deleteFrom('delivery_queue').where('org_id', '=', orgId).execute();
  for (const table of ['deliveries', 'outbox'])
    await inParts(async (atMost) => {
      const { numAffectedRows } = await sql`
        DELETE FROM ${sql.table(table)} d USING (
          SELECT id, created_at FROM ${sql.table(table)} WHERE org_id = ${orgId} LIMIT ${atMost}
        ) part
        WHERE d.id = part.id AND d.created_at = part.created_at`.execute(db);
      return Number(numAffectedRows ?? 0);
    });
}

/** Forgets distances that messages about groups kept until `before`. */
export async function forgetOldLanes(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('grouped_lanes').where('not_before', '<', before).execute();
}
