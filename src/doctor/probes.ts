// The doctor's checks of regions: whether somebody checks there, and whether the clocks of probes are right.
import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';
import { listAdministered } from '../regions/administered.ts';
import { type Finding, finding } from './finding.ts';

const CLOCK_OFF_MS = 2_000;

export async function checkRegions(db: Database, now: Date): Promise<Finding[]> {
  const regions = await listAdministered(db, now);
  const findings = regions.flatMap(({ slug: region, online, monitor_count: monitors, probes }) => [
    ...(online || monitors === 0 ? [] : [finding('fail', 'probes', 'region_offline', { region, monitors })]),
    ...probes
      .filter(({ admission }) => admission === 'waiting')
      .map(({ probe_id: probe }) => finding('warn', 'probes', 'probe_waiting', { region, probe })),
    ...probes
      .filter(({ stalled, online }) => stalled && online)
      .map(({ probe_id: probe }) => finding('warn', 'probes', 'probe_stalled', { region, probe })),
  ]);
  const working = regions.filter(({ online }) => online).length;
  if (working === 0) return [finding('warn', 'probes', 'regions_none'), ...findings];
  if (findings.length > 0) return findings;
  return [finding('ok', 'probes', 'regions_online', { count: working })];
}

/** By what each probe that is online said of its clock when it last asked for monitors. */
export async function checkProbeClocks(db: Database, onlineSince: Date): Promise<Finding[]> {
  const { rows } = await sql<{ region: string; probe: string; off: number }>`
    SELECT r.slug AS region, p.probe_id AS probe, p.clock_off_ms AS off FROM probes p JOIN regions r ON r.no = p.region_no
    WHERE p.clock_off_ms IS NOT NULL AND p.last_seen_at > ${onlineSince} AND p.admission = 'admitted'
    ORDER BY 1, 2`.execute(db);
  const wrong = rows.filter(({ off }) => Math.abs(off) > CLOCK_OFF_MS);
  if (wrong.length === 0)
    return rows.length === 0 ? [] : [finding('ok', 'clock', 'probe_clocks_near', { count: rows.length })];
  return wrong.map(({ region, probe, off }) =>
    finding('warn', 'clock', 'probe_clock_off', { region, probe, seconds: (off / 1000).toFixed(1) }),
  );
}
