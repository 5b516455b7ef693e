import { Counter } from 'prom-client';
import { registry } from '../platform/metrics.ts';
import type { NoticeChannel } from './data.ts';

const total = new Counter({
  name: 'tocsin_notices_total',
  help: 'Attempts at mails and pushes to people, by what came of them; retried ones come again',
  labelNames: ['channel', 'outcome'],
  registers: [registry],
});

const CHANNELS: readonly NoticeChannel[] = ['mail', 'push'];
const OUTCOMES = ['sent', 'retried', 'failed'] as const;
// Prometheus sees no increase in a series that appears with 1.
for (const channel of CHANNELS) for (const outcome of OUTCOMES) total.inc({ channel, outcome }, 0);

export function countNotice(channel: NoticeChannel, outcome: (typeof OUTCOMES)[number]): void {
  total.inc({ channel, outcome });
}
