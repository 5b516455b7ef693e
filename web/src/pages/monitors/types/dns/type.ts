// The `dns` type in the dashboard.
import { IconWorldSearch } from '@tabler/icons-react';
import type { DnsConfig } from '#src/monitors/types/dns/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const dns: MonitorTypeParts<DnsConfig> = {
  offered: { group: 'network', icon: IconWorldSearch },
  target: ({ host, record_type }) => (host === '' ? '' : `${record_type} ${host}`),
  form: () => import('./form.ts'),
  fields: () => import('./DnsFields.tsx'),
};
