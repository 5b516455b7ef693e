import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Moves the focus to the content of a new page where it would be nowhere: a link that was followed is often gone with its page,
 * and a screen reader says nothing of what is shown instead.
 */
export function useFocusAfterNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        const { activeElement, body } = document;
        if (fromLocation === undefined || !pathChanged) return;
        if (activeElement !== null && activeElement !== body) return;
        document.getElementById('content')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
