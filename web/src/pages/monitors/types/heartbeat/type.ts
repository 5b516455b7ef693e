// The `heartbeat` type in the dashboard.
import { IconHeartbeat } from '@tabler/icons-react';
import type { HeartbeatConfig } from '#src/monitors/types/heartbeat/config.ts';
import { everyWords } from '#web/every-words.ts';
import type { MonitorTypeParts } from '../monitor-type.ts';

export const heartbeat: MonitorTypeParts<HeartbeatConfig> = {
  offered: { group: 'reporting', icon: IconHeartbeat },
  target: ({ schedule }, t, formats) =>
    schedule.kind === 'cron'
      ? `${schedule.expression} (${schedule.timezone})`
      : everyWords(t, formats, schedule.period_seconds),
  form: () => import('./form.ts'),
  fields: () => import('./HeartbeatFields.tsx'),
};
