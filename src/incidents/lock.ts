import { sql } from 'kysely';
import type { Within } from '../platform/http/caller.ts';
import type { Work } from '../platform/work.ts';
import { type IncidentRow, incidentOf } from './queries.ts';

/** One incident as `incidentOf` finds it, locked until the end of the unit of work: it opens, closes or changes no more. */
export async function lockIncident(
  { tx }: Work,
  orgId: string,
  incidentId: string,
  within: Within,
): Promise<IncidentRow> {
  await incidentOf(tx, orgId, incidentId, within);
  await sql`SELECT 1 FROM incidents WHERE id = ${incidentId} FOR NO KEY UPDATE`.execute(tx);
  // Once more: it may have closed while the lock was waited for.
  return incidentOf(tx, orgId, incidentId, within);
}
