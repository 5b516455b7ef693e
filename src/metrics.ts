// Prometheus metrics of this process and of the installation, without labels of tenants.

import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './platform/work.ts';

const registry = new Registry();
let started = false;

export const ingested = new Counter({
  name: 'tocsin_results_total',
  help: 'Check results received, by what became of them',
  labelNames: ['outcome'],
  registers: [registry],
});

export const ingestSeconds = new Histogram({
  name: 'tocsin_ingest_seconds',
  help: 'Time from the arrival of a batch of results to its commit',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
});

const monitors = new Gauge({
  name: 'tocsin_monitors',
  help: 'Enabled monitors by confirmed status',
  labelNames: ['status'],
  registers: [registry],
});
const openIncidents = new Gauge({
  name: 'tocsin_open_incidents',
  help: 'Open incidents',
  registers: [registry],
});
const pending = new Gauge({
  name: 'tocsin_pending_deliveries',
  help: 'Notifications that wait for a try',
  registers: [registry],
});

/** The metrics as Prometheus reads them. */
export async function metricsText(db: Database): Promise<{ text: string; contentType: string }> {
  if (!started) {
    collectDefaultMetrics({ register: registry });
    started = true;
  }
  const statuses = await sql<{ status: string; count: number }>`
    SELECT coalesce(s.last_status, 'unknown') AS status, count(*)::bigint AS count
    FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no WHERE m.enabled GROUP BY 1`.execute(db);
  monitors.reset();
  for (const { status, count } of statuses.rows) monitors.set({ status }, count);
  const counts = await sql<{ incidents: number; pending: number }>`
    SELECT (SELECT count(*) FROM incidents WHERE status = 'open')::bigint AS incidents,
      (SELECT count(*) FROM deliveries WHERE state = 'pending')::bigint AS pending`.execute(db);
  openIncidents.set(counts.rows[0]?.incidents ?? 0);
  pending.set(counts.rows[0]?.pending ?? 0);
  return { text: await registry.metrics(), contentType: registry.contentType };
}
