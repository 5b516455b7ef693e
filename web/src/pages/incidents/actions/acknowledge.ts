import { acknowledgeIncident, getIncident, type IncidentDetail } from '#src/incidents/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { send } from '#web/write.ts';

export type IncidentPath = { org_id: string; incident_id: string };

const NOTHING_LOOKED_UP = { capsule: null, capsule_regions: [] };

/** Puts a reply onto the incident's page. Only a read of the incident itself contains the capsule. */
export function cacheIncident(params: IncidentPath, shown: IncidentDetail): void {
  const { queryKey } = read(getIncident, { params });
  queryClient.setQueryData(queryKey, (before) => ({ ...NOTHING_LOOKED_UP, ...before, ...shown }));
}

/** Acknowledges an incident, or with `group` its whole storm. Throws ApiError. */
export const acknowledge = (params: IncidentPath, group: boolean): Promise<IncidentDetail> =>
  send(acknowledgeIncident, { params, ...(group && { query: { group: 'true' } }) }, (shown) =>
    cacheIncident(params, shown),
  );
