// Leaving the page of something that is being deleted.
import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

type Remove = (leave: () => Promise<void>) => Promise<unknown>;

/**
 * Returns a function that removes what the page is about. `remove` calls `leave` once the server has removed it. The code of the
 * page that follows is loaded before: as long as that takes, this page would go on reading what no longer exists.
 */
export function useRemoveAndLeave(): (to: NavigateOptions, remove: Remove) => Promise<void> {
  const router = useRouter();
  return useCallback(
    async (to, remove) => {
      await router.preloadRoute(to);
      // What was not saved of it cannot be saved any more, so nobody is asked about that.
      await remove(() => router.navigate({ ...to, ignoreBlocker: true }));
    },
    [router],
  );
}

let attempts = 0;

/**
 * Returns a function that leaves the page. False: the reader stayed, because of changes that are not saved. The router says so no
 * sooner than it goes elsewhere.
 */
export function useLeave(): (to: NavigateOptions) => Promise<boolean> {
  const router = useRouter();
  return useCallback(
    async (to) => {
      attempts += 1;
      const left = attempts;
      await router.navigate({ ...to, state: { left } });
      return router.state.location.state.left === left;
    },
    [router],
  );
}
