import type { Memory } from './sources.ts';

/** From the text of /proc/meminfo. Used is memory that no program could get; a machine without swap has no reading of it. */
export function memoryIn(text: string): Memory {
  const kilobytes = new Map(
    [...text.matchAll(/^(\w+): +(\d+)/gm)].map(([, name, value]) => [name, Number(value)]),
  );
  const total = kilobytes.get('MemTotal');
  // Kernels before 3.14 have no MemAvailable.
  const available =
    kilobytes.get('MemAvailable') ?? (kilobytes.get('MemFree') ?? 0) + (kilobytes.get('Cached') ?? 0);
  return {
    mem_pct: percentOf(total, available),
    swap_pct: percentOf(kilobytes.get('SwapTotal'), kilobytes.get('SwapFree') ?? 0),
  };
}

/** Percent in use; null: there is no such memory. */
export function percentOf(total: number | undefined, free: number): number | null {
  if (total === undefined || !(total > 0)) return null;
  return Math.min(100, Math.max(0, ((total - free) / total) * 100));
}
