// The `tcp` type in the dashboard.
import { IconPlug } from '@tabler/icons-react';
import type { TcpConfig } from '#src/monitors/types/tcp/config.ts';
import { address, type MonitorTypeParts } from '../monitor-type.ts';

export const tcp: MonitorTypeParts<TcpConfig> = {
  offered: { group: 'network', icon: IconPlug },
  target: ({ host, port }) => address(host, port),
  form: () => import('./form.ts'),
  fields: () => import('./TcpFields.tsx'),
};
