import { useQuery } from '@tanstack/react-query';
import { listMaintenance } from '#src/maintenance/contract.ts';
import { read, WHOLE } from '#web/read.ts';

/** Every window of an organization: the 1,000 that begin latest. */
export const useWindows = (orgId: string) =>
  useQuery(read(listMaintenance, { params: { org_id: orgId }, query: WHOLE }));
