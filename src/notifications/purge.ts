import { sql } from 'kysely';
import { inParts } from '../platform/db/in-parts.ts';
import type { Database } from '../platform/work.ts';

/** Deletes the outbox and the deliveries of a deleted organization. Its targets are deleted already, so nothing is being sent. */
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

/** Forgets which targets received incidents and windows that are gone. */
export async function forgetOldConcerns(db: Database): Promise<void> {
  await sql`DELETE FROM target_concerns c WHERE NOT EXISTS (SELECT FROM incidents i WHERE i.id = c.about_id)
    AND NOT EXISTS (SELECT FROM maintenance_windows w WHERE w.id = c.about_id)`.execute(db);
}

/**
 * Deletes the ordering keys of groups whose next message has been allowed since before `before`. While a page is open, the key of
 * a group with open incidents is kept: only it knows of the page if their monitors are deleted, and which single pages it
 * replaces.
 */
export async function forgetOldGroupKeys(db: Database, before: Date): Promise<void> {
  await sql`DELETE FROM grouped_lanes g WHERE g.not_before < ${before} AND (g.open_pages || g.paged = '{}' OR NOT EXISTS (
    SELECT FROM incidents i WHERE i.status = 'open' AND i.group_no = split_part(g.lane, ':group:', 2)::bigint))`.execute(
    db,
  );
}
