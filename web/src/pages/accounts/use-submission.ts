// What every form of these pages does: one request at a time, what was refused, and how long to wait after too many.
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '#web/call.ts';

export type Submission = {
  busy: boolean;
  /** What the last try was refused with; null while there is nothing to say. */
  error: unknown;
  /** Seconds until the server wants to hear of this again; 0: at once. */
  waitSeconds: number;
  run: (work: () => Promise<void>) => Promise<void>;
  reset: () => void;
};

/** State of a form: `run` takes what the form does, keeps what it throws, and counts a Retry-After down. */
export function useSubmission(): Submission {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [waitSeconds, setWaitSeconds] = useState(0);

  useEffect(() => {
    if (waitSeconds === 0) return;
    const timer = setTimeout(() => {
      setWaitSeconds(waitSeconds - 1);
      if (waitSeconds === 1) setError(null);
    }, 1_000);
    return () => clearTimeout(timer);
  }, [waitSeconds]);

  const run = useCallback(async (work: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (refused) {
      setError(refused);
      const limited = refused instanceof ApiError && refused.status === 429;
      setWaitSeconds(limited ? (refused.retryAfterSeconds ?? 0) : 0);
    } finally {
      setBusy(false);
    }
  }, []);

  const reset = useCallback(() => setError(null), []);
  return { busy, error, waitSeconds, run, reset };
}
