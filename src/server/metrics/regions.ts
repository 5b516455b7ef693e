// Regions and their probes. Their names are the operator's; there are few of them.
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import { registry } from '#src/platform/metrics.ts';
import type { Database } from '#src/platform/work.ts';
import { NO_REGION } from '#src/regions/find.ts';
import { hasStalled, ONLINE_MS } from '#src/regions/liveness.ts';

/** Probes that have series of their own, those last seen first. */
const MAX_PROBES = 200;

const ofRegion = (name: string, help: string) =>
  new Gauge({ name, help, labelNames: ['region'], registers: [registry] });
const ofProbe = (name: string, help: string) =>
  new Gauge({ name, help, labelNames: ['region', 'probe'], registers: [registry] });

const online = ofRegion('tocsin_region_online', '1 while a probe of the region is online');
const monitors = ofRegion('tocsin_region_monitors', 'Monitors that are checked from the region');
const waiting = ofRegion('tocsin_region_probes_waiting', 'Probes that wait to be admitted to the region');
const probeOnline = ofProbe(
  'tocsin_probe_online',
  '1 while an admitted probe asks for monitors and brings results',
);
const lastSeen = ofProbe('tocsin_probe_last_seen_timestamp_seconds', 'When an admitted probe was last seen');
const lag = ofProbe(
  'tocsin_probe_lag_seconds',
  'Time since a probe last delivered results, up to when it was last seen; absent where it has nothing to check',
);
const clockOffset = ofProbe(
  'tocsin_probe_clock_offset_seconds',
  "How far the clock of a probe's machine is ahead of the database's",
);
const GAUGES = [online, monitors, waiting, probeOnline, lastSeen, lag, clockOffset];

/** Reads which regions and probes are online at `now`, and how they keep up. */
export async function readRegions(db: Database, now: Date): Promise<void> {
  const since = new Date(now.getTime() - ONLINE_MS);
  const regions = await sql<{ region: string; online: boolean; monitors: number; waiting: number }>`
    SELECT r.slug AS region,
      EXISTS (SELECT FROM probes p WHERE p.region_no = r.no AND p.admission = 'admitted' AND p.last_seen_at > ${since}
        AND NOT ${hasStalled}) AS online,
      (SELECT count(*) FROM assignments a WHERE a.region_no = r.no AND NOT a.removed)::int AS monitors,
      (SELECT count(*) FROM probes p WHERE p.region_no = r.no AND p.admission = 'waiting')::int AS waiting
    FROM regions r WHERE r.no <> ${NO_REGION}`.execute(db);
  const probes = await sql<{
    region: string;
    probe: string;
    online: boolean;
    seen: number;
    lag: number | null;
    off: number | null;
  }>`
    SELECT r.slug AS region, p.probe_id AS probe, p.last_seen_at > ${since} AND NOT ${hasStalled} AS online,
      extract(epoch FROM p.last_seen_at)::float8 AS seen,
      greatest(0, extract(epoch FROM p.last_seen_at - p.awaited_since))::float8 AS lag, p.clock_off_ms AS off
    FROM probes p JOIN regions r ON r.no = p.region_no WHERE p.admission = 'admitted'
    ORDER BY p.last_seen_at DESC LIMIT ${MAX_PROBES}`.execute(db);
  clearRegions();
  for (const { region, ...row } of regions.rows) {
    online.set({ region }, row.online ? 1 : 0);
    monitors.set({ region }, row.monitors);
    waiting.set({ region }, row.waiting);
  }
  for (const { region, probe, ...row } of probes.rows) {
    probeOnline.set({ region, probe }, row.online ? 1 : 0);
    lastSeen.set({ region, probe }, row.seen);
    if (row.lag !== null) lag.set({ region, probe }, row.lag);
    if (row.off !== null) clockOffset.set({ region, probe }, row.off / 1000);
  }
}

export function clearRegions(): void {
  for (const gauge of GAUGES) gauge.reset();
}
