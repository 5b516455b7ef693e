import { hash32 } from '../src/domain/hash.ts';
import { nextDueMs } from '../src/domain/schedule.ts';
import type { Assignment } from '../src/probe-protocol/contract.ts';
import { type CheckOutcome, findingOf, notChecked } from './check-outcome.ts';
import { fellIntoLag } from './lag.ts';
import type { Scheduler, SchedulerOptions } from './scheduler-types.ts';
import { sharedSlots, type Timer } from './slots.ts';
import { type Moment, makeTimetable } from './timetable.ts';

export type { Scheduler, SchedulerOptions };

type Task = {
  assignment: Assignment;
  dueMs: number;
  busy: boolean;
  handedOver: boolean;
  /** Ends the running check, or the wait for a slot. */
  callOff: (() => void) | undefined;
  /** The config changed during a check: another check starts as soon as that one is over. */
  again: boolean;
  /** Checks in a row that ended because of the probe's own delay. */
  voids: number;
};
/** `dueMs`: the scheduled moment; none if somebody waits for the check. */
type Start = { task: Task; dueMs: number | undefined };

/** How late a check may start; the next one is due an interval later. */
const SLOT_WITHIN_MS = 10_000;
/** How long a running check continues after another probe took over its monitor. */
const HAND_OVER_MS = 10_000;
/** A smaller step of the clock changes no due moment: set back a little, it must not pass a moment twice. */
const LEAP_MS = 1_000;
/** A check that starts within this time of its moment carries the moment's time, so checks of two probes count once. */
const ON_TIME_MS = 500;
/** A void check is repeated this much later, or within half an interval, off the schedule: the delay may be as regular. */
const AGAIN_LEAST_MS = 250;
const AGAIN_SPREAD_MS = 1_750;
/** From this many void checks of a monitor in a row on, its state is reported as unknown. */
export const REPORTED_FROM_VOIDS = 3;

/**
 * Checks every monitor at server time t with (t − offset) mod interval = 0 (docs/rules/regions-and-probes.md#rhythm): no
 * drift, the same schedule after a restart, every monitor within one interval of it.
 */
export function startScheduler(options: SchedulerOptions): Scheduler {
  const { clock, lag, run, report } = options;
  const timer: Timer = options.timer ?? { set: setTimeout, clear: clearTimeout };
  const tasks = new Map<string, Task>();
  const slots = options.slots ?? sharedSlots(undefined, timer);
  const underWay = new Set<() => void>();
  let inFlight = 0;
  let waiting = 0;
  let skipped = 0;
  let voided = 0;
  let stopped = false;

  const intervalMs = (task: Task) => task.assignment.interval_seconds * 1000;
  const known = (task: Task) => tasks.get(task.assignment.monitor_id) === task;

  /** A moment is stale once its task is gone or due at another one. */
  const due = ({ item: task, dueMs, again }: Moment<Task>, nowMs: number) => {
    if (again) {
      if (known(task) && !task.busy) begin({ task, dueMs: undefined });
      return;
    }
    if (!known(task) || task.dueMs !== dueMs) return;
    schedule(task, nowMs);
    if (task.busy) skipped += 1;
    else begin({ task, dueMs });
  };
  const timetable = makeTimetable<Task>({ clock, timer }, due);

  const schedule = (task: Task, afterMs: number) => {
    task.dueMs = nextDueMs(task.assignment.offset_ms, intervalMs(task), afterMs);
    timetable.add({ item: task, dueMs: task.dueMs });
  };

  const begin = (start: Start) => {
    const { task } = start;
    const { organization_id: organizationId = '', owner_id: ownerId } = task.assignment;
    task.busy = true;
    waiting += 1;
    let isWaiting = true;
    const waitsNoMore = () => {
      isWaiting = false;
      waiting -= 1;
    };
    const callOff = slots.want({
      tenant: { organizationId, ownerId },
      withinMs: Math.min(SLOT_WITHIN_MS, intervalMs(task)),
      start(release) {
        waitsNoMore();
        void perform(start).finally(release);
      },
      late(why) {
        waitsNoMore();
        voided += 1;
        end(task);
        record(start, notChecked('probe_busy', why));
      },
    });
    if (!isWaiting) return;
    task.callOff = () => {
      if (!callOff()) return;
      waitsNoMore();
      end(task);
    };
  };

  const end = (task: Task) => {
    task.busy = false;
    task.callOff = undefined;
    if (!task.again) return;
    task.again = false;
    if (!stopped && known(task)) begin({ task, dueMs: undefined });
  };

  const record = ({ task, dueMs }: Start, outcome: CheckOutcome, startedMs = clock.serverNowMs()) => {
    if (stopped) return;
    const isOnTime = dueMs !== undefined && Math.abs(startedMs - dueMs) <= ON_TIME_MS;
    const checked_at_ms = isOnTime ? dueMs : Math.floor(startedMs);
    report({ monitor_id: task.assignment.monitor_id, checked_at_ms, ...outcome });
  };

  const perform = async (start: Start): Promise<void> => {
    const { task } = start;
    const { assignment } = task;
    const called = new AbortController();
    const callOff = () => called.abort();
    task.callOff = callOff;
    underWay.add(callOff);
    inFlight += 1;
    const startedMs = clock.serverNowMs();
    const lagBeforeMs = lag.totalMs();
    let outcome: CheckOutcome;
    try {
      outcome = await run(assignment, called);
    } catch (error) {
      outcome = notChecked('probe_error', findingOf(error).detail);
    }
    inFlight -= 1;
    underWay.delete(callOff);
    const isWanted = task.handedOver || (known(task) && task.assignment.config === assignment.config);
    end(task);
    if (stopped || !isWanted || outcome.failure_class === 'aborted') return;
    if (fellIntoLag(outcome, lag.totalMs() - lagBeforeMs)) return giveUp(start, startedMs);
    task.voids = 0;
    record(start, outcome, startedMs);
  };

  const giveUp = (start: Start, startedMs: number) => {
    const { task } = start;
    voided += 1;
    task.voids += 1;
    options.voided?.(task.assignment, task.voids);
    if (task.voids >= REPORTED_FROM_VOIDS)
      record(start, notChecked('probe_busy', whyVoid(task.voids)), startedMs);
    tryAgain(task, start.dueMs !== undefined);
  };

  const tryAgain = (task: Task, wasOfRhythm: boolean) => {
    const spreadMs = Math.min(AGAIN_SPREAD_MS, intervalMs(task) / 2);
    const leastMs = Math.min(AGAIN_LEAST_MS, spreadMs / 4);
    const hash = hash32(`${task.assignment.monitor_id} ${task.voids}`);
    const againMs = clock.serverNowMs() + leastMs + (hash % spreadMs);
    if (againMs < task.dueMs - leastMs) {
      if (!wasOfRhythm) return;
    } else {
      // The next moment is as good, unless the schedule itself always coincides with the delay: then that one is skipped.
      if (task.voids % 2 === 1) return;
      schedule(task, againMs);
    }
    timetable.add({ item: task, dueMs: againMs, again: true });
    timetable.arm();
  };

  /** Returns whether it is new or has another target. */
  const assign = (assignment: Assignment): boolean => {
    const nowMs = clock.serverNowMs();
    const task = tasks.get(assignment.monitor_id);
    if (task === undefined) {
      const added: Task = {
        assignment,
        dueMs: 0,
        busy: false,
        handedOver: false,
        callOff: undefined,
        again: false,
        voids: 0,
      };
      tasks.set(assignment.monitor_id, added);
      schedule(added, nowMs);
      return true;
    }
    const before = task.assignment;
    // The same config keeps its identity: compiled patterns are kept, and a running check stays valid.
    const unchanged =
      before.type === assignment.type && JSON.stringify(before.config) === JSON.stringify(assignment.config);
    task.assignment = unchanged ? { ...assignment, config: before.config } : assignment;
    if (before.interval_seconds !== assignment.interval_seconds || before.offset_ms !== assignment.offset_ms)
      schedule(task, nowMs);
    return !unchanged;
  };

  const checkNow = (assignment: Assignment) => {
    const task = tasks.get(assignment.monitor_id);
    if (task === undefined) return;
    if (!task.busy) return begin({ task, dueMs: undefined });
    // It belongs to the previous config: nobody needs its result.
    task.again = true;
    task.callOff?.();
  };

  const handOver = (id: string): Task[] => {
    const task = tasks.get(id);
    tasks.delete(id);
    if (task === undefined) return [];
    task.handedOver = true;
    return [task];
  };

  return {
    assign(assignments) {
      for (const assignment of assignments) if (assign(assignment)) checkNow(assignment);
      timetable.arm();
    },
    replace(assignments) {
      const kept = new Set(assignments.map(({ monitor_id }) => monitor_id));
      const forgotten = [...tasks.keys()].filter((id) => !kept.has(id));
      const busy = forgotten.flatMap(handOver).filter((task) => task.busy);
      if (busy.length > 0) timer.set(() => callOffAll(busy), HAND_OVER_MS);
      assignments.forEach(assign);
      timetable.arm();
      return forgotten;
    },
    assignmentOf: (monitorId) => tasks.get(monitorId)?.assignment,
    remove(monitorIds) {
      for (const id of monitorIds) {
        const task = tasks.get(id);
        tasks.delete(id);
        task?.callOff?.();
      }
    },
    clockMoved(byMs) {
      if (Math.abs(byMs) >= LEAP_MS) {
        const nowMs = clock.serverNowMs();
        timetable.clear();
        for (const task of tasks.values()) schedule(task, nowMs);
      }
      timetable.rearm();
    },
    stop() {
      stopped = true;
      timetable.stop();
      for (const task of tasks.values()) task.callOff?.();
      for (const callOff of underWay) callOff();
      tasks.clear();
    },
    counts: () => ({ monitors: tasks.size, inFlight, waiting, skipped, voided }),
  };
}

function callOffAll(tasks: readonly Task[]): void {
  for (const task of tasks) task.callOff?.();
}

const whyVoid = (inARow: number) =>
  `This probe was too busy to tell a slow target from its own delay, ${inARow} times in a row: from here the state of the target is unknown`;
