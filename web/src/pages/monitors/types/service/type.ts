// The `service` type in the dashboard.
import { IconSettingsAutomation } from '@tabler/icons-react';
import type { ServiceConfig } from '#src/monitors/types/service/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const service: MonitorTypeParts<ServiceConfig> = {
  offered: { group: 'reporting', icon: IconSettingsAutomation },
  target: ({ service }) => service,
  form: () => import('./form.ts'),
  fields: () => import('./ServiceFields.tsx'),
};
