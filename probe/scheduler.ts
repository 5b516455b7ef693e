import TinyQueue from 'tinyqueue';
import type { Assignment, Result } from '../src/checks/probe-contract.ts';
import { hash32 } from '../src/domain/hash.ts';
import { nextDueMs } from '../src/domain/schedule.ts';
import type { Clock } from './clock.ts';
import type { LagMeter } from './lag.ts';
import { findingOf, notChecked, type Observation } from './observation.ts';

export type SchedulerOptions = {
  clock: Pick<Clock, 'serverNowMs'>;
  lag: Pick<LagMeter, 'totalMs'>;
  /** Makes the check; its failure is taken as a failure of the probe. */
  run: (assignment: Assignment) => Promise<Observation>;
  report: (result: Result) => void;
  /** Checks at once; further ones wait their turn. */
  maxInFlight?: number;
  /** Told of a monitor whose checks were void `STARVED_AFTER` times in a row: this machine keeps it from being watched. */
  starved?: (monitorId: string) => void;
  timer?: Timer;
};

export type Timer = { set(call: () => void, afterMs: number): unknown; clear(handle: never): void };

export type Scheduler = {
  /**
   * Forgets every monitor that is not named, takes the others as they are now, and answers which were forgotten. What is
   * under way of those is still reported: they are another probe's from now on, or the server ignores it.
   */
  replace(assignments: readonly Assignment[]): string[];
  /**
   * Takes new and changed monitors; a changed interval is in force at once. One that is new, or has another target, is
   * checked right away beside its rhythm: somebody is waiting to see whether it works.
   */
  assign(assignments: readonly Assignment[]): void;
  remove(monitorIds: readonly string[]): void;
  /** To be called when the clock moved by that much; after a leap every moment is reckoned anew. */
  clockMoved(byMs: number): void;
  stop(): void;
  /** skipped: the check before was still running · voided: it ended by our own delay, not the target's. */
  counts(): { monitors: number; inFlight: number; waiting: number; skipped: number; voided: number };
};

type Task = {
  assignment: Assignment;
  dueMs: number;
  busy: boolean;
  handedOver: boolean;
  /** Checks in a row that ended by our own delay. */
  voids: number;
};
/** `dueMs`: the moment it is for; none where somebody waits to see. */
type Start = { task: Task; dueMs: number | undefined };
/** An entry of the heap; out of date once its task is gone or due at another moment. `again`: beside the rhythm. */
type Entry = { task: Task; dueMs: number; again?: true };

const MAX_IN_FLIGHT = 2_000;
const LONGEST_SLEEP_MS = 60_000;
/** Below this a moved clock leaves what is due as it is: set back a little, it must not pass a moment twice. */
const LEAP_MS = 1_000;
/** A check that starts within this time of its moment carries the moment's time: two probes that make it count once. */
const ON_TIME_MS = 500;
/** A verdict about time is void when our own delay was more than this share of it. */
const LAG_SHARE = 0.25;
/** A void check is made once more so much later, each monitor at a time of its own: what delayed us has the same rhythm. */
const AGAIN_LEAST_MS = 250;
const AGAIN_SPREAD_MS = 1_750;
const STARVED_AFTER = 3;

/**
 * Checks every monitor at server time t with (t − offset) mod interval = 0 (decisions, section 9): no drift, the same
 * rhythm after a restart, every monitor within one interval of it. One timer, one heap.
 */
export function startScheduler(options: SchedulerOptions): Scheduler {
  const { clock, lag, run, report, maxInFlight = MAX_IN_FLIGHT } = options;
  const timer: Timer = options.timer ?? { set: setTimeout, clear: clearTimeout };
  const tasks = new Map<string, Task>();
  const waiting: Start[] = [];
  let heap = newHeap();
  let armed: unknown;
  let armedForMs = Number.POSITIVE_INFINITY;
  let inFlight = 0;
  let skipped = 0;
  let voided = 0;
  let stopped = false;

  const intervalMs = (task: Task) => task.assignment.interval_seconds * 1000;
  const known = (task: Task) => tasks.get(task.assignment.monitor_id) === task;

  const schedule = (task: Task, afterMs: number) => {
    task.dueMs = nextDueMs(task.assignment.offset_ms, intervalMs(task), afterMs);
    heap.push({ task, dueMs: task.dueMs });
  };

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
    for (let entry = heap.peek(); entry !== undefined && entry.dueMs <= nowMs; entry = heap.peek()) {
      heap.pop();
      const { task, dueMs, again } = entry;
      if (again) {
        if (known(task) && !task.busy) begin({ task, dueMs: undefined });
        continue;
      }
      if (!known(task) || task.dueMs !== dueMs) continue;
      schedule(task, nowMs);
      if (task.busy) skipped += 1;
      else begin({ task, dueMs });
    }
    arm();
  };

  const begin = (start: Start) => {
    start.task.busy = true;
    if (inFlight < maxInFlight) void perform(start);
    else waiting.push(start);
  };

  const perform = async ({ task, dueMs }: Start): Promise<void> => {
    inFlight += 1;
    const { assignment } = task;
    const startedMs = Math.floor(clock.serverNowMs());
    const isOnTime = dueMs !== undefined && Math.abs(startedMs - dueMs) <= ON_TIME_MS;
    const checkedAtMs = isOnTime ? dueMs : startedMs;
    const lagBeforeMs = lag.totalMs();
    let observation: Observation;
    try {
      observation = await run(assignment);
    } catch (error) {
      observation = notChecked('probe_error', findingOf(error).detail);
    }
    inFlight -= 1;
    task.busy = false;
    const isWanted = task.handedOver || (known(task) && task.assignment.config === assignment.config);
    if (!stopped && isWanted && observation.failure_class !== 'aborted') {
      if (fellIntoLag(observation, lag.totalMs() - lagBeforeMs)) giveUp(task, dueMs !== undefined);
      else {
        task.voids = 0;
        report({ monitor_id: assignment.monitor_id, checked_at_ms: checkedAtMs, ...observation });
      }
    }
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (stopped || !known(next.task)) continue;
      void perform(next);
      break;
    }
  };

  const giveUp = (task: Task, isOfRhythm: boolean) => {
    voided += 1;
    task.voids += 1;
    const id = task.assignment.monitor_id;
    if (task.voids === STARVED_AFTER) options.starved?.(id);
    const againMs = clock.serverNowMs() + AGAIN_LEAST_MS + (hash32(id) % AGAIN_SPREAD_MS);
    if (!isOfRhythm || againMs >= task.dueMs - AGAIN_LEAST_MS) return;
    heap.push({ task, dueMs: againMs, again: true });
    arm();
  };

  /** Answers whether it is new or has another target. */
  const assign = (assignment: Assignment): boolean => {
    const nowMs = clock.serverNowMs();
    const task = tasks.get(assignment.monitor_id);
    if (task === undefined) {
      const added: Task = { assignment, dueMs: 0, busy: false, handedOver: false, voids: 0 };
      tasks.set(assignment.monitor_id, added);
      schedule(added, nowMs);
      return true;
    }
    const before = task.assignment;
    // The same config keeps its identity: what was compiled for it stays, and a check under way stays valid.
    const unchanged =
      before.type === assignment.type && JSON.stringify(before.config) === JSON.stringify(assignment.config);
    task.assignment = unchanged ? { ...assignment, config: before.config } : assignment;
    if (before.interval_seconds !== assignment.interval_seconds || before.offset_ms !== assignment.offset_ms)
      schedule(task, nowMs);
    return !unchanged;
  };

  const checkNow = (assignment: Assignment) => {
    const task = tasks.get(assignment.monitor_id);
    if (task !== undefined && !task.busy) begin({ task, dueMs: undefined });
  };

  return {
    assign(assignments) {
      for (const assignment of assignments) if (assign(assignment)) checkNow(assignment);
      arm();
    },
    replace(assignments) {
      const kept = new Set(assignments.map(({ monitor_id }) => monitor_id));
      const forgotten = [...tasks.keys()].filter((id) => !kept.has(id));
      for (const id of forgotten) {
        const task = tasks.get(id);
        if (task !== undefined) task.handedOver = true;
        tasks.delete(id);
      }
      assignments.forEach(assign);
      arm();
      return forgotten;
    },
    remove(monitorIds) {
      for (const id of monitorIds) tasks.delete(id);
    },
    clockMoved(byMs) {
      if (Math.abs(byMs) >= LEAP_MS) {
        const nowMs = clock.serverNowMs();
        heap = newHeap();
        for (const task of tasks.values()) schedule(task, nowMs);
      }
      armedForMs = Number.POSITIVE_INFINITY;
      arm();
    },
    stop() {
      stopped = true;
      timer.clear(armed as never);
      tasks.clear();
      waiting.length = 0;
    },
    counts: () => ({ monitors: tasks.size, inFlight, waiting: waiting.length, skipped, voided }),
  };
}

function newHeap(): TinyQueue<Entry> {
  return new TinyQueue<Entry>([], (a, b) => a.dueMs - b.dueMs);
}

/** Whether a verdict about slowness came about while this very process did not get to run. */
function fellIntoLag(observation: Observation, lagMs: number): boolean {
  const failureClass = observation.failure_class ?? '';
  const isLateness =
    failureClass === 'slow' || failureClass === 'no_answer' || failureClass.endsWith('_timeout');
  if (!isLateness) return false;
  // A ping's latency is a round trip, and none where nothing came back: the time of the whole check is what lag is of.
  const tookMs = observation.timings_ms?.total ?? observation.latency_ms ?? 0;
  return lagMs > LAG_SHARE * Math.max(1, tookMs - lagMs);
}
