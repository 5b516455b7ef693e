// Prometheus metrics; those of the installation are counted at each scrape.
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { registry, withProcessMetrics } from '../platform/metrics.ts';
import type { Database } from '../platform/work.ts';

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

const diskFree = new Gauge({
  name: 'tocsin_disk_free_bytes',
  help: 'Free space on the disk of the embedded database; absent where the database is on another machine',
  registers: [registry],
});
const resultsPaused = new Gauge({
  name: 'tocsin_results_paused',
  help: '1 while check results are refused because the database disk is full, or nearly',
  registers: [registry],
});

/** The metrics as Prometheus reads them. */
export async function metricsText(
  db: Database,
  disk: Pick<DiskGuard, 'resultsPaused' | 'freeBytes'>,
): Promise<{ text: string; contentType: string }> {
  const statuses = await sql<{ status: string; count: number }>`
    SELECT coalesce(s.last_status, 'unknown') AS status, count(*)::bigint AS count
    FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no WHERE m.enabled GROUP BY 1`.execute(db);
  monitors.reset();
  for (const { status, count } of statuses.rows) monitors.set({ status }, count);
  const counts = await sql<{ incidents: number; pending: number }>`
    SELECT (SELECT count(*) FROM incidents WHERE status = 'open')::bigint AS incidents,
      (SELECT count(*) FROM delivery_queue)::bigint AS pending`.execute(db);
  openIncidents.set(counts.rows[0]?.incidents ?? 0);
  pending.set(counts.rows[0]?.pending ?? 0);
  const freeBytes = disk.freeBytes();
  if (freeBytes === null) diskFree.remove();
  else diskFree.set(freeBytes);
  resultsPaused.set(disk.resultsPaused() ? 1 : 0);
  const all = withProcessMetrics();
  return { text: await all.metrics(), contentType: all.contentType };
}
