// The `http` type in the dashboard.
import { IconApi } from '@tabler/icons-react';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const http: MonitorTypeParts<HttpConfig> = {
  offered: { group: 'web', icon: IconApi },
  schemes: ['http', 'https'],
  target: ({ url }) => url.replace(/^https?:\/\//, '').replace(/\/$/, ''),
  link: ({ url }) => url,
  form: () => import('./form.ts'),
  fields: () => import('./HttpFields.tsx'),
};
