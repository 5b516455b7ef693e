// The metric that a monitor's curve shows, and its unit (docs/rules/figures.md#curve).
import { unitOfMetric } from './agent.ts';
import type { SeriesUnit } from './names.ts';

/** `latency`, or one of a check's metric values. */
export type Curve = { measure: 'latency' | 'metric' | 'metric_2'; unit: SeriesUnit };

const LATENCY: Curve = { measure: 'latency', unit: 'ms' };

/**
 * The curve of a monitor: agent monitors show their metric, service monitors CPU or, with `mem`, memory. All others show
 * latency, the duration of their checks, even if they have a metric (days left of a certificate or a domain).
 */
export function curveOf(type: string, metric: unknown, asked: 'cpu' | 'mem'): Curve {
  if (type === 'service')
    return asked === 'mem' ? { measure: 'metric_2', unit: 'mb' } : { measure: 'metric', unit: 'pct' };
  if (type !== 'agent') return LATENCY;
  return { measure: 'metric', unit: unitOfMetric(String(metric)) ?? 'none' };
}

/**
 * How many checks to expect in a window of at least a minute: per source, and from how many sources. null if unknown: a
 * heartbeat arrives when its job runs, a group has no checks of its own.
 */
export function sourcesOf(type: string, regions: number): number | null {
  if (type === 'heartbeat' || type === 'group') return null;
  return type === 'agent' || type === 'service' ? 1 : regions;
}
