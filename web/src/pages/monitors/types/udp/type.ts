// The `udp` type in the dashboard.
import { IconBroadcast } from '@tabler/icons-react';
import type { UdpConfig } from '#src/monitors/types/udp/config.ts';
import { address, type MonitorTypeParts } from '../monitor-type.ts';

export const udp: MonitorTypeParts<UdpConfig> = {
  offered: { group: 'network', icon: IconBroadcast },
  target: ({ host, port }) => address(host, port),
  form: () => import('./form.ts'),
  fields: () => import('./UdpFields.tsx'),
};
