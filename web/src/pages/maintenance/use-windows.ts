import { useQuery } from '@tanstack/react-query';
import { listMaintenance } from '#src/maintenance/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';

/** The windows of an organization: the 1,000 with the latest starts. */
export const windowsOf = (orgId: string) =>
  read(listMaintenance, { params: { org_id: orgId }, query: MAX_PAGE });

export const useWindows = (orgId: string) => useQuery(windowsOf(orgId));
