import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import { registry } from '#src/platform/metrics.ts';
import type { Database } from '#src/platform/work.ts';

const monitors = new Gauge({
  name: 'tocsin_monitors',
  help: 'Enabled monitors by confirmed status; no_data while nobody knows it, unknown before the first result',
  labelNames: ['status'],
  registers: [registry],
});
const openIncidents = new Gauge({
  name: 'tocsin_open_incidents',
  help: 'Open incidents',
  registers: [registry],
});

/** Reads how many monitors and open incidents there are. A monitor without data is not counted under its last status. */
export async function readInstallation(db: Database): Promise<void> {
  const statuses = await sql<{ status: string; count: number }>`
    SELECT CASE WHEN s.last_status IS NULL THEN 'unknown' WHEN silences.monitor_no IS NOT NULL THEN 'no_data'
      ELSE s.last_status END AS status, count(*)::bigint AS count
    FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no LEFT JOIN silences ON silences.monitor_no = m.no
    WHERE m.enabled AND NOT m.example GROUP BY 1`.execute(db);
  const incidents = await sql<{ count: number }>`
    SELECT count(*)::bigint AS count FROM incidents WHERE status = 'open' AND NOT example`.execute(db);
  monitors.reset();
  for (const { status, count } of statuses.rows) monitors.set({ status }, count);
  openIncidents.set(incidents.rows[0]?.count ?? 0);
}

export function clearInstallation(): void {
  monitors.reset();
  openIncidents.remove();
}
