// The rules of type `agent` that its schema cannot state (docs/rules/monitor-types.md#agent). references.ts looks up its agent.
import { isMount, OF_MOUNT } from '#src/domain/agent.ts';
import { refuse } from '#src/platform/refusals.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { AGENT_METRICS, AgentConfig } from './config.ts';

export const agent: TypeRules<AgentConfig> = {
  type: 'agent',
  schema: AgentConfig,
  secrets: () => [],
  checkTarget({ metric }) {
    if (typeof metric === 'string' && !isMetric(metric))
      refuse(
        'unknown_agent_metric',
        `config.metric must be one of ${AGENT_METRICS.join(', ')}, or ${OF_MOUNT} with a mount point (${OF_MOUNT}/var).`,
        { field: 'config.metric' },
      );
  },
  check({ metric, op, threshold, degraded_threshold: degraded }) {
    if (metric === 'online') return;
    if (op === null) invalidConfig('config.op', `is required with the metric ${metric}`);
    if (threshold === null) invalidConfig('config.threshold', `is required with the metric ${metric}`);
    if (degraded === null) return;
    const isAbove = op === 'gt' || op === 'gte';
    if (isAbove ? degraded >= threshold : degraded <= threshold)
      invalidConfig('config.degraded_threshold', `must be ${isAbove ? 'below' : 'above'} the threshold`);
  },
};

const isMetric = (metric: string) =>
  (AGENT_METRICS as readonly string[]).includes(metric) ||
  (metric.startsWith(OF_MOUNT) && isMount(metric.slice(OF_MOUNT.length)));
