// From an organization that is the reader's no longer to another one, or to making a first one.
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { askNoMore } from '#web/alarm/ringing.ts';
import { queryClient, read } from '#web/read.ts';

const mine = read(listMyOrganizations, {});

/** Returns a function to be called when the server has let the reader go. */
export function useLeadAway(): (orgId: string) => Promise<void> {
  const navigate = useNavigate();
  return useCallback(
    async (orgId: string) => {
      const forget = askNoMore(orgId);
      const left = (queryClient.getQueryData(mine.queryKey) ?? []).filter((each) => each.id !== orgId);
      const [next] = left;
      if (next === undefined) queryClient.setQueryData(mine.queryKey, []);
      // First away, then the list: the other way round, the page would say for a moment that it is not open to them.
      await (next === undefined
        ? navigate({ to: '/' })
        : navigate({ to: '/o/$orgId/monitors', params: { orgId: next.id } }));
      await queryClient.invalidateQueries({ queryKey: mine.queryKey });
      forget();
    },
    [navigate],
  );
}
