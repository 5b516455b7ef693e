// The time of the server, for moments that it is told: the clock of the browser may be wrong.

/** An answer takes a while to arrive and has whole seconds only: a smaller difference says nothing about the clocks. */
const MIN_DIFFERENCE_SECONDS = 30;

let aheadSeconds = 0;

/** Notes what the server said of its time in an answer that has just arrived. */
export function noteServerTime(said: string | null, nowMs: number): void {
  const serverMs = Date.parse(said ?? '');
  if (Number.isNaN(serverMs)) return;
  const ahead = Math.round((nowMs - serverMs) / 1_000);
  aheadSeconds = Math.abs(ahead) < MIN_DIFFERENCE_SECONDS ? 0 : ahead;
}

/** Unix seconds by the clock of the server, as far as the browser knows it. */
export const serverUnix = (nowMs: number): number => Math.floor(nowMs / 1_000) - aheadSeconds;
