import { sql } from 'kysely';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Work } from '../platform/work.ts';
import { type IncidentRow, incidentOf } from './queries.ts';

/** Reads one incident like `incidentOf`, and locks it until the end of the unit of work. */
export async function lockIncident(
  { tx }: Work,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
): Promise<IncidentRow> {
  await incidentOf(tx, orgId, incidentId, within);
  await sql`SELECT 1 FROM incidents WHERE id = ${incidentId} FOR NO KEY UPDATE`.execute(tx);
  // Read again: it may have closed while this waited for the lock.
  return incidentOf(tx, orgId, incidentId, within);
}
