import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ListedMonitor, listAllMonitors } from '#src/monitors/all/contract.ts';
import { type ApiError, call } from '#web/call.ts';
import { everyPage } from '#web/every-page.ts';
import { queryClient } from '#web/read.ts';

/** The monitors of all projects; the live stream finds them by the first element of the key. */
const allMonitors = (orgId: string) =>
  queryOptions<ListedMonitor[], ApiError>({
    queryKey: [listAllMonitors.id, { org_id: orgId }, 'all'],
    queryFn: ({ queryKey }) => {
      // On the first load, the first thousand are shown while the others are loading.
      const isFirst = queryClient.getQueryData(queryKey) === undefined;
      return everyPage(
        (query) => call(listAllMonitors, { params: { org_id: orgId }, query }),
        ({ id }) => id,
        (rows) => isFirst && queryClient.setQueryData(queryKey, rows),
      );
    },
    refetchInterval: 60_000,
  });

export const useAllMonitors = (orgId: string) => useQuery(allMonitors(orgId));
