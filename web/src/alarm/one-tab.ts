// Only one tab rings: the one that holds the lock. When it is closed, the browser passes the lock to another tab.
import { useEffect, useState } from 'react';

const LOCK = 'tocsin-bell';
const POLL_EVERY_MS = 1_000;

/**
 * Whether this tab is the one that rings, while `wanted`. Where locks are unavailable (plain http, except on localhost)
 * every tab rings: too many are better than none.
 */
export function useIsRingingTab(wanted: boolean): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    if (navigator.locks === undefined) {
      setHeld(true);
      return () => setHeld(false);
    }
    const abort = new AbortController();
    let release: (() => void) | undefined;
    navigator.locks
      .request(LOCK, { signal: abort.signal }, () => {
        setHeld(true);
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      })
      // Aborted while waiting for the lock.
      .catch(() => undefined);
    return () => {
      abort.abort();
      release?.();
      setHeld(false);
    };
  }, [wanted]);
  return held;
}

/** Whether any tab of this browser rings, checked every second while `asked`. */
export function useRingsInSomeTab(asked: boolean): boolean {
  const [rings, setRings] = useState(false);
  useEffect(() => {
    if (!asked || navigator.locks === undefined) {
      setRings(false);
      return;
    }
    let gone = false;
    const query = async () => {
      const { held } = await navigator.locks.query();
      if (!gone) setRings(held?.some(({ name }) => name === LOCK) ?? false);
    };
    void query();
    const timer = setInterval(() => void query(), POLL_EVERY_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [asked]);
  return rings;
}
