// Every monitor as one tile, and the number of monitors by state.
import { sql } from 'kysely';
import { inMaintenance } from '../conditions/maintenance.ts';
import { monitorState } from '../domain/monitor-state.ts';
import { countTiles, tileState } from '../domain/tiles.ts';
import { CANNOT_CHECK_CLASS, noDataSince, onlineRegionNos, reportingAt } from '../monitors/no-data.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { type Counts, MAX_TILES, type Tile } from './contract.ts';

type Row = {
  id: string;
  name: string;
  enabled: boolean;
  interval_seconds: number;
  last_status: string | null;
  last_status_since: Date | null;
  no_data_since: Date | null;
  cannot_check: string | null;
  in_maintenance: boolean;
};

/** One statement for all monitors, by project and name. A narrowed key sees only its own. */
export async function readTiles(
  db: Database,
  orgId: string,
  within: ResourceFilter,
  now: Date,
): Promise<{ monitors: Tile[]; counts: Counts }> {
  const seen = within
    ? seenIn(within, { project: 'monitors.project_id', monitor: 'monitors.id' })
    : sql`true`;
  const statement = sql<Row>`
    WITH online AS MATERIALIZED ${onlineRegionNos(now)}
    SELECT monitors.id, monitors.name, monitors.enabled, monitors.interval_seconds, state.last_status,
      state.last_status_since, ${noDataSince(now)} AS no_data_since, ${CANNOT_CHECK_CLASS} AS cannot_check,
      ${inMaintenance(sql`monitors.no`, sql`${now}::timestamptz`)} AS in_maintenance
    FROM monitors JOIN monitor_state state ON state.monitor_no = monitors.no
      JOIN projects ON projects.id = monitors.project_id
      JOIN ${reportingAt(now)} reporting ON true
      LEFT JOIN silences ON silences.monitor_no = monitors.no
    WHERE monitors.org_id = ${orgId} AND NOT monitors.example AND ${seen}
    ORDER BY lower(projects.name), projects.id, lower(monitors.name), monitors.no`;
  // Planning a query for the newest checks of each monitor takes longer than running it.
  const rows = await inTransaction(db, async (tx) => (await statement.execute(tx)).rows, { keepPlans: true });
  const tiles = rows.map((row) => tileOf(row, unix(now)));
  return { monitors: tiles.slice(0, MAX_TILES), counts: countTiles(tiles) };
}

function tileOf({ last_status_since, no_data_since, ...row }: Row, nowUnix: number): Tile {
  const without = unixOrNull(no_data_since);
  const state = tileState(monitorState({ ...row, no_data_since_unix: without }, nowUnix), row.in_maintenance);
  return {
    id: row.id,
    name: row.name,
    state,
    in_maintenance: row.in_maintenance,
    since_unix: state === 'passed' || state === 'paused' ? null : (without ?? unixOrNull(last_status_since)),
  };
}
