// From an organization that is the reader's no longer to another one, or to making a first one.
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { askNoMore } from '#web/alarm/ringing.ts';
import { queryClient, read } from '#web/read.ts';

const mine = read(listMyOrganizations, {});

type Leave = (away: () => Promise<void>) => Promise<unknown>;

/**
 * Returns a function that leaves an organization: `leave` sends what ends the membership, and calls `away` when the server
 * has let the reader go, before the list of organizations is read again. The other way round, the page would say for a
 * moment that the organization is not open to them.
 */
export function useLeadAway(): (orgId: string, leave: Leave) => Promise<void> {
  const navigate = useNavigate();
  return useCallback(
    async (orgId, leave) => {
      let forget = () => {};
      await leave(async () => {
        forget = askNoMore(orgId);
        const left = (queryClient.getQueryData(mine.queryKey) ?? []).filter((each) => each.id !== orgId);
        const [next] = left;
        if (next === undefined) queryClient.setQueryData(mine.queryKey, []);
        await (next === undefined
          ? navigate({ to: '/' })
          : navigate({ to: '/o/$orgId/overview', params: { orgId: next.id } }));
      });
      forget();
    },
    [navigate],
  );
}
