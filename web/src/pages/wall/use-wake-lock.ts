import { useEffect, useState } from 'react';
import { keepAwake } from './wake-lock.ts';

/** Keeps the screen awake while the caller is mounted. False: the browser cannot, or refuses. */
export function useWakeLock(): boolean {
  const [isAwake, setAwake] = useState(true);
  useEffect(() => {
    const { look, end } = keepAwake({
      isVisible: () => document.visibilityState === 'visible',
      // Not every browser has it, and none without https.
      request: async () => navigator.wakeLock.request('screen'),
      say: setAwake,
    });
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      end();
    };
  }, []);
  return isAwake;
}
