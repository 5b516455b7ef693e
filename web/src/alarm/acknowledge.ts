import { acknowledgeIncident } from '#src/incidents/contract.ts';
import { listRinging } from '#src/on-call/contract.ts';
import { call } from '../call.ts';
import { send } from '../write.ts';

/**
 * Acknowledges those of the `shown` incidents that still ring for the caller in an organization, one request per group. What began
 * to ring since then goes on: nobody has seen it. Throws ApiError.
 */
export async function acknowledgeAll(orgId: string, shown: ReadonlySet<string>): Promise<void> {
  const params = { org_id: orgId };
  const acknowledged = new Set<string>();
  for (;;) {
    const ringing = await call(listRinging, { params });
    const next = ringing.find(({ incident_id: id }) => shown.has(id) && !acknowledged.has(id));
    if (next === undefined) return;
    acknowledged.add(next.incident_id);
    await send(acknowledgeIncident, {
      params: { ...params, incident_id: next.incident_id },
      query: { group: 'true' },
    });
  }
}
