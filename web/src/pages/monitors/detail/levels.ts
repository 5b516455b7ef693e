// The thresholds of a monitor, as lines in its chart.
import type { SeriesUnit } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { AgentConfig } from '#src/monitors/types/agent/config.ts';
import type { ServiceConfig } from '#src/monitors/types/service/config.ts';
import type { Level } from './chart-options.ts';

/** Horizontal lines for a monitor on a host; none for other types. */
export function levelsOf({ type, config }: Pick<Monitor, 'type' | 'config'>, unit: SeriesUnit): Level[] {
  if (type === 'agent') {
    const { threshold, degraded_threshold: degraded } = config as AgentConfig;
    return [...level(threshold, 'failed'), ...level(degraded, 'degraded')];
  }
  if (type !== 'service') return [];
  const { max_cpu_pct: cpu, max_mem_mb: memory } = config as ServiceConfig;
  return unit === 'pct' ? level(cpu, 'failed') : unit === 'mb' ? level(memory, 'failed') : [];
}

const level = (value: number | null, status: Level['status']): Level[] =>
  value === null ? [] : [{ value, status }];
