// The `agent` type in the dashboard.
import type { AgentConfig } from '#src/monitors/types/agent/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

const SIGNS = { gt: '>', gte: '≥', lt: '<', lte: '≤' } as const;

export const agent: MonitorTypeParts<AgentConfig> = {
  target: ({ metric, op, threshold }) =>
    op === null || threshold === null ? metric : `${metric} ${SIGNS[op]} ${threshold}`,
  form: () => import('./form.ts'),
  fields: () => import('./AgentFields.tsx'),
};
