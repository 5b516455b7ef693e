// What a watched service uses (docs/rules/agents.md#readings). Pure.
import type { ProcessSample } from './sources.ts';

/** Percent of one core since the look before, and memory now. */
export type Use = { running: boolean; cpu_pct: number | null; mem_mb: number | null };

/** What a system counts for a service; `usedMs`: processor time since it started. null: it does not count that. */
export type Counted = { running: boolean; usedMs: number | null; memMb: number | null };

/** All processes of the machine at a look. `newest`: when the last of them started, in the unit of `started`. */
export type ProcessesBefore = { usedMs: ReadonlyMap<string, number>; newest: number };

/** Processor time at a steady moment, of units and containers by their key. `processes` is null where they were not looked at. */
export type Before = {
  atMs: number;
  usedMs: ReadonlyMap<string, number>;
  processes: ProcessesBefore | null;
};

const STOPPED: Use = { running: false, cpu_pct: null, mem_mb: null };

export const processKey = ({ pid, started }: ProcessSample) => `${pid} ${started}`;

export function processesBefore(samples: readonly ProcessSample[]): ProcessesBefore {
  const usedMs = new Map<string, number>();
  let newest = 0;
  for (const sample of samples) {
    if (!('usedMs' in sample.cpu)) continue;
    usedMs.set(processKey(sample), sample.cpu.usedMs);
    newest = Math.max(newest, Number(sample.started));
  }
  return { usedMs, newest };
}

/**
 * What all processes of a name use together. One that started since the look before used all its time since then. Of any other one
 * that was not seen before, the time it used goes back to who knows when: there is no percentage.
 */
export function processUse(
  name: string,
  samples: readonly ProcessSample[],
  before: Before | null,
  nowMs: number,
): Use {
  const mine = samples.filter((sample) => sample.name === name || sample.name === `${name}.exe`);
  if (mine.length === 0) return STOPPED;
  const spanMs = before === null ? 0 : nowMs - before.atMs;
  const parts = mine.map((sample) => {
    const { cpu } = sample;
    if ('pct' in cpu) return cpu.pct;
    const earlierMs = earlierUse(sample, before?.processes ?? null);
    return earlierMs === null || spanMs <= 0 ? null : ((cpu.usedMs - earlierMs) / spanMs) * 100;
  });
  const known = parts.filter((part) => part !== null);
  return {
    running: true,
    cpu_pct: known.length < parts.length ? null : Math.max(0, sum(known)),
    mem_mb: sum(mine.map(({ memMb }) => memMb)),
  };
}

/** Processor time that was used by the look before; null: not known. */
function earlierUse(sample: ProcessSample, before: ProcessesBefore | null): number | null {
  if (before === null) return null;
  return before.usedMs.get(processKey(sample)) ?? (Number(sample.started) >= before.newest ? 0 : null);
}

/** What a unit or a container uses. One that was started again counts from zero. */
export function countedUse(counted: Counted, key: string, before: Before | null, nowMs: number): Use {
  const { running, usedMs, memMb } = counted;
  if (!running) return STOPPED;
  const earlierMs = before?.usedMs.get(key);
  const spanMs = before === null ? 0 : nowMs - before.atMs;
  if (usedMs === null || earlierMs === undefined || spanMs <= 0)
    return { running, cpu_pct: null, mem_mb: memMb };
  const sinceMs = usedMs < earlierMs ? usedMs : usedMs - earlierMs;
  return { running, cpu_pct: (sinceMs / spanMs) * 100, mem_mb: memMb };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
