export type InterruptibleSleep = {
  /** Waits; a call of `wake`, or the abort, ends the wait early. */
  forMs(ms: number): Promise<void>;
  wake(): void;
  /** `wake` ended the last wait. */
  readonly woken: boolean;
};

/** One waiter: the wait for the next heartbeat. */
export function interruptibleSleep(signal: AbortSignal): InterruptibleSleep {
  let woken = false;
  let end: (() => void) | undefined;
  signal.addEventListener('abort', () => end?.(), { once: true });
  return {
    get woken() {
      return woken;
    },
    wake() {
      if (!end) return;
      woken = true;
      end();
    },
    forMs: (ms) =>
      new Promise((resolve) => {
        woken = false;
        if (signal.aborted) return resolve();
        const timer = setTimeout(() => end?.(), Math.max(0, ms));
        end = () => {
          clearTimeout(timer);
          end = undefined;
          resolve();
        };
      }),
  };
}
