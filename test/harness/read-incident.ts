// An incident as every answer and every event has it.
import type { IncidentDetail, IncidentWithCapsule } from '#src/incidents/contract.ts';
import type { Client } from './client.ts';

/** Reads one, without what only its own answer has: what the regions looked up at its opening. */
export async function readIncident(
  client: Pick<Client, 'ok'>,
  orgId: string,
  id: string,
): Promise<IncidentDetail> {
  const path = `/organizations/${orgId}/incidents/${id}`;
  const { capsule, capsule_regions, ...incident } = await client.ok<IncidentWithCapsule>('GET', path);
  return incident;
}
