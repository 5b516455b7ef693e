/** An instant on the monotonic clock (`performance.now()`), so that a stepped wall clock moves no deadline. */
export type MonotonicMs = number;

/**
 * Calls `expire` once, when the deadline passes or the signal aborts; `aborted` distinguishes the two. Returns a function that
 * cancels it; call that on every way out.
 */
export function onDeadline(
  deadlineAtMs: MonotonicMs,
  signal: AbortSignal | undefined,
  expire: (aborted: boolean) => void,
): () => void {
  const timer = setTimeout(() => end(false), Math.max(0, Math.ceil(deadlineAtMs - performance.now())));
  const onAbort = () => end(true);
  const release = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  const end = (aborted: boolean) => {
    release();
    expire(aborted);
  };
  if (signal?.aborted) queueMicrotask(onAbort);
  else signal?.addEventListener('abort', onAbort, { once: true });
  return release;
}
