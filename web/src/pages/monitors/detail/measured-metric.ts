// The metric in the results of a monitor on a host.
import { unitOfMetric } from '#src/domain/agent.ts';
import type { SeriesUnit } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { AgentConfig } from '#src/monitors/types/agent/config.ts';

export type MeasuredMetric = { metric: string; unit: SeriesUnit };

/** The metric and unit of `metric_value`: CPU for a service; null if results have a latency, or no measurement. */
export function measuredMetric({ type, config }: Pick<Monitor, 'type' | 'config'>): MeasuredMetric | null {
  if (type === 'service') return { metric: 'cpu_pct', unit: 'pct' };
  if (type !== 'agent') return null;
  const { metric } = config as AgentConfig;
  const unit = unitOfMetric(metric);
  return unit === null ? null : { metric, unit };
}
