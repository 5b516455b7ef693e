// The `tls` type in the dashboard.
import { IconCertificate } from '@tabler/icons-react';
import type { TlsConfig } from '#src/monitors/types/tls/config.ts';
import { address, type MonitorTypeParts } from '../monitor-type.ts';

export const tls: MonitorTypeParts<TlsConfig> = {
  offered: { group: 'names', icon: IconCertificate },
  target: ({ host, port }) => address(host, port),
  form: () => import('./form.ts'),
  fields: () => import('./TlsFields.tsx'),
};
