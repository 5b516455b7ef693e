import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ListedMonitor, listAllMonitors } from '#src/monitors/all/contract.ts';
import { type ApiError, call } from '#web/call.ts';
import { everyPage } from '#web/every-page.ts';

/** The monitors of all projects; the live stream finds them by the first of the key. */
const allMonitors = (orgId: string) =>
  queryOptions<ListedMonitor[], ApiError>({
    queryKey: [listAllMonitors.id, { org_id: orgId }, 'all'],
    queryFn: () =>
      everyPage(
        (query) => call(listAllMonitors, { params: { org_id: orgId }, query }),
        ({ id }) => id,
      ),
    refetchInterval: 60_000,
  });

export const useAllMonitors = (orgId: string) => useQuery(allMonitors(orgId));
