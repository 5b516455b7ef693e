// The `group` type in the dashboard.
import { IconSitemap } from '@tabler/icons-react';
import type { GroupConfig } from '#src/monitors/types/group/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const group: MonitorTypeParts<GroupConfig> = {
  offered: { group: 'combined', icon: IconSitemap },
  target: ({ members }, t) => t('types.members', { count: members.length }),
  form: () => import('./form.ts'),
  fields: () => import('./GroupFields.tsx'),
};
