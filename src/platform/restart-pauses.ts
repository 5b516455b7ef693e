// The wait before something that ended unexpectedly is restarted.

export type RestartPauses = { firstMs: number; longestMs: number; wellAfterMs: number };

/** For the parts of a server, and for a probe without a supervising server (docs/rules/command-line.md#start). */
export const PART_PAUSES: RestartPauses = { firstMs: 250, longestMs: 30_000, wellAfterMs: 60_000 };

/**
 * Returns the next pause in milliseconds: twice the one before, up to the longest. After a run of more than `wellAfterMs` it
 * starts with the first again.
 */
export function restartPauses({ firstMs, longestMs, wellAfterMs }: RestartPauses): (ranMs: number) => number {
  let nextMs = firstMs;
  return (ranMs) => {
    const pauseMs = ranMs > wellAfterMs ? firstMs : nextMs;
    nextMs = Math.min(2 * pauseMs, longestMs);
    return pauseMs;
  };
}
