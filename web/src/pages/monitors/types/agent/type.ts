// The `agent` type in the dashboard.
import { IconServer } from '@tabler/icons-react';
import { unitOfMetric } from '#src/domain/agent.ts';
import type { AgentConfig } from '#src/monitors/types/agent/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';
import { metricName } from './metric-words.ts';

const SIGNS = { gt: '>', gte: '≥', lt: '<', lte: '≤' } as const;

export const agent: MonitorTypeParts<AgentConfig> = {
  offered: { group: 'reporting', icon: IconServer },
  target: ({ metric, op, threshold }, t, formats) =>
    op === null || threshold === null
      ? metricName(t, metric)
      : `${metricName(t, metric)} ${SIGNS[op]} ${formats.measured(threshold, unitOfMetric(metric) ?? 'none')}`,
  form: () => import('./form.ts'),
  fields: () => import('./AgentFields.tsx'),
};
