import type { Assignment, Result } from '../src/probe-protocol/contract.ts';
import type { CheckOutcome } from './check-outcome.ts';
import type { Clock } from './clock.ts';
import type { LagMeter } from './lag.ts';
import type { Slots, Timer } from './slots.ts';

export type SchedulerOptions = {
  clock: Pick<Clock, 'serverNowMs'>;
  lag: Pick<LagMeter, 'totalMs'>;
  /**
   * Runs the check; an exception counts as a failure of the probe. Cancelled by `ending`, it must end at once with the class
   * `aborted`. The implementation may also end it.
   */
  run: (assignment: Assignment, ending: AbortController) => Promise<CheckOutcome>;
  report: (result: Result) => void;
  /** Slots for running checks, shared with checks on demand; absent: its own. */
  slots?: Slots;
  /** Called with each void check, and the number of void checks in a row of its monitor. */
  voided?: (assignment: Assignment, inARow: number) => void;
  timer?: Timer;
};

export type Scheduler = {
  /**
   * Forgets every monitor that is not in the list, updates the others, and returns the forgotten ones. Their running checks
   * are still reported if they end within 10 s, and cancelled then: the monitors are another probe's now, or nobody's.
   */
  replace(assignments: readonly Assignment[]): string[];
  /**
   * Adds and changes monitors; a changed interval is in force at once. A monitor that is new, or has another target, also
   * gets a check right away, outside its schedule: somebody is waiting to see whether it works.
   */
  assign(assignments: readonly Assignment[]): void;
  /** The monitor as it is checked now; undefined: this probe does not check it. */
  assignmentOf(monitorId: string): Assignment | undefined;
  /** Cancels their running checks, which are not reported. */
  remove(monitorIds: readonly string[]): void;
  /** Call it when the clock moved by this much; a leap reschedules every monitor. */
  clockMoved(byMs: number): void;
  stop(): void;
  /**
   * skipped: the previous check was still running · voided: it ended because of the probe's own delay, not the target's, or
   * got no slot in time.
   */
  counts(): { monitors: number; inFlight: number; waiting: number; skipped: number; voided: number };
};
