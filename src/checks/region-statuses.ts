// Reads a monitor's status in each of its regions from its confirmation state and its newest checks.
import { sql } from 'kysely';
import type { ConfirmationState } from '../domain/confirmation-state.ts';
import { NO_REGION } from '../domain/no-region.ts';
import { reportingWindowMs, resultsEverySeconds, timeoutMsOf } from '../domain/reporting.ts';
import { INHERITED, inheritedFrom, type Levels } from '../monitors/policy-levels.ts';
import { completeConfig } from '../monitors/row.ts';
import { rulesOf } from '../monitors/types.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { onlineRegions } from '../regions/liveness.ts';
import { policyOf } from './confirmation-rules.ts';
import type { CheckRecord, RegionStatus } from './contract.ts';
import { listChecks } from './records.ts';

type Row = Levels & {
  type: string;
  config: Record<string, unknown>;
  interval_seconds: number;
  state: ConfirmationState;
  not_before: Date;
  /** In the order of the monitor's regions; one entry with an empty slug for a type without regions. */
  regions: { slug: string; name: string; last_ms: number | null }[];
};

/**
 * One row for each region of a monitor, in its order; single checks are shown from `since` on. A probe fault is shown as the
 * last check, but does not count as reporting.
 */
export async function listRegionStatuses(
  db: Database,
  monitorId: string,
  { now, since }: { now: Date; since: Date | null },
): Promise<RegionStatus[]> {
  const [monitor, newest, online] = await Promise.all([
    readMonitor(db, monitorId, since),
    listChecks(db, monitorId, { region: null, limit: 1000, perRegion: 1, before: null, since }),
    onlineRegions(db, now),
  ]);
  const config = completeConfig(rulesOf(monitor.type), monitor.config, monitor.interval_seconds);
  const window = reportingWindowMs({
    intervalSeconds: resultsEverySeconds(monitor.type, monitor.interval_seconds),
    timeoutMs: timeoutMsOf(config),
  });
  const required = policyOf({ ...monitor, config }).recovery_consecutive;
  const lastOf = new Map<string, CheckRecord>(newest.map((check) => [check.region, check]));
  return monitor.regions.map(({ slug, name, last_ms }) => {
    const known = monitor.state.regions[slug];
    // The state of a steady monitor does not record passing results.
    const passed = last_ms !== null && last_ms >= monitor.not_before.getTime() ? 'recovered' : 'unknown';
    const condition = known === undefined ? passed : known.condition;
    return {
      region: slug,
      name,
      online: slug === NO_REGION || online.has(slug),
      // A monitor without regions reports only when there is something to report, so it is never overdue here.
      reporting:
        last_ms !== null && (slug === NO_REGION || (online.has(slug) && last_ms > now.getTime() - window)),
      condition: condition === 'doubtful' ? 'unknown' : condition,
      failures_in_a_row: known?.fails ?? 0,
      recovering:
        known?.condition === 'failing' && known.passes > 0
          ? { passes: Math.min(known.passes, required), required }
          : null,
      last_check: lastOf.get(slug) ?? null,
    };
  });
}

/** A monitor with its regions, and the time of the last result of each, probe faults left out. */
async function readMonitor(db: Database, monitorId: string, since: Date | null): Promise<Row> {
  const { rows } = await sql<Row>`
    SELECT m.type, m.config, m.interval_seconds, m.policy, ${INHERITED}, s.state, s.not_before, (
      SELECT json_agg(json_build_object('slug', r.slug, 'name', r.name, 'last_ms', c.at_ms) ORDER BY u.place)
      FROM unnest(CASE WHEN m.regions = '{}' THEN '{""}' ELSE m.regions END) WITH ORDINALITY AS u (slug, place)
      JOIN regions r ON r.slug = u.slug
      LEFT JOIN LATERAL (
        SELECT (extract(epoch FROM checked_at) * 1000)::bigint AS at_ms FROM newest_checks(m.no, r.no,
          coalesce(${since}::timestamptz + interval '1 microsecond', '-infinity'), 'infinity', 1, true)
        ORDER BY checked_at DESC LIMIT 1
      ) c ON true
    ) AS regions
    FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no ${inheritedFrom('m')}
    WHERE m.id = ${monitorId}`.execute(db);
  const [row] = rows;
  return row ? { ...row, regions: row.regions ?? [] } : notFound('monitor');
}
