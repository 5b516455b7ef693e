import type { CpuTimes } from './sources.ts';

/** From the text of /proc/stat. Waiting for a disk is idle; time that the hypervisor took from this machine is busy. */
export function cpuTimesIn(text: string): CpuTimes {
  const [, line] = /^cpu +(.+)$/m.exec(text) ?? [];
  if (line === undefined) throw new Error('no line of all processors');
  // user nice system idle iowait irq softirq steal; guests are included in user and nice.
  const times = line.split(' ').slice(0, 8).map(Number);
  const [, , , idle = 0, iowait = 0] = times;
  const total = times.reduce((sum, time) => sum + time, 0);
  return { busy: total - idle - iowait, total };
}

/** Percent of all processors in use between two looks; null: no time passed, or the counters were reset. */
export function cpuPercent(before: CpuTimes, after: CpuTimes): number | null {
  const total = after.total - before.total;
  const busy = after.busy - before.busy;
  if (!(total > 0) || busy < 0) return null;
  return Math.min(100, (busy / total) * 100);
}
