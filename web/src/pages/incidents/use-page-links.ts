import { useQuery } from '@tanstack/react-query';
import { listPageLinks } from '#src/incidents/actions-contract.ts';
import { listStatusPages } from '#src/status-pages/contract.ts';
import { read } from '#web/read.ts';

/** The status pages of the organization, and which of them an incident is linked to. */
export function usePageLinks(orgId: string, incidentId: string) {
  const pages = useQuery(read(listStatusPages, { params: { org_id: orgId } }));
  const links = useQuery(read(listPageLinks, { params: { org_id: orgId, incident_id: incidentId } }));
  return { pages, links };
}
