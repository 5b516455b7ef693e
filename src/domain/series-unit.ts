// What the curve of a monitor shows, and in which unit (docs/rules/figures.md#curve).
import type { SeriesUnit } from './names.ts';

/** `latency`, or which of a check's metric values. */
export type Curve = { measure: 'latency' | 'metric' | 'metric_2'; unit: SeriesUnit };

const LATENCY: Curve = { measure: 'latency', unit: 'ms' };

/** Units of agent metrics by what their names begin with; `online` has no value of its own. */
const AGENT_UNITS: readonly (readonly [prefix: string, unit: SeriesUnit])[] = [
  ['cpu_pct', 'pct'],
  ['mem_pct', 'pct'],
  ['disk_pct', 'pct'],
  ['swap_pct', 'pct'],
  ['load', 'load'],
  ['net_', 'bps'],
  ['temp_c', 'celsius'],
];

/**
 * The curve of a monitor: agent monitors show their metric, service monitors CPU or, asked for `mem`, memory. All others
 * show latency, also those with a metric (days left of a certificate or a domain): how long their check took.
 */
export function curveOf(type: string, metric: unknown, asked: 'cpu' | 'mem'): Curve {
  if (type === 'service')
    return asked === 'mem' ? { measure: 'metric_2', unit: 'mb' } : { measure: 'metric', unit: 'pct' };
  if (type !== 'agent') return LATENCY;
  const found = AGENT_UNITS.find(([prefix]) => String(metric).startsWith(prefix));
  return { measure: 'metric', unit: found?.[1] ?? 'none' };
}

/**
 * How many checks a minute-long or longer window should have: per source, and from how many sources. null where nobody
 * can know: a heartbeat comes when the target says so, a group has no checks of its own.
 */
export function sourcesOf(type: string, regions: number): number | null {
  if (type === 'heartbeat' || type === 'group') return null;
  return type === 'agent' || type === 'service' ? 1 : regions;
}
