/** The wait before the n-th retry (0 is the first): doubles up to a maximum, with jitter against a thundering herd. */
export type Retry = { delayMs(attempt: number, leastMs: number): number };

const FIRST_MS = 250;
const CEILING_MS = 5_000;

/** 250 ms doubling to 5 s, each between half and all of it; never less than the server asked for. */
export function retryPolicy(random: () => number = Math.random, firstMs = FIRST_MS): Retry {
  return {
    delayMs(attempt, leastMs) {
      const wholeMs = Math.min(CEILING_MS, firstMs * 2 ** Math.min(attempt, 10));
      return Math.max(leastMs, wholeMs * (0.5 + random() / 2));
    },
  };
}

/** Waits; an abort ends the wait early and quietly. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
