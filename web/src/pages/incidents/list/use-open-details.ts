// Who has the open incidents of a list, and whose alarm is held: the list itself does not say it.
import { useQueries } from '@tanstack/react-query';
import {
  getIncident,
  type IncidentDetail,
  type IncidentSummary,
} from '../../../../../src/incidents/contract.ts';
import { read } from '../../../read.ts';
import { foldStorms } from './storms.ts';

/** Beside each line that is in sight anyway. */
const FEW = 30;
/** When they are filtered by it. */
const MANY = 200;

/** Details of open incidents by their id; of the newest ones, and of none in a storm unless `all` is asked for. */
export function useOpenDetails(
  orgId: string,
  incidents: readonly IncidentSummary[],
  all: boolean,
): Map<string, IncidentDetail> {
  const open = incidents.filter(({ status }) => status === 'open');
  const apart = foldStorms(open).flatMap((row) => (row.is === 'incident' ? [row.incident] : []));
  const wanted = all ? open.slice(0, MANY) : apart.slice(0, FEW);
  return useQueries({
    queries: wanted.map(({ id }) => ({
      ...read(getIncident, { params: { org_id: orgId, incident_id: id } }),
      staleTime: 60_000,
    })),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data] as const]))),
  });
}
