// The monitors of a report, and the inputs of their figures.
import { sql } from 'kysely';
import { figuresOf, type ReportedFigures } from '../domain/report.ts';
import type { Span } from '../domain/spans.ts';
import type { History } from '../domain/uptime.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import type { Database } from '../platform/work.ts';
import { coverageOf, readReported } from '../series/coverage.ts';
import { asking, readHistories } from '../series/uptime.ts';
import { MAX_MONITORS } from './contract.ts';
import type { Subject } from './subject.ts';

export type Listed = {
  no: number;
  id: string;
  name: string;
  project_id: string;
  project_name: string;
  type: string;
  enabled: boolean;
  interval_seconds: number;
  regions: string[];
  created_at: Date;
};

export type Measured = ReportedFigures & {
  monitor: Listed;
  coveragePct: number | null;
  incidents: number;
};

/** Histories per batch: other requests run between two batches. */
const LOT = 200;

const NOTHING: History = { known: [], maintenance: [], downtime: [] };

/** The monitors: of a status page in its order, otherwise by project and name. `count`: the total. */
export async function listMonitors(
  db: Database,
  orgId: string,
  { kind, id, where }: Subject,
  within: ResourceFilter,
): Promise<{ monitors: Listed[]; count: number }> {
  const seen = within ? seenIn(within, { project: 'm.project_id', monitor: 'm.id' }) : sql`true`;
  const { rows } = await sql<Listed & { count: number }>`
    SELECT m.no, m.id, coalesce(s.display_name, m.name) AS name, m.project_id, p.name AS project_name, m.type, m.enabled,
      m.interval_seconds, m.regions, m.created_at, (count(*) OVER ())::int AS count
    FROM monitors m JOIN projects p ON p.id = m.project_id
    LEFT JOIN status_page_monitors s ON s.monitor_no = m.no AND s.status_page_id = ${kind === 'status_page' ? id : null}
    WHERE m.org_id = ${orgId} AND NOT m.example AND ${where} AND ${seen}
    ORDER BY s.sort_order, lower(p.name), p.id, lower(m.name), m.no LIMIT ${MAX_MONITORS}`.execute(db);
  return { monitors: rows.map(({ count: _, ...monitor }) => monitor), count: rows[0]?.count ?? 0 };
}

/** The figures of monitors over a range, in the order of the monitors, with a fixed number of statements per batch. */
export async function measure(
  db: Database,
  orgId: string,
  monitors: readonly Listed[],
  { fromMs, untilMs }: Span,
  now: Date,
): Promise<Measured[]> {
  if (monitors.length === 0) return [];
  // Uptime is exact to the second. Checks count up to now, including one of this very millisecond.
  const range = { fromMs, untilMs: Math.floor(untilMs / 1000) * 1000 };
  const checked = { fromMs, untilMs: untilMs === now.getTime() ? untilMs + 1 : untilMs };
  const nos = monitors.map(({ no }) => no);
  const [incidents, reported] = await Promise.all([
    readIncidentTimes(db, orgId, nos, range),
    readReported(db, nos, checked, now),
  ]);
  const measured: Measured[] = [];
  for (let i = 0; i < monitors.length; i += LOT) {
    const lot = monitors.slice(i, i + LOT);
    const histories = await readHistories(
      asking(db),
      lot.map(({ no }) => no),
      new Date(range.fromMs),
      new Date(range.untilMs),
    );
    for (const monitor of lot) {
      const { count = 0, discarded = [] } = incidents.get(monitor.no) ?? {};
      measured.push({
        monitor,
        ...figuresOf(range, histories.get(monitor.no) ?? NOTHING, discarded),
        coveragePct: reported && coverageOf(monitor, reported.get(monitor.no) ?? 0, { fromMs, untilMs }),
        incidents: count,
      });
    }
  }
  return measured;
}

type IncidentTimes = { count: number; discarded: Span[] };

/** By monitor: the number of incidents that count, and the times of its false alarms. */
async function readIncidentTimes(
  db: Database,
  orgId: string,
  nos: readonly number[],
  { fromMs, untilMs }: Span,
): Promise<Map<number, IncidentTimes>> {
  const { rows } = await sql<{ no: number; count: number; since: number[]; until: number[] }>`
    SELECT monitor_no AS no, (count(*) FILTER (WHERE NOT discarded))::int AS count,
      coalesce(array_agg((extract(epoch FROM started_at) * 1000)::float8 ORDER BY no) FILTER (WHERE is_false), '{}') AS since,
      coalesce(array_agg((extract(epoch FROM resolved_at) * 1000)::float8 ORDER BY no) FILTER (WHERE is_false), '{}') AS until
    FROM (
      SELECT i.monitor_no, i.discarded, i.started_at, i.resolved_at, i.id AS no,
        i.discarded AND i.origin = 'automatic' AND i.resolved_at IS NOT NULL AS is_false
      FROM incidents i WHERE i.org_id = ${orgId} AND i.monitor_no = ANY(${[...nos]}::int[])
        AND i.started_at < ${new Date(untilMs)} AND (i.resolved_at IS NULL OR i.resolved_at > ${new Date(fromMs)})
    ) touched GROUP BY monitor_no`.execute(db);
  return new Map(
    rows.map(({ no, count, since, until }) => [
      no,
      { count, discarded: since.map((at, i) => ({ fromMs: at, untilMs: until[i] ?? at })) },
    ]),
  );
}
