import { hash32 } from '../src/domain/hash.ts';
import { nextDueMs } from '../src/domain/schedule.ts';
import type { Assignment } from '../src/probe-protocol/contract.ts';
import { intervalMsOf, makeRuns, type Task } from './scheduler-run.ts';
import type { Scheduler, SchedulerOptions } from './scheduler-types.ts';
import { sharedSlots, type Timer } from './slots.ts';
import { type Moment, makeTimetable } from './timetable.ts';

export type { Scheduler, SchedulerOptions };

/** How long a running check continues after another probe took over its monitor. */
const HAND_OVER_MS = 10_000;
/** A smaller step of the clock changes no due moment: set back a little, it must not pass a moment twice. */
const LEAP_MS = 1_000;
/** A void check is repeated this much later, or within half an interval, off the schedule: the delay may be as regular. */
const AGAIN_LEAST_MS = 250;
const AGAIN_SPREAD_MS = 1_750;
/**
 * Checks every monitor at server time t with (t − offset) mod interval = 0 (docs/rules/regions-and-probes.md#rhythm): no
 * drift, the same schedule after a restart, every monitor within one interval of it.
 */
export function startScheduler(options: SchedulerOptions): Scheduler {
  const { clock, lag, run, report } = options;
  const timer: Timer = options.timer ?? { set: setTimeout, clear: clearTimeout };
  const tasks = new Map<string, Task>();
  const slots = options.slots ?? sharedSlots(undefined, timer);
  let skipped = 0;

  const isCurrent = (task: Task) => tasks.get(task.assignment.monitor_id) === task;
  const runs = makeRuns({
    ...{ clock, lag, run, report, slots, isCurrent, onVoid: options.voided },
    repeat: (task, isScheduled) => repeat(task, isScheduled),
  });

  /** A moment is stale once its task is gone or due at another one. */
  const due = ({ item: task, dueMs, again }: Moment<Task>, nowMs: number) => {
    if (again) {
      if (isCurrent(task) && !task.busy) runs.begin({ task, dueMs: undefined });
      return;
    }
    if (!isCurrent(task) || task.dueMs !== dueMs) return;
    schedule(task, nowMs);
    if (task.busy) skipped += 1;
    else runs.begin({ task, dueMs });
  };
  const timetable = makeTimetable<Task>({ clock, timer }, due);

  const schedule = (task: Task, afterMs: number) => {
    task.dueMs = nextDueMs(task.assignment.offset_ms, intervalMsOf(task), afterMs);
    timetable.add({ item: task, dueMs: task.dueMs });
  };

  /** Repeats a void check off the schedule, if there is time for it before the next scheduled one. */
  const repeat = (task: Task, isScheduled: boolean) => {
    const spreadMs = Math.min(AGAIN_SPREAD_MS, intervalMsOf(task) / 2);
    const leastMs = Math.min(AGAIN_LEAST_MS, spreadMs / 4);
    const hash = hash32(`${task.assignment.monitor_id} ${task.voids}`);
    const againMs = clock.serverNowMs() + leastMs + (hash % spreadMs);
    if (againMs < task.dueMs - leastMs) {
      if (!isScheduled) return;
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
      const added = newTask(assignment);
      tasks.set(assignment.monitor_id, added);
      schedule(added, nowMs);
      return true;
    }
    const before = task.assignment;
    const unchanged = isSameCheck(before, assignment);
    // The same config keeps its identity: compiled patterns are kept, and a running check stays valid.
    task.assignment = unchanged ? { ...assignment, config: before.config } : assignment;
    if (before.interval_seconds !== assignment.interval_seconds || before.offset_ms !== assignment.offset_ms)
      schedule(task, nowMs);
    return !unchanged;
  };

  const checkNow = (assignment: Assignment) => {
    const task = tasks.get(assignment.monitor_id);
    if (task === undefined) return;
    if (!task.busy) return runs.begin({ task, dueMs: undefined });
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
      timetable.stop();
      // First, so that no check begins again when its wait is cancelled.
      runs.stop();
      for (const task of tasks.values()) task.callOff?.();
      tasks.clear();
    },
    counts: () => ({ monitors: tasks.size, skipped, ...runs.counts() }),
  };
}

const newTask = (assignment: Assignment): Task => ({
  ...{ assignment, dueMs: 0, voids: 0, callOff: undefined },
  ...{ busy: false, handedOver: false, again: false },
});

const isSameCheck = (a: Assignment, b: Assignment): boolean =>
  a.type === b.type && JSON.stringify(a.config) === JSON.stringify(b.config);

function callOffAll(tasks: readonly Task[]): void {
  for (const task of tasks) task.callOff?.();
}
