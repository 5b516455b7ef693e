// The `domain` type in the dashboard.
import { IconWorldWww } from '@tabler/icons-react';
import type { DomainConfig } from '#src/monitors/types/domain/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const domain: MonitorTypeParts<DomainConfig> = {
  offered: { group: 'names', icon: IconWorldWww },
  target: ({ domain }) => domain,
  form: () => import('./form.ts'),
  fields: () => import('./DomainFields.tsx'),
};
