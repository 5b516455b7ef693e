import { acknowledgeIncident } from '#src/incidents/contract.ts';
import { listRinging } from '#src/on-call/contract.ts';
import { call } from '../call.ts';
import { send } from '../write.ts';

/** Acknowledges every incident that rings for the caller in an organization, one request per group. Throws ApiError. */
export async function acknowledgeAll(orgId: string): Promise<void> {
  const params = { org_id: orgId };
  const acknowledged = new Set<string>();
  for (;;) {
    const ringing = await call(listRinging, { params });
    const next = ringing.find(({ incident_id }) => !acknowledged.has(incident_id));
    if (next === undefined) return;
    acknowledged.add(next.incident_id);
    await send(acknowledgeIncident, {
      params: { ...params, incident_id: next.incident_id },
      query: { group: 'true' },
    });
  }
}
