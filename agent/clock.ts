// The server's time (docs/rules/agents.md#clocks). Pure, apart from the clocks that are passed in.
import type { Time } from './time.ts';

/** The time of a measurement, by every clock of this machine. */
export type Moment = { boot: string; steadyMs: number; wallMs: number };

/** The server's time at the start of the machine: valid until the machine starts again. */
export type ClockOffset = { boot: string; offsetMs: number };

export type Clock = {
  /** The server's time is known, from this process or an earlier one since the machine started. */
  readonly known: boolean;
  /** The offset that a later process may start with; null: unknown. */
  readonly bearings: ClockOffset | null;
  now(): Moment;
  /** Milliseconds on the server's clock; until it is known, on this machine's clock as it was when the agent started. */
  nowMs(): number;
  /** Processes the server's time in an answer; the times of sending and receiving are monotonic. */
  observe(sentAtMs: number, serverTimeMs: number, receivedAtMs: number): void;
  /** The time of a new measurement, later than the one before; null: the server's time is unknown. */
  stamp(moment: Moment): number | null;
  /** The time of a measurement that had no stamp when it was taken. */
  place(moment: Moment): number;
};

/** A stamp that goes back by more than this is no noise: somebody set the server's own clock. */
const SET_BACK_MS = 60_000;

/**
 * The server's clock on top of the monotonic one, so that setting this machine's clock moves nothing. Each answer proves only
 * that the server's time was `serverTimeMs` at some moment between sending and receiving: the offset moves only as far as the
 * answer proves it wrong.
 */
export function agentClock(time: Time, saved: ClockOffset | null): Clock {
  const { boot } = time;
  const wallOffsetMs = time.wallNowMs() - time.steadyNowMs();
  let offsetMs = saved?.boot === boot ? saved.offsetMs : undefined;
  // The same measurement always gets the same time: the server recognizes a repeated entry by it.
  let placedByMs = offsetMs;
  let lastMs = Number.NEGATIVE_INFINITY;
  const byServer = (steadyMs: number) => Math.round(steadyMs + (offsetMs ?? wallOffsetMs));
  return {
    get known() {
      return offsetMs !== undefined;
    },
    get bearings() {
      return offsetMs === undefined ? null : { boot, offsetMs };
    },
    now: () => ({ boot, steadyMs: time.steadyNowMs(), wallMs: time.wallNowMs() }),
    nowMs: () => byServer(time.steadyNowMs()),
    observe(sentAtMs, serverTimeMs, receivedAtMs) {
      const least = serverTimeMs - receivedAtMs;
      const most = serverTimeMs - sentAtMs;
      offsetMs = offsetMs === undefined ? (least + most) / 2 : Math.min(Math.max(offsetMs, least), most);
      placedByMs ??= offsetMs;
    },
    stamp({ steadyMs }) {
      if (offsetMs === undefined) return null;
      const atMs = byServer(steadyMs);
      lastMs = atMs > lastMs || atMs < lastMs - SET_BACK_MS ? atMs : lastMs + 1;
      return lastMs;
    },
    place(moment) {
      const startedMs = placedByMs ?? wallOffsetMs;
      if (moment.boot === boot) return Math.round(moment.steadyMs + startedMs);
      // For an earlier start of the machine only its wall clock is known, as wrong as it is now.
      const wrongByMs = placedByMs === undefined ? 0 : placedByMs - wallOffsetMs;
      return Math.round(Math.min(moment.wallMs + wrongByMs, startedMs - 1));
    },
  };
}
