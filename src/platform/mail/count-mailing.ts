import { Counter } from 'prom-client';
import { registry } from '../metrics.ts';

const KINDS = ['status_page', 'report'] as const;
/** `refused`: for good, by the server of the address. `failed`: given up after the last try. */
const OUTCOMES = ['sent', 'retried', 'failed', 'refused'] as const;

const total = new Counter({
  name: 'tocsin_mailings_total',
  help: 'Attempts at mails of status pages and of reports, by what came of them; retried ones come again',
  labelNames: ['kind', 'outcome'],
  registers: [registry],
});
// Prometheus sees no increase in a series that appears with 1.
for (const kind of KINDS) for (const outcome of OUTCOMES) total.inc({ kind, outcome }, 0);

/** Counts an attempt at a mail that waits in no queue of notices: otherwise only the log would know that it was given up. */
export function countMailing(kind: (typeof KINDS)[number], outcome: (typeof OUTCOMES)[number]): void {
  total.inc({ kind, outcome });
}
