import { acknowledgeIncident, getIncident, type IncidentDetail } from '#src/incidents/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { send } from '#web/write.ts';

export type IncidentPath = { org_id: string; incident_id: string };

/** What only a read of the incident itself contains. A post-mortem may exist, so its page asks for it. */
const NOT_READ = { capsule: null, capsule_regions: [], has_postmortem: true };

/** Puts a reply onto the incident's page. */
export function cacheIncident(params: IncidentPath, shown: IncidentDetail): void {
  const { queryKey } = read(getIncident, { params });
  queryClient.setQueryData(queryKey, (before) => ({ ...NOT_READ, ...before, ...shown }));
}

/** Acknowledges an incident, or with `group` its whole storm. Throws ApiError. */
export const acknowledge = (params: IncidentPath, group: boolean): Promise<IncidentDetail> =>
  send(acknowledgeIncident, { params, ...(group && { query: { group: 'true' } }) }, (shown) =>
    cacheIncident(params, shown),
  );
