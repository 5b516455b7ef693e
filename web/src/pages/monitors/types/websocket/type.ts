// The `websocket` type in the dashboard.
import { IconArrowsExchange } from '@tabler/icons-react';
import type { WebsocketConfig } from '#src/monitors/types/websocket/config.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const websocket: MonitorTypeParts<WebsocketConfig> = {
  offered: { group: 'web', icon: IconArrowsExchange },
  schemes: ['ws', 'wss'],
  target: ({ url }) => url.replace(/\/$/, ''),
  form: () => import('./form.ts'),
  fields: () => import('./WebsocketFields.tsx'),
};
