// The form of the `agent` type: a threshold on a metric of a host agent.
import { AgentConfig } from '#src/monitors/types/agent/config.ts';
import { type Amount, orEmpty, orNull } from '#web/pages/monitors/form/amounts.ts';
import { durationProblem, NEEDED, neededProblem, numberProblem } from '#web/pages/monitors/form/checks.ts';
import { typeForm } from '../type-form.ts';

export type AgentValues = {
  agent_id: string;
  metric: string;
  op: 'gt' | 'gte' | 'lt' | 'lte';
  threshold: Amount;
  degraded_threshold: Amount;
  window_seconds: Amount;
};

const LARGEST = 1e15;
const isOnline = ({ metric }: AgentValues) => metric.trim() === 'online';

export const form = typeForm<AgentValues, AgentConfig>({
  type: 'agent',
  schema: AgentConfig,
  start: { agent_id: '', metric: 'cpu_pct', op: 'gt', threshold: 90 },
  read: (config) => ({
    agent_id: config.agent_id,
    metric: config.metric,
    op: config.op ?? 'gt',
    threshold: orEmpty(config.threshold),
    degraded_threshold: orEmpty(config.degraded_threshold),
    window_seconds: config.window_seconds,
  }),
  write: (values) => ({
    agent_id: values.agent_id.trim(),
    metric: values.metric.trim(),
    op: isOnline(values) ? null : values.op,
    threshold: isOnline(values) ? null : orNull(values.threshold),
    degraded_threshold: isOnline(values) ? null : orNull(values.degraded_threshold),
    window_seconds: values.window_seconds,
  }),
  problems: (values) => ({
    agent_id: neededProblem(values.agent_id),
    metric: neededProblem(values.metric),
    threshold: isOnline(values)
      ? null
      : values.threshold === ''
        ? { key: NEEDED }
        : numberProblem(values.threshold, -LARGEST, LARGEST, { whole: false }),
    window_seconds: durationProblem(values.window_seconds, 60, 86_400, { needed: true }),
  }),
  sections: [],
});
