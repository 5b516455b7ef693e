// The resource use of a watched service (docs/rules/agents.md#readings). Pure.
import type { ProcessSample } from './sources.ts';

/** Percent of one core since the last look, and memory now. */
export type Use = { running: boolean; cpu_pct: number | null; mem_mb: number | null };

/** The system's counters for a service; `usedMs`: processor time since it started. null: not counted. */
export type Counted = { running: boolean; usedMs: number | null; memMb: number | null };

/** All processes of the machine at a look. `newest`: the latest start among them, in the unit of `started`. */
export type ProcessesBefore = { usedMs: ReadonlyMap<string, number>; newest: number };

/** Processor time at a monotonic time, of units and containers by their key. `processes` is null if they were not read. */
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
 * The combined use of all processes with a name. A process that started since the last look used all its time since then. Any
 * other new one may have used its time long ago: then there is no percentage.
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

/** Processor time used before the last look; null: unknown. */
function earlierUse(sample: ProcessSample, before: ProcessesBefore | null): number | null {
  if (before === null) return null;
  return before.usedMs.get(processKey(sample)) ?? (Number(sample.started) >= before.newest ? 0 : null);
}

/** The use of a unit or a container. One that was restarted counts from zero. */
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
