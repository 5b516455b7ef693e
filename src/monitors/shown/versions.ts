// Finds out whether monitors still look as they were shown, without reading them: from the versions that PostgreSQL gives to
// rows (`xmin`, the transaction that wrote them), and from the values that change with time alone.
import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '#src/platform/work.ts';
import { onlineRegionNos, REPORTS_UNTIL } from '../no-data.ts';

/** A selection of an organization's monitors with its order: conditions and an order over the columns of `monitors`. */
export type Selection = {
  orgId: string;
  conditions: readonly RawBuilder<unknown>[];
  order: RawBuilder<unknown>;
  limit: number;
};

/** Of each monitor, by position: its number, the version of its row, and that of its state. */
export type Versions = {
  nos: readonly string[];
  rows: readonly string[];
  states: readonly string[];
  /** The end of maintenance (ms), by number; only for monitors in maintenance. */
  maintenance: Readonly<Record<string, number>>;
  /** The version of the organization's inherited values; it differs on another server of PostgreSQL. */
  inherited: string;
  /** The regions that are online, and the one of monitors without regions. */
  online: ReadonlySet<number>;
};

/**
 * Versions of a row can be compared on one server of PostgreSQL only: a replica that was promoted without the last transactions
 * uses their numbers again. No two servers were started in the same microsecond.
 */
const inheritedVersion = (orgId: string) => sql<string>`concat_ws(' ', pg_postmaster_start_time(),
  (SELECT xmin FROM alarm_standards WHERE org_id = ${orgId}), '/',
  (SELECT md5(string_agg(concat(id, xmin), ' ' ORDER BY id)) FROM alert_profiles WHERE org_id = ${orgId}))`;

/** The columns of `ShownBy` for a statement that reads monitors to show them; `state` is its alias of `monitor_state`. */
export const shownBy = (orgId: string, state: string) => [
  sql<string>`monitors.xmin::text`.as('row_version'),
  sql<string>`${sql.ref(`${state}.xmin`)}::text`.as('state_version'),
  inheritedVersion(orgId).as('inherited'),
  REPORTS_UNTIL.as('reports_until'),
];

export async function readVersions(
  db: Database | Tx,
  { orgId, conditions, order, limit }: Selection,
  now: Date,
): Promise<Versions> {
  const { rows } = await sql<{
    nos: string | null;
    rows: string;
    states: string;
    maintenance: Record<string, number> | null;
    inherited: string;
    online: number[];
  }>`
    WITH page AS MATERIALIZED (
      SELECT monitors.no, monitors.xmin AS row, state.xmin AS state
      FROM monitors JOIN monitor_state state ON state.monitor_no = monitors.no
      WHERE ${sql.join(conditions, sql` AND `)} ORDER BY ${order} LIMIT ${limit}
    )
    SELECT array_agg(no)::text AS nos, array_agg(row)::text AS rows, array_agg(state)::text AS states,
      (SELECT json_object_agg(no, until) FROM (
        SELECT w.monitor_no AS no, (extract(epoch FROM max(w.ends_at)) * 1000)::bigint AS until FROM page JOIN maintenance_monitors w ON w.monitor_no = page.no
        WHERE w.starts_at <= ${now} AND w.ends_at > ${now} GROUP BY 1) maintained) AS maintenance,
      ${inheritedVersion(orgId)} AS inherited,
      (SELECT array_agg(no::int) FROM (${onlineRegionNos(now)}) online) AS online
    FROM page`.execute(db);
  const [found] = rows;
  return {
    nos: listed(found?.nos),
    rows: listed(found?.rows),
    states: listed(found?.states),
    maintenance: found?.maintenance ?? {},
    inherited: found?.inherited ?? '',
    online: new Set(found?.online),
  };
}

/** An array literal of numbers, `{1,2}`, as texts: thousands are compared, and few are ever computed with. */
const listed = (literal: string | null | undefined): string[] =>
  literal == null || literal === '{}' ? [] : literal.slice(1, -1).split(',');
