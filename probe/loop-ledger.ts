// Records the main loop's current check, and the time that each check has used. The loop turns some thousand times a second,
// so recording a turn must cost next to nothing.
import { AT, NOTE_CHARACTERS } from './watchdog-thread.ts';

/** A running check, as the ledger sees it. */
export type CheckAtWork = {
  readonly name: string;
  /** Called with the milliseconds of processor time that the main loop spent on it. */
  readonly charge: ((ms: number) => void) | undefined;
  /** The round in which `spentMs`, wall-clock milliseconds, was counted. */
  round: number;
  spentMs: number;
};

export type LoopLedger = {
  /** From now on the loop works for another check; undefined: for none. */
  turn: (check: CheckAtWork | undefined) => void;
  current: () => CheckAtWork | undefined;
  /** Begins a round, in which the time of every check starts at 0. */
  nextRound: () => void;
};

/** The clocks of the thread that keeps the ledger, in milliseconds: wall time, and the thread's processor time. */
export type LedgerClocks = { nowMs: () => number; cpuNowMs: () => number };

/**
 * Reading the processor clock costs more than most turns. A step shorter than this certainly had the processor throughout:
 * when the system takes it away, it does so for longer.
 */
const SURELY_RAN_MS = 0.1;

export function checkAtWork(name: string, charge?: (ms: number) => void): CheckAtWork {
  return { name, charge, round: 0, spentMs: 0 };
}

/** Writes the loop's current check, and the check that used most time in this round, to the memory that the watchdog reads. */
export function keepLedger(
  words: Int32Array,
  { nowMs, cpuNowMs }: LedgerClocks = { nowMs: () => performance.now(), cpuNowMs: threadCpuMs },
): LoopLedger {
  let current: CheckAtWork | undefined;
  let most: CheckAtWork | undefined;
  let maxMs = 0;
  let round = 1;
  let sinceMs = 0;
  let readCpuMs = cpuNowMs();
  /** The time of steps since then that were too short for reading it. */
  let unreadMs = 0;

  const write = (at: number, check: CheckAtWork | undefined) => {
    const name = check?.name ?? '';
    const length = Math.min(name.length, NOTE_CHARACTERS);
    for (let i = 0; i < length; i++) words[at + 1 + i] = name.charCodeAt(i);
    words[at] = length;
  };
  /** By the processor clock: no check is charged for a loop that waits, or for a machine that is busy or asleep. */
  const processorMs = (tookMs: number): number => {
    if (tookMs < SURELY_RAN_MS) {
      unreadMs += tookMs;
      return tookMs;
    }
    const cpuMs = cpuNowMs();
    const ranMs = Math.max(0, cpuMs - readCpuMs - unreadMs);
    readCpuMs = cpuMs;
    unreadMs = 0;
    return ranMs;
  };
  const charge = (check: CheckAtWork, tookMs: number, ranMs: number) => {
    check.charge?.(ranMs);
    if (check.round !== round) {
      check.round = round;
      check.spentMs = 0;
    }
    check.spentMs += tookMs;
    if (check.spentMs <= maxMs) return;
    maxMs = check.spentMs;
    words[AT.maxMs] = maxMs;
    if (most === check) return;
    most = check;
    write(AT.most, check);
  };
  const turn: LoopLedger['turn'] = (check) => {
    if (check === current) return;
    const atMs = nowMs();
    const tookMs = atMs - sinceMs;
    const ranMs = processorMs(tookMs);
    if (current !== undefined) charge(current, tookMs, ranMs);
    current = check;
    sinceMs = atMs;
    write(AT.current, check);
    words[AT.turns] = (words[AT.turns] ?? 0) + 1;
  };
  return {
    turn,
    current: () => current,
    nextRound() {
      turn(undefined);
      round += 1;
      maxMs = 0;
      most = undefined;
      words[AT.maxMs] = 0;
      write(AT.most, undefined);
    },
  };
}

/** Processor time of the calling thread since its start, milliseconds. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
