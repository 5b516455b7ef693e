// A short wait for company: what ends at nearly the same time is written down together.

export type Gathering = {
  /** Waits for so long, or until it is ended. */
  wait: (ms: number) => Promise<void>;
  /** Ends the wait that there is, if any. */
  end: () => void;
};

export function makeGathering(): Gathering {
  let end: (() => void) | null = null;
  return {
    async wait(ms) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      end = null;
    },
    end: () => end?.(),
  };
}
