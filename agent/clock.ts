// Time by the server (docs/rules/agents.md#clocks). Pure but for the clocks it is given.
import type { Time } from './time.ts';

/** When something was measured, in every way that this machine knows. */
export type Moment = { boot: string; steadyMs: number; wallMs: number };

/** The server's time at the start of the machine: true as long as it does not start again. */
export type Bearings = { boot: string; offsetMs: number };

export type Clock = {
  /** The server's time is known, from this process or an earlier one since the machine started. */
  readonly known: boolean;
  /** What a later process may start from; null: not known. */
  readonly bearings: Bearings | null;
  now(): Moment;
  /** Milliseconds on the server's clock; until it is known, on this machine's as it was when the agent started. */
  nowMs(): number;
  /** Processes the server's time in an answer; the moments of sending and receiving are steady ones. */
  observe(sentAtMs: number, serverTimeMs: number, receivedAtMs: number): void;
  /** The time of something measured just now, later than the one before; null: the server's time is not known. */
  stamp(moment: Moment): number | null;
  /** The time of something that could not be stamped when it was measured. */
  place(moment: Moment): number;
};

/** A stamp that is further back than this is not clock noise: the server's own clock was set. */
const SET_BACK_MS = 60_000;

/**
 * The server's clock on top of the steady one, so that setting this machine's clock moves nothing. Each answer proves only
 * that the server's time was `serverTimeMs` at some moment between sending and receiving: the offset moves no further
 * than that proves it wrong.
 */
export function agentClock(time: Time, saved: Bearings | null): Clock {
  const { boot } = time;
  const wallOffsetMs = time.wallNowMs() - time.steadyNowMs();
  let offsetMs = saved?.boot === boot ? saved.offsetMs : undefined;
  // What is placed is placed alike each time: an entry that is sent twice is known by its time.
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
      // Of an earlier start of the machine only its clock on the wall is known, as wrong as it is now.
      const wrongByMs = placedByMs === undefined ? 0 : placedByMs - wallOffsetMs;
      return Math.round(Math.min(moment.wallMs + wrongByMs, startedMs - 1));
    },
  };
}
