import { Counter } from 'prom-client';
import { registry } from '../platform/metrics.ts';
import type { NoticeChannel } from './data.ts';

const total = new Counter({
  name: 'tocsin_notices_total',
  help: 'Attempts at mails and pushes to people, by what came of them; retried ones come again',
  labelNames: ['channel', 'outcome'],
  registers: [registry],
});

export function countNotice(channel: NoticeChannel, outcome: 'sent' | 'retried' | 'failed'): void {
  total.inc({ channel, outcome });
}
