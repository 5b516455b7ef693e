// An incident in the form of every answer and every event.
import type { IncidentDetail, IncidentWithCapsule } from '#src/incidents/contract.ts';
import type { Client } from './client.ts';

/** Reads one, without what only its own answer has: the failure capsules, and whether it has a post-mortem. */
export async function readIncident(
  client: Pick<Client, 'ok'>,
  orgId: string,
  id: string,
): Promise<IncidentDetail> {
  const path = `/organizations/${orgId}/incidents/${id}`;
  const { capsule, capsule_regions, has_postmortem, ...incident } = await client.ok<IncidentWithCapsule>(
    'GET',
    path,
  );
  return incident;
}
