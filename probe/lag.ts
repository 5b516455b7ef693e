const TICK_MS = 50;

/**
 * How long this process did not get to run: what timers came too late by, added up since the start. A check that timed
 * out while we were away says nothing about its target (reliability, section 3, CPU starvation).
 */
export type LagMeter = { totalMs(): number; stop(): void };

/** Measures with a timer every 50 ms; a delay still going on is counted as well. */
export function startLagMeter(): LagMeter {
  let totalMs = 0;
  let expectedAtMs = performance.now() + TICK_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    totalMs += Math.max(0, nowMs - expectedAtMs);
    expectedAtMs = nowMs + TICK_MS;
  }, TICK_MS);
  return {
    totalMs: () => totalMs + Math.max(0, performance.now() - expectedAtMs),
    stop: () => clearInterval(timer),
  };
}
