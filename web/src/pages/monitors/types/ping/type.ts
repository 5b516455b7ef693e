// The `ping` type in the dashboard.
import { IconRadar } from '@tabler/icons-react';
import type { PingConfig } from '#src/monitors/types/ping/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const ping: MonitorTypeParts<PingConfig> = {
  offered: { group: 'network', icon: IconRadar },
  target: ({ host }) => host,
  form: () => import('./form.ts'),
  fields: () => import('./PingFields.tsx'),
};
