// Whether this browser is told by web push, and the ways to change that.
import { useQuery } from '@tanstack/react-query';
import { readAgain } from '../cached.ts';
import { pushState, subscribePush, unsubscribePush } from '../push.ts';
import { useWrite } from '../use-write.ts';

const pushQuery = { queryKey: ['push-state'], queryFn: pushState, refetchOnWindowFocus: true } as const;

/** How it stands in this browser; undefined until that is known. */
export function usePushState() {
  return useQuery(pushQuery).data;
}

/** Turns web push on or off here. Turning it on asks the person through the browser: call it in a gesture. */
export function useSwitchPush() {
  const write = useWrite();
  const turn = (on: boolean) =>
    write.run(async () => {
      try {
        await (on ? subscribePush() : unsubscribePush());
      } finally {
        // The browser's own part changes too, and without a write where the person says no.
        await readAgain({ queryKey: pushQuery.queryKey });
      }
    });
  return { ...write, turn };
}
