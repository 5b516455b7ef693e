// Whether the guide through an example outage is open: in the browser that started it, until it is closed.
import { useSyncExternalStore } from 'react';
import { remember, remembered } from '#web/remembered.ts';

const readers = new Set<() => void>();
const nameOf = (orgId: string) => `example-${orgId}`;

/** Shows the guide of an organization, or hides it. */
export function showGuide(orgId: string, shown: boolean): void {
  remember(nameOf(orgId), shown ? 'shown' : '');
  for (const reader of readers) reader();
}

/** Whether the guide is shown. */
export const useGuideShown = (orgId: string): boolean =>
  useSyncExternalStore(
    (reader) => {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    () => remembered(nameOf(orgId)) === 'shown',
  );
