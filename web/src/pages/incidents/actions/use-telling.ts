// What was refused is said in a note at the edge of the page: for buttons that have no dialog of their own.
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useCommandRefusal } from '../use-command-refusal.ts';

/** Returns a function that waits for work and tells a refusal of it. */
export function useTelling(): (work: Promise<unknown>) => void {
  const sentence = useCommandRefusal();
  return useCallback(
    (work: Promise<unknown>) => {
      work.catch((error: unknown) => notifications.show({ color: 'red', message: sentence(error) }));
    },
    [sentence],
  );
}
