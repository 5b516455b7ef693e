// Whether this browser is told by web push, and the ways to change that.
import { useMutation, useQuery } from '@tanstack/react-query';
import { listPushSubscriptions } from '#src/user-notifications/contract.ts';
import { pushState, subscribePush, unsubscribePush } from '../push.ts';
import { everyRead, queryClient } from '../read.ts';

const pushQuery = { queryKey: ['push-state'], queryFn: pushState, refetchOnWindowFocus: true } as const;

/** Asks again how it stands here, and which browsers of the reader there are. */
export async function reloadPush(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: pushQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: everyRead(listPushSubscriptions) }),
  ]);
}

/** How it stands in this browser; undefined until that is known. */
export function usePushState() {
  return useQuery(pushQuery).data;
}

/** Turns web push on or off here. Turning it on asks the person through the browser: call it in a gesture. */
export function useSwitchPush() {
  return useMutation({
    mutationFn: async (on: boolean) => {
      await (on ? subscribePush() : unsubscribePush());
    },
    onSettled: reloadPush,
  });
}
