/** Where the scheduler and the client get the time from; tests inject a hand-driven one. */
export type Clock = {
  /** Milliseconds on the server's clock, as well as it is known. */
  serverNowMs(): number;
  /** Milliseconds on a local clock that is never stepped. */
  localNowMs(): number;
  /** Takes one stamp of the server into account; returns by how much the clock moved, milliseconds. */
  observe(sentAtLocalMs: number, serverTimeMs: number, receivedAtLocalMs: number): number;
};

/**
 * The server's clock, kept on top of the monotonic one, so that a stepped wall clock of this machine changes nothing
 * (docs/rules/regions-and-probes.md#clock: `checked_at_ms` is server time). Each stamp only says that the server's time was
 * `serverTimeMs` somewhere between sending and receiving; the offset moves no further than the stamp proves it wrong,
 * so that slow round trips do not make it tremble.
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
