// Names of host metrics.
import type { TFunction } from 'i18next';
import { OF_MOUNT } from '#src/domain/agent.ts';
import { AGENT_METRICS } from '#src/monitors/types/agent/config.ts';

/** The name of a metric; one that this dashboard does not know is shown by its key. */
export function metricName(t: TFunction, metric: string): string {
  if (metric.startsWith(OF_MOUNT))
    return t('fields.agent.metrics.mount', { mount: metric.slice(OF_MOUNT.length) });
  return (AGENT_METRICS as readonly string[]).includes(metric)
    ? t(`fields.agent.metrics.${metric as 'cpu_pct'}`)
    : metric;
}
