import { Counter } from 'prom-client';
import { CHANNEL_NAMES } from '#src/domain/names.ts';
import { registry } from '#src/platform/metrics.ts';

const total = new Counter({
  name: 'tocsin_deliveries_total',
  help: 'Attempts at deliveries to notification targets, by the kind of the target and what came of them; retried ones come again',
  labelNames: ['kind', 'outcome'],
  registers: [registry],
});

const OUTCOMES = {
  delivered: 'delivered',
  pending: 'retried',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;

// Prometheus sees no increase in a series that appears with 1.
for (const kind of CHANNEL_NAMES)
  for (const outcome of Object.values(OUTCOMES)) total.inc({ kind, outcome }, 0);

/** Counts one delivery whose attempt ended in this state. */
export function countDelivery(kind: string, state: keyof typeof OUTCOMES): void {
  total.inc({ kind, outcome: OUTCOMES[state] });
}
