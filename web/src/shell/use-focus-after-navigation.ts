import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isFocusNowhere } from '../ui/focus-nowhere.ts';

/**
 * Moves the focus to the content of a new page where it would be nowhere: a link that was followed is often gone with its page,
 * and a screen reader says nothing of what is shown instead.
 */
export function useFocusAfterNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged || !isFocusNowhere()) return;
        document.getElementById('content')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
