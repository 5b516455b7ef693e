import { useEffect, useState } from 'react';

/** Keeps the screen awake while the caller is mounted. False: the browser cannot, or refuses. */
export function useWakeLock(): boolean {
  const [isAwake, setAwake] = useState(true);
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    async function ask(): Promise<void> {
      // Browsers release the wake lock when the page is hidden, and grant it only to a visible page.
      if (document.visibilityState !== 'visible' || (lock !== null && !lock.released)) return;
      try {
        lock = await navigator.wakeLock.request('screen');
        if (isOver) await lock.release();
        else setAwake(true);
      } catch {
        if (!isOver) setAwake(false);
      }
    }
    const again = () => void ask();
    again();
    document.addEventListener('visibilitychange', again);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', again);
      void lock?.release();
    };
  }, []);
  return isAwake;
}
