import type { Assignment, Result } from '../src/probe-protocol/contract.ts';
import type { Clock } from './clock.ts';
import type { LagMeter } from './lag.ts';
import type { Observation } from './observation.ts';
import type { Places, Timer } from './places.ts';

export type SchedulerOptions = {
  clock: Pick<Clock, 'serverNowMs'>;
  lag: Pick<LagMeter, 'totalMs'>;
  /**
   * Makes the check; its failure is taken as a failure of the probe. Called off by `ending`, it is to end at once with the
   * class `aborted`. Whoever makes it may end it as well.
   */
  run: (assignment: Assignment, ending: AbortController) => Promise<Observation>;
  report: (result: Result) => void;
  /** For checks under way, shared with whoever else makes checks; absent: its own. */
  places?: Places;
  /** Called with each void check, and how many there were in a row of its monitor. */
  voided?: (assignment: Assignment, inARow: number) => void;
  timer?: Timer;
};

export type Scheduler = {
  /**
   * Forgets every monitor that is not named, takes the others as they are now, and answers which were forgotten. What ends
   * of those within 10 s is still reported, and the rest called off: they are another probe's from now on, or nobody's.
   */
  replace(assignments: readonly Assignment[]): string[];
  /**
   * Takes new and changed monitors; a changed interval is in force at once. One that is new, or has another target, is
   * checked right away beside its rhythm: somebody is waiting to see whether it works.
   */
  assign(assignments: readonly Assignment[]): void;
  /** What is under way of them is called off, and nothing of it is reported. */
  remove(monitorIds: readonly string[]): void;
  /** To be called when the clock moved by that much; after a leap every moment is reckoned anew. */
  clockMoved(byMs: number): void;
  stop(): void;
  /**
   * skipped: the check before was still running · voided: it ended by our own delay, not the target's, or had no place in
   * time.
   */
  counts(): { monitors: number; inFlight: number; waiting: number; skipped: number; voided: number };
};
