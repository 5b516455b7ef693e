// Figures of the monitors that a list shows at one moment (docs/rules/figures.md#figures-of-a-list).
import { sql } from 'kysely';
import { seriesWindow } from '../domain/series.ts';
import { uptimeOf } from '../domain/uptime.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import { refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { MAX_MONITORS_PER_REQUEST, type MonitorFigures } from './contract.ts';
import { asking, readHistories } from './uptime.ts';

type Monitor = { no: number; id: string; type: string };

/** Types whose metric is days left. */
const EXPIRING = ['tls', 'domain'];
/** How far back a check may have measured the days left: longer than any interval. */
const MEASURED_WITHIN_DAYS = 7;
/** Checks of a region that are looked at for one that measured it; those that failed before did not. */
const NEWEST_CHECKS = 10;

/** `long`: also of 7 and of 90 days. */
export type FiguresRequest = { within: ResourceFilter; now: Date; long: boolean };

/**
 * Figures of the monitors with these ids, separated by commas. What the organization does not have, or the key does not see,
 * is left out. Refuses `invalid_request` with the field for more than MAX_MONITORS_PER_REQUEST.
 */
export async function monitorFigures(
  db: Database,
  orgId: string,
  ids: string,
  { within, now, long }: FiguresRequest,
): Promise<MonitorFigures[]> {
  const wanted = [...new Set(ids.split(','))];
  if (wanted.length > MAX_MONITORS_PER_REQUEST)
    refuse(
      'invalid_request',
      `monitor_ids names more than ${MAX_MONITORS_PER_REQUEST} monitors; ask for them in parts.`,
      {
        field: 'monitor_ids',
      },
    );
  const seen = within
    ? sql`AND ${seenIn(within, { project: 'monitors.project_id', monitor: 'monitors.id' })}`
    : sql``;
  const { rows: monitors } = await sql<Monitor>`
    SELECT no, id, type FROM monitors WHERE org_id = ${orgId} AND id = ANY(${wanted}::text[]) ${seen}`.execute(
    db,
  );
  if (monitors.length === 0) return [];
  const day = seriesWindow('1d', unix(now));
  const month = seriesWindow('30d', unix(now));
  const week = seriesWindow('7d', unix(now));
  const quarter = seriesWindow('90d', unix(now));
  const longest = long ? quarter : month;
  const at = (seconds: number) => new Date(seconds * 1000);
  const [histories, days] = await Promise.all([
    readHistories(
      asking(db),
      monitors.map(({ no }) => no),
      at(longest.fromUnix),
      at(longest.toUnix),
    ),
    daysLeft(
      db,
      monitors.filter(({ type }) => EXPIRING.includes(type)).map(({ no }) => no),
      now,
    ),
  ]);
  return monitors.map(({ no, id }) => {
    const history = histories.get(no) ?? { known: [], maintenance: [], downtime: [] };
    const uptime = ({ fromUnix, toUnix }: typeof day) =>
      uptimeOf({ fromMs: fromUnix * 1000, untilMs: toUnix * 1000 }, history).pct;
    return {
      monitor_id: id,
      uptime_1d_pct: uptime(day),
      uptime_30d_pct: uptime(month),
      ...(long ? { uptime_7d_pct: uptime(week), uptime_90d_pct: uptime(quarter) } : {}),
      days_left: days.get(no) ?? null,
    };
  });
}

/** The days left at `now`, of the newest check of any region that measured them. */
async function daysLeft(db: Database, nos: readonly number[], now: Date): Promise<Map<number, number>> {
  if (nos.length === 0) return new Map();
  const since = sql`${now}::timestamptz - make_interval(days => ${MEASURED_WITHIN_DAYS}::int)`;
  const { rows } = await sql<{ no: number; days: number }>`
    SELECT DISTINCT ON (m.no) m.no, c.metric_value - extract(epoch FROM ${now}::timestamptz - c.checked_at)::float8 / 86400 AS days
    FROM unnest(${nos}::int[]) AS m(no) CROSS JOIN regions r CROSS JOIN LATERAL (
      SELECT * FROM newest_checks(m.no, r.no, ${since}, 'infinity', ${NEWEST_CHECKS}::int, true)
      WHERE metric_value IS NOT NULL ORDER BY checked_at DESC LIMIT 1
    ) c
    ORDER BY m.no, c.checked_at DESC`.execute(db);
  return new Map(rows.map(({ no, days }) => [no, Math.round(days * 100) / 100]));
}
