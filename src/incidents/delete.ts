import { sql } from 'kysely';
import { inParts } from '../platform/db/in-parts.ts';
import type { Work } from '../platform/work.ts';

/** Deletes every incident of an organization, with its timeline. Nobody is notified: see organizations/delete.ts. */
export async function deleteIncidentsOf({ tx }: Work, orgId: string): Promise<void> {
  await inParts(async (atMost) => {
    const { numAffectedRows } = await sql`
      DELETE FROM incidents WHERE id IN (SELECT id FROM incidents WHERE org_id = ${orgId} LIMIT ${atMost})`.execute(
      tx,
    );
    return Number(numAffectedRows ?? 0);
  });
}
