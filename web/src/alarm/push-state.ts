// Whether this browser receives web push, and how to change that.
import { useQuery } from '@tanstack/react-query';
import { readAgain } from '../cached.ts';
import { pushState, subscribePush, unsubscribePush } from '../push.ts';
import { useWrite } from '../use-write.ts';

const pushQuery = { queryKey: ['push-state'], queryFn: pushState, refetchOnWindowFocus: true } as const;

/** The state of web push in this browser; undefined until it is known. */
export function usePushState() {
  return useQuery(pushQuery).data;
}

/** Turns web push on or off in this browser. Turning it on shows the browser's prompt, so call it in a user gesture. */
export function useSwitchPush() {
  const write = useWrite();
  const turn = (on: boolean) =>
    write.run(async () => {
      try {
        await (on ? subscribePush() : unsubscribePush());
      } finally {
        // The browser's own state changes too, and without a write if the person declines.
        await readAgain({ queryKey: pushQuery.queryKey });
      }
    });
  return { ...write, turn };
}
