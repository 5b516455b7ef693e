// The form of the `ping` type.
import { PingConfig } from '#src/monitors/types/ping/config.ts';
import type { Amount } from '#web/pages/monitors/form/amounts.ts';
import { hostProblem, numberProblem } from '#web/pages/monitors/form/checks.ts';
import {
  type IpFamily,
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type PingValues = Timing &
  IpFamily & { host: string; count: Amount; max_loss_pct: Amount; degraded_loss_pct: Amount };

export const form = typeForm<PingValues, PingConfig>({
  type: 'ping',
  schema: PingConfig,
  start: { host: '' },
  read: (config) => ({
    host: config.host,
    count: config.count,
    max_loss_pct: config.max_loss_pct,
    degraded_loss_pct: config.degraded_loss_pct,
    ip_family: config.ip_family,
    ...readTiming(config),
  }),
  write: (values) => ({
    host: values.host.trim(),
    count: values.count,
    max_loss_pct: values.max_loss_pct,
    degraded_loss_pct: values.degraded_loss_pct,
    ip_family: values.ip_family,
    ...writeTiming(values),
  }),
  problems: (values) => ({
    host: hostProblem(values.host),
    count: numberProblem(values.count, 1, 20, { needed: true }),
    max_loss_pct: numberProblem(values.max_loss_pct, 0, 100, { needed: true, whole: false }),
    degraded_loss_pct: numberProblem(values.degraded_loss_pct, 0, 100, { needed: true, whole: false }),
    ...timingProblems(values),
  }),
  sections: [
    {
      id: 'packets',
      fields: ['count', 'max_loss_pct', 'degraded_loss_pct'],
      title: (t) => t('fields.ping.packets'),
      summary: (t, formats, { count, max_loss_pct }) =>
        t('fields.ping.summary', {
          count: count === '' ? 0 : count,
          loss: formats.percent(max_loss_pct === '' ? 0 : max_loss_pct),
        }),
    },
    timingSection(PingConfig),
  ],
});
