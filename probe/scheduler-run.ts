// The run of one check: its wait for a slot, the check itself, and its result, unless the probe's own delay voids it.
import type { Assignment } from '../src/probe-protocol/contract.ts';
import { type CheckOutcome, findingOf, notChecked } from './check-outcome.ts';
import { wasDelayedByLag } from './lag.ts';
import type { SchedulerOptions } from './scheduler-types.ts';
import type { Slots } from './slots.ts';

export type Task = {
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
export type Start = { task: Task; dueMs: number | undefined };

export type RunsOptions = Pick<SchedulerOptions, 'clock' | 'lag' | 'run' | 'report'> & {
  slots: Slots;
  /** Whether the task is still the one of its monitor. */
  isCurrent: (task: Task) => boolean;
  /** Repeats a void check; `isScheduled`: it was one of the schedule. */
  repeat: (task: Task, isScheduled: boolean) => void;
  onVoid: SchedulerOptions['voided'];
};

export type Runs = {
  /** Begins a check of a task that is not busy. */
  begin(start: Start): void;
  /** Cancels the running checks; nothing is reported from now on. */
  stop(): void;
  counts(): { inFlight: number; waiting: number; voided: number };
};

/** How late a check may start; the next one is due an interval later. */
const SLOT_WITHIN_MS = 10_000;
/** A check that starts within this time of its moment carries the moment's time, so checks of two probes count once. */
const ON_TIME_MS = 500;
/** From this many void checks of a monitor in a row on, its state is reported as unknown. */
export const REPORTED_FROM_VOIDS = 3;

export const intervalMsOf = (task: Task): number => task.assignment.interval_seconds * 1000;

export function makeRuns(options: RunsOptions): Runs {
  const { clock, lag, run, report, slots, isCurrent, repeat, onVoid } = options;
  const running = new Set<() => void>();
  let inFlight = 0;
  let waiting = 0;
  let voided = 0;
  let stopped = false;

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
      withinMs: Math.min(SLOT_WITHIN_MS, intervalMsOf(task)),
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
    if (!stopped && isCurrent(task)) begin({ task, dueMs: undefined });
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
    running.add(callOff);
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
    running.delete(callOff);
    const isWanted = task.handedOver || (isCurrent(task) && task.assignment.config === assignment.config);
    end(task);
    if (stopped || !isWanted || outcome.failure_class === 'aborted') return;
    if (wasDelayedByLag(outcome, lag.totalMs() - lagBeforeMs)) return giveUp(start, startedMs);
    task.voids = 0;
    record(start, outcome, startedMs);
  };

  const giveUp = (start: Start, startedMs: number) => {
    const { task } = start;
    voided += 1;
    task.voids += 1;
    onVoid?.(task.assignment, task.voids);
    if (task.voids >= REPORTED_FROM_VOIDS)
      record(start, notChecked('probe_busy', whyVoid(task.voids)), startedMs);
    repeat(task, start.dueMs !== undefined);
  };

  return {
    begin,
    stop() {
      stopped = true;
      for (const callOff of running) callOff();
    },
    counts: () => ({ inFlight, waiting, voided }),
  };
}

const whyVoid = (inARow: number) =>
  `This probe was too busy to tell a slow target from its own delay, ${inARow} times in a row: from here the state of the target is unknown`;
