// The whole report (docs/rules/figures.md#reports).
import { type ReportedFigures, uptimeOfAll } from '../domain/report.ts';
import { wholeSeconds } from '../domain/whole-seconds.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { unix, unixOfMs } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { Report, ReportedMonitor, ReportQuery } from './contract.ts';
import { listIncidents } from './incidents.ts';
import { listMonitors, type Measured, measure } from './monitors.ts';
import { rangeOf } from './range.ts';
import { subjectOf } from './subject.ts';

export type ReportRequest = { orgId: string; within: ResourceFilter; now: Date; seesIncidents: boolean };

/** Refuses an invalid query with 400. */
export async function readReport(
  db: Database,
  query: ReportQuery,
  { orgId, within, now, seesIncidents }: ReportRequest,
): Promise<Report> {
  const { period, timezone, span, isOver, keptSinceMs } = rangeOf(query, now);
  const subject = await subjectOf(db, orgId, query, within);
  const { monitors, count } = await listMonitors(db, orgId, subject, within);
  const ofNone = subject.kind === 'organization' && within === null;
  const [measured, found] = await Promise.all([
    measure(db, orgId, monitors, span, now),
    seesIncidents ? listIncidents(db, orgId, monitors, span, ofNone) : null,
  ]);
  const rows = measured.map(shown);
  const { kind, id, name, organizationName } = subject;
  return {
    subject: { kind, id, name },
    organization_name: organizationName,
    ...{ period, timezone },
    from_unix: unixOfMs(span.fromMs),
    to_unix: unix(new Date(span.untilMs)),
    is_over: isOver,
    kept_since_unix: unixOfMs(keptSinceMs),
    monitors: rows,
    monitor_count: count,
    totals: totalsOf(measured, rows),
    incidents: found?.incidents ?? null,
    incident_count: found?.count ?? null,
  };
}

const seconds = (ms: number) => Math.round(ms / 1000);

function secondsOf(figures: ReportedFigures) {
  const { countedMs, maintenanceMs, unknownMs } = figures;
  const [counted = 0, maintenance = 0, unknown = 0] = wholeSeconds([countedMs, maintenanceMs, unknownMs]);
  return {
    counted_seconds: counted,
    downtime_seconds: seconds(figures.downMs),
    maintenance_seconds: maintenance,
    unknown_seconds: unknown,
    discarded_seconds: seconds(figures.discardedMs),
    longest_downtime_seconds: seconds(figures.longestMs),
  };
}

function shown(measured: Measured): ReportedMonitor {
  const { id, name, project_id, project_name, type, enabled } = measured.monitor;
  return {
    ...{ monitor_id: id, name, project_id, project_name, type, enabled },
    uptime_time_pct: measured.uptimePct,
    ...secondsOf(measured),
    incidents: measured.incidents,
    coverage_pct: measured.coveragePct,
  };
}

/** Sums of the rows as they are shown, so that a reader who adds them up gets the same. */
function totalsOf(measured: readonly Measured[], rows: readonly ReportedMonitor[]): Report['totals'] {
  const sum = (of: (row: ReportedMonitor) => number) => rows.reduce((all, row) => all + of(row), 0);
  return {
    uptime_time_pct: uptimeOfAll(measured),
    counted_seconds: sum((row) => row.counted_seconds),
    downtime_seconds: sum((row) => row.downtime_seconds),
    maintenance_seconds: sum((row) => row.maintenance_seconds),
    unknown_seconds: sum((row) => row.unknown_seconds),
    discarded_seconds: sum((row) => row.discarded_seconds),
    incidents: sum((row) => row.incidents),
    longest_downtime_seconds: rows.reduce((most, row) => Math.max(most, row.longest_downtime_seconds), 0),
  };
}
