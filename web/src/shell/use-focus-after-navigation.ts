import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusContent, isFocusNowhere } from '../ui/focus-nowhere.ts';

/**
 * Moves the focus to the content of a new page where it would be nowhere: a link that was followed is often gone with its page,
 * and a screen reader says nothing of what is shown instead.
 */
export function useFocusAfterNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        // A page with steps, as for a new monitor, has the next one at the same path.
        const isOther = pathChanged || fromLocation?.searchStr !== toLocation.searchStr;
        if (fromLocation === undefined || !isOther || !isFocusNowhere()) return;
        focusContent();
      }),
    [router],
  );
}
