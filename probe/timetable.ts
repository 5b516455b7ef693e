import TinyQueue from 'tinyqueue';
import type { Clock } from './clock.ts';
import type { Timer } from './slots.ts';

/** A moment at which an item is due, milliseconds of the server's clock. `again`: outside the item's schedule. */
export type Moment<Item> = { item: Item; dueMs: number; again?: true };

export type Timetable<Item> = {
  /** Adds a moment; call `arm` after the last one. Moments are never removed: `due` ignores stale ones. */
  add(moment: Moment<Item>): void;
  /** Sets the timer to the earliest moment. */
  arm(): void;
  /** The same after the clock moved. */
  rearm(): void;
  /** Removes all moments. */
  clear(): void;
  stop(): void;
};

const LONGEST_SLEEP_MS = 60_000;

/** Calls `due` for each moment that has come, in order: one heap, and one timer for the earliest moment. */
export function makeTimetable<Item>(
  { clock, timer }: { clock: Pick<Clock, 'serverNowMs'>; timer: Timer },
  due: (moment: Moment<Item>, nowMs: number) => void,
): Timetable<Item> {
  const newHeap = () => new TinyQueue<Moment<Item>>([], (a, b) => a.dueMs - b.dueMs);
  let heap = newHeap();
  let armed: unknown;
  let armedForMs = Number.POSITIVE_INFINITY;
  let stopped = false;

  const arm = () => {
    const next = heap.peek();
    if (stopped || next === undefined || next.dueMs >= armedForMs) return;
    timer.clear(armed as never);
    armedForMs = next.dueMs;
    const sleepMs = Math.min(Math.max(Math.ceil(next.dueMs - clock.serverNowMs()), 0), LONGEST_SLEEP_MS);
    armed = timer.set(tick, sleepMs);
  };

  const tick = () => {
    armedForMs = Number.POSITIVE_INFINITY;
    const nowMs = clock.serverNowMs();
    for (let moment = heap.peek(); moment !== undefined && moment.dueMs <= nowMs; moment = heap.peek()) {
      heap.pop();
      due(moment, nowMs);
    }
    arm();
  };

  return {
    add: (moment) => heap.push(moment),
    arm,
    rearm() {
      armedForMs = Number.POSITIVE_INFINITY;
      arm();
    },
    clear() {
      heap = newHeap();
    },
    stop() {
      stopped = true;
      timer.clear(armed as never);
    },
  };
}
