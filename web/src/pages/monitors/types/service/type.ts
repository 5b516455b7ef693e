// The `service` type in the dashboard.
import type { ServiceConfig } from '#src/monitors/types/service/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const service: MonitorTypeParts<ServiceConfig> = {
  target: ({ service }) => service,
  form: () => import('./form.ts'),
  fields: () => import('./ServiceFields.tsx'),
};
