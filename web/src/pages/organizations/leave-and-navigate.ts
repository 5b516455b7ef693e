// Navigates from an organization that the reader has left to another one, or to creating a first one.
import type { NavigateOptions } from '@tanstack/react-router';
import { useCallback } from 'react';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { stopPolling } from '#web/alarm/ringing.ts';
import { queryClient, read } from '#web/read.ts';
import { useRemoveAndLeave } from '#web/ui/use-leave.ts';

const mine = read(listMyOrganizations, {});

type Leave = (away: () => Promise<void>) => Promise<unknown>;

/**
 * Returns a function that leaves an organization. `leave` sends the request and calls `away` once the server has ended the
 * membership, before the list of organizations is refetched. In the other order the page would briefly show that access is
 * denied.
 */
export function useLeaveAndNavigate(): (orgId: string, leave: Leave) => Promise<void> {
  const removeAndLeave = useRemoveAndLeave();
  return useCallback(
    async (orgId, leave) => {
      let forget = () => {};
      const left = (queryClient.getQueryData(mine.queryKey) ?? []).filter((each) => each.id !== orgId);
      const [next] = left;
      const to: NavigateOptions =
        next === undefined ? { to: '/' } : { to: '/o/$orgId/overview', params: { orgId: next.id } };
      await removeAndLeave(to, (away) =>
        leave(async () => {
          forget = stopPolling(orgId);
          if (next === undefined) queryClient.setQueryData(mine.queryKey, []);
          await away();
        }),
      );
      forget();
    },
    [removeAndLeave],
  );
}
