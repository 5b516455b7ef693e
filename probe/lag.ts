import type { CheckOutcome } from './check-outcome.ts';

const TICK_MS = 50;

/**
 * How long this process was kept from running: the total lateness of timers since the start. A check that timed out
 * meanwhile says nothing about its target (docs/rules/regions-and-probes.md#lag).
 */
export type LagMeter = { totalMs(): number; stop(): void };

/** Measures with a timer every 50 ms; includes a delay that is still going on. */
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

/** A verdict about time is void when our own delay was more than this share of it. */
const LAG_SHARE = 0.25;

/** Whether this process was kept from running during a check that failed as too slow. */
export function wasDelayedByLag(outcome: CheckOutcome, lagMs: number): boolean {
  const failureClass = outcome.failure_class ?? '';
  const isLateness =
    failureClass === 'slow' ||
    failureClass === 'no_answer' ||
    (failureClass.endsWith('_timeout') && outcome.cause_layer !== 'probe');
  if (!isLateness) return false;
  // A ping's latency is a round trip, or missing if nothing came back: lag is compared with the time of the whole check.
  const tookMs = outcome.timings_ms?.total ?? outcome.latency_ms ?? 0;
  return lagMs > LAG_SHARE * Math.max(1, tookMs - lagMs);
}
