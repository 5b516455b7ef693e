import { queryOptions, useQuery } from '@tanstack/react-query';
import { listMaintenance, type MaintenanceWindow } from '#src/maintenance/contract.ts';
import { type ApiError, call } from '#web/call.ts';
import { everyPage } from '#web/every-page.ts';

/** Every window of an organization, the latest start first; the live stream finds it by the first element of its key. */
export const windowsOf = (orgId: string) =>
  queryOptions<MaintenanceWindow[], ApiError>({
    queryKey: [listMaintenance.id, { org_id: orgId }, 'all'],
    queryFn: () =>
      everyPage(
        (query) => call(listMaintenance, { params: { org_id: orgId }, query }),
        ({ id }) => id,
      ),
  });

export const useWindows = (orgId: string) => useQuery(windowsOf(orgId));
