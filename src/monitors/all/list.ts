import fastJson from 'fast-json-stringify';
import { type RawBuilder, sql } from 'kysely';
import { cannotCheck } from '#src/domain/cannot-check.ts';
import { shownConfirming } from '#src/domain/confirmation-state.ts';
import { FIRST_RESULT_SECONDS, monitorState } from '#src/domain/monitor-state.ts';
import type { MonitorState } from '#src/domain/names.ts';
import { effectiveAlarm } from '#src/domain/policy.ts';
import type { ResourceFilter } from '#src/platform/http/caller.ts';
import type { Page } from '#src/platform/http/page.ts';
import { seenIn } from '#src/platform/http/within.ts';
import { notFound } from '#src/platform/refusals.ts';
import { normalizedTag } from '#src/platform/tags.ts';
import { unix, unixOrNull } from '#src/platform/unix.ts';
import type { Database } from '#src/platform/work.ts';
import { CANNOT_CHECK_CLASS, noDataSince, onlineRegionNos, reportingAt } from '../no-data.ts';
import { INHERITED, inheritedFrom, type Levels, levelsOf } from '../policy-levels.ts';
import type { ShownBy } from '../shown/memory.ts';
import { ShownMonitors, type ShownPage } from '../shown/shown.ts';
import { type Selection, shownBy } from '../shown/versions.ts';
import { ListedMonitor, type SORTS } from './contract.ts';

export type Filters = {
  project_id?: string;
  type?: string;
  state?: MonitorState;
  tag?: string;
  search?: string;
  sort?: (typeof SORTS)[number];
};

type Row = Omit<
  ListedMonitor,
  | 'state'
  | 'confirming'
  | 'cannot_check'
  | `${'last_status_since' | 'no_data_since' | 'in_maintenance_until'}_unix`
> &
  Levels &
  ShownBy & {
    last_status_since: Date | null;
    no_data_since: Date | null;
    confirming: number | null;
    cannot_check: string | null;
  };

/**
 * URL without its query, which may contain a token, or the host with its port if one is set; only types that probes check have
 * one.
 */
const TARGET = sql<string | null>`coalesce(split_part(monitors.config ->> 'url', '?', 1), CASE
  WHEN monitors.config ->> 'port' IS NULL THEN monitors.config ->> 'host'
  WHEN monitors.config ->> 'host' LIKE '%:%' THEN '[' || (monitors.config ->> 'host') || ']:' || (monitors.config ->> 'port')
  ELSE (monitors.config ->> 'host') || ':' || (monitors.config ->> 'port') END)`;

const COLUMNS = sql`monitors.no, monitors.id, monitors.name, monitors.project_id, monitors.type, monitors.enabled,
  monitors.interval_seconds, monitors.regions, monitors.severity, monitors.tags, monitors.example, monitors.policy,
  state.last_status, state.last_status_since, state.confirming, ${TARGET} AS target`;

/** The order of each sort, and the rows that come after the row `from` in it. */
const ORDERS: Record<
  (typeof SORTS)[number],
  { by: RawBuilder<unknown>; after: (from: Cursor) => RawBuilder<unknown> }
> = {
  newest: { by: sql`monitors.no DESC`, after: ({ no }) => sql`monitors.no < ${no}` },
  name: {
    by: sql`lower(monitors.name), monitors.no`,
    after: ({ no, name }) => sql`(lower(monitors.name), monitors.no) > (lower(${name}), ${no})`,
  },
};
type Cursor = { no: number; name: string };

export type ListedMonitors = ShownMonitors<Row>;

export function listedMonitors(): ListedMonitors {
  let write: ((monitor: ListedMonitor) => string) | null = null;
  return new ShownMonitors<Row>({
    read: async (tx, asked, now) => (await selectListed(asked, now).execute(tx)).rows,
    show(row, now) {
      // Built on first use: it takes longer than the rest of the start.
      write ??= fastJson(ListedMonitor as never);
      return { id: row.id, json: Buffer.from(write(showListed(row, now))) };
    },
  });
}

/**
 * Monitors of an organization, in short form; a narrowed key sees its own. `before` is a monitor that the key sees, even if the
 * filters leave it out; 404 otherwise.
 */
export async function listAllMonitors(
  db: Database,
  orgId: string,
  { limit, before }: Page,
  { sort = 'newest', state, ...filters }: Filters,
  within: ResourceFilter,
  { monitors, now }: { monitors: ListedMonitors; now: Date },
): Promise<ShownPage> {
  const seen = [sql`monitors.org_id = ${orgId}`];
  if (within) seen.push(seenIn(within, { project: 'monitors.project_id', monitor: 'monitors.id' }));
  const order = ORDERS[sort];
  const from = before === null ? null : await cursorOf(db, seen, before);
  const conditions = [...seen, ...conditionsOf(filters), ...(from ? [order.after(from)] : [])];
  const asked = { orgId, conditions, order: order.by, limit };
  return state === undefined
    ? monitors.page(db, asked, now)
    : monitors.anew(db, inState(asked, state, now), now);
}

/** The state of every row must be known before a page is cut. */
const inState = (asked: Selection, state: MonitorState, now: Date): Selection => ({
  ...asked,
  conditions: [...asked.conditions, sql`${stateAt(now)} = ${state}`],
});

async function cursorOf(db: Database, seen: readonly RawBuilder<unknown>[], id: string): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    SELECT no, name FROM monitors WHERE id = ${id} AND ${sql.join(seen, sql` AND `)}`.execute(db);
  return rows[0] ?? notFound('monitor');
}

function conditionsOf({ project_id, type, tag, search }: Filters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (project_id !== undefined) conditions.push(sql`monitors.project_id = ${project_id}`);
  if (type !== undefined) conditions.push(sql`monitors.type = ${type}`);
  if (tag !== undefined) conditions.push(sql`${normalizedTag(tag)} = ANY(monitors.tags)`);
  for (const word of (search ?? '').toLowerCase().split(/\s+/))
    if (word !== '')
      conditions.push(
        sql`position(${word} IN lower(concat_ws(' ', monitors.name, ${TARGET}, array_to_string(monitors.tags, ' ')))) > 0`,
      );
  return conditions;
}

export const selectListed = ({ orgId, conditions, order, limit }: Selection, now: Date) => sql<Row>`
  WITH online AS MATERIALIZED ${onlineRegionNos(now)}
  SELECT ${COLUMNS}, ${INHERITED}, ${sql.join(shownBy(orgId, 'state'))}, ${noDataSince(now)} AS no_data_since, ${CANNOT_CHECK_CLASS} AS cannot_check, (
    SELECT max(w.ends_at) FROM maintenance_monitors w
    WHERE w.monitor_no = monitors.no AND w.starts_at <= ${now} AND w.ends_at > ${now}
  ) AS in_maintenance_until
  FROM monitors JOIN monitor_state state ON state.monitor_no = monitors.no
    JOIN ${reportingAt(now)} reporting ON true
    LEFT JOIN silences ON silences.monitor_no = monitors.no
    ${inheritedFrom('monitors')}
  WHERE ${sql.join(conditions, sql` AND `)}
  ORDER BY ${order} LIMIT ${limit}`;

/** `monitorState` as an expression. */
const stateAt = (now: Date) => sql`CASE
  WHEN NOT monitors.enabled THEN 'paused'
  WHEN ${CANNOT_CHECK_CLASS} IS NOT NULL THEN 'cannot_check'
  WHEN ${noDataSince(now)} IS NOT NULL THEN CASE WHEN state.last_status IS NULL
    AND ${now}::timestamptz < ${noDataSince(now)} + make_interval(secs => 3 * monitors.interval_seconds + ${FIRST_RESULT_SECONDS}::int)
    THEN 'pending' ELSE 'no_data' END
  ELSE coalesce(state.last_status, 'pending') END`;

export function showListed(row: Row, now: Date): ListedMonitor {
  const { policy, profile, standard, last_status_since, no_data_since, in_maintenance_until, ...rest } = row;
  const shown = {
    ...rest,
    cannot_check: cannotCheck(row.cannot_check),
    no_data_since_unix: unixOrNull(no_data_since),
  };
  const { alarm_consecutive } = effectiveAlarm(levelsOf({ policy, profile, standard }));
  return {
    ...shown,
    state: monitorState(shown, unix(now)),
    last_status_since_unix: unixOrNull(last_status_since),
    in_maintenance_until_unix: unixOrNull(in_maintenance_until),
    confirming: row.last_status === 'degraded' ? shownConfirming(row.confirming, alarm_consecutive) : null,
  };
}
