/** The source of time for the scheduler and the client; tests inject a hand-driven one. */
export type Clock = {
  /** Milliseconds on the server's clock, as far as it is known. */
  serverNowMs(): number;
  /** Milliseconds on a local clock that is never stepped. */
  localNowMs(): number;
  /** Processes one time stamp of the server; returns how far the clock moved, in milliseconds. */
  observe(sentAtLocalMs: number, serverTimeMs: number, receivedAtLocalMs: number): number;
};

/**
 * The server's clock, kept on top of the monotonic one, so that a stepped wall clock of this machine changes nothing
 * (docs/rules/regions-and-probes.md#clock: `checked_at_ms` is server time). Each stamp proves only that the server's time was
 * `serverTimeMs` at some moment between sending and receiving. The offset moves only as far as the stamp proves it wrong,
 * so slow round trips cause no jitter.
 */
export function serverClock(
  localNowMs: () => number = () => performance.timeOrigin + performance.now(),
): Clock {
  let offsetMs: number | undefined;
  return {
    localNowMs,
    serverNowMs: () => localNowMs() + (offsetMs ?? 0),
    observe(sentAtLocalMs, serverTimeMs, receivedAtLocalMs) {
      const least = serverTimeMs - receivedAtLocalMs;
      const most = serverTimeMs - sentAtLocalMs;
      const before = offsetMs;
      offsetMs = before === undefined ? (least + most) / 2 : Math.min(Math.max(before, least), most);
      return offsetMs - (before ?? 0);
    },
  };
}
