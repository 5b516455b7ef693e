// Reads groups of incidents for messages, as of the claim.
import { sql } from 'kysely';
import type { Work } from '#src/platform/work.ts';
import type { Group, GroupMember, GroupPage } from '../channels/channel.ts';
import { type PageState, stateOfPage } from '../channels/paging.ts';
import { groupOfKey, targetOfKey } from '../ordering-key.ts';
import { receivesIncident } from './receives-incident.ts';

/** Incidents that a message lists by name. */
const MAX_LISTED = 20;

/** Those of a group that a target receives: all of them, or the ones that concern a target. */
type View = { no: number; target: string | null };
type Counts = Pick<Group, 'name' | 'total' | 'open' | 'unacknowledged'> & View & { woken: boolean };
const NONE = { name: null, total: 0, open: 0, unacknowledged: 0 };
type KeyRow = Pick<Group, 'reported' | 'posted' | 'paged'> & { lane: string; openPages: string[] };
type PageRow = GroupPage & View & { ids: string[] };

/** The incidents of the events claimed under the ordering key of a group. `narrowed`: not all of its incidents concern the target. */
export type ClaimedGroup = { paging: boolean; narrowed: boolean; incidentIds: readonly string[] };

/** The groups of these ordering keys, by key. Paging targets count the incidents that woke people. */
export async function readGroups(
  { tx }: Work,
  claimed: ReadonlyMap<string, ClaimedGroup>,
): Promise<Map<string, Group>> {
  const keys = [...claimed.keys()];
  const viewOf = (key: string): View => ({
    no: groupOfKey(key) ?? 0,
    target: claimed.get(key)?.narrowed ? targetOfKey(key) : null,
  });
  const given = sql`(SELECT DISTINCT * FROM jsonb_to_recordset(${JSON.stringify(keys.map(viewOf))}::jsonb)
    AS x (no bigint, target text)) v`;
  const isSeen = sql`(v.target IS NULL OR ${receivesIncident(sql`v.target`, sql`i.id`)})`;
  const [rowsOfKeys, counts, members, pages] = await Promise.all([
    sql<KeyRow>`SELECT lane, reported, posted, paged, open_pages AS "openPages" FROM grouped_lanes
      WHERE lane = ANY(${keys}::text[])`.execute(tx),
    sql<Counts>`
      SELECT v.*, g.name, w.woken, count(i.id)::int AS total, (count(*) FILTER (WHERE i.status = 'open'))::int AS open,
        (count(*) FILTER (WHERE i.status = 'open' AND i.acknowledged_at IS NULL))::int AS unacknowledged
      FROM ${given} JOIN incident_groups g ON g.no = v.no CROSS JOIN (VALUES (true), (false)) AS w (woken)
      LEFT JOIN incidents i ON i.group_no = g.no AND (NOT w.woken OR i.alarm_no IS NOT NULL) AND ${isSeen}
      GROUP BY v.no, v.target, g.no, w.woken`.execute(tx),
    sql<GroupMember & View>`
      SELECT v.*, m.* FROM ${given} CROSS JOIN LATERAL (
        SELECT coalesce(w.name, i.cause) AS name, i.cause,
          CASE WHEN i.status = 'closed' THEN 'over' WHEN i.acknowledged_at IS NULL THEN 'open' ELSE 'acknowledged' END AS state
        FROM incidents i LEFT JOIN monitors w ON w.no = i.monitor_no WHERE i.group_no = v.no AND ${isSeen}
        ORDER BY i.status = 'closed', i.created_at, i.id LIMIT ${MAX_LISTED}
      ) m`.execute(tx),
    // A page stands for an alarm of the group: for the incidents that woke people together.
    sql<PageRow>`
      SELECT v.*, i.alarm_no AS "alarmNo", count(*)::int AS total,
        (count(*) FILTER (WHERE i.status = 'open'))::int AS open,
        (count(*) FILTER (WHERE i.status = 'open' AND i.acknowledged_at IS NULL))::int AS unacknowledged,
        array_agg(i.id) AS ids
      FROM ${given} JOIN incidents i ON i.group_no = v.no JOIN alarms a ON a.no = i.alarm_no AND a.group_no = i.group_no
      WHERE ${isSeen} GROUP BY v.no, v.target, i.alarm_no ORDER BY v.no, i.alarm_no`.execute(tx),
  ]);
  const found = new Map<string, Group>();
  for (const { lane, reported, posted, paged, openPages } of rowsOfKeys.rows) {
    const { no, target } = viewOf(lane);
    const isOfView = (row: View) => row.no === no && row.target === target;
    const { paging = false, incidentIds = [] } = claimed.get(lane) ?? {};
    const { name, total, open, unacknowledged } =
      counts.rows.find((row) => isOfView(row) && row.woken === paging) ?? NONE;
    found.set(lane, {
      no,
      name,
      total,
      open,
      unacknowledged,
      reported,
      posted,
      paged,
      members: members.rows.filter(isOfView).map(({ name, cause, state }) => ({ name, cause, state })),
      pages: paging ? pagesOf(pages.rows.filter(isOfView), incidentIds, openPages.map(Number)) : [],
    });
  }
  return found;
}

/**
 * The pages that a message about these incidents changes. An incident that was deleted with its monitor no longer says which
 * page it belonged to: the message is then about every open page too. A page without incidents is closed.
 */
function pagesOf(
  rows: readonly PageRow[],
  incidentIds: readonly string[],
  openPages: readonly number[],
): GroupPage[] {
  const own = new Set(incidentIds);
  const kept = new Set(rows.flatMap(({ ids }) => ids));
  const open = incidentIds.every((id) => kept.has(id)) ? [] : openPages;
  const empty = open.filter((alarmNo) => rows.every((row) => row.alarmNo !== alarmNo));
  return [
    ...rows
      .filter(({ alarmNo, ids }) => open.includes(alarmNo) || ids.some((id) => own.has(id)))
      .map(({ alarmNo, total, open, unacknowledged }) => ({ alarmNo, total, open, unacknowledged })),
    ...empty.map((alarmNo) => ({ alarmNo, total: 0, open: 0, unacknowledged: 0 })),
  ];
}

/**
 * Records the state in the last message about a group, the id by which the provider can edit that message, and which pages are
 * open.
 */
export async function noteReported(
  { tx }: Work,
  reported: readonly { lane: string; group: Group; posted: string | null }[],
): Promise<void> {
  const rows = reported.map(({ lane, group, posted }) => ({
    lane,
    reported: stateOfGroup(group),
    posted: group.open === 0 ? null : (posted ?? group.posted),
    paged: group.paged,
    triggered: alarmsOf(group, 'open'),
    closed: alarmsOf(group, 'closed'),
  }));
  // Keeps incidents that joined meanwhile.
  await sql`
    UPDATE grouped_lanes g SET reported = x.reported, posted = x.posted,
      paged = ARRAY(SELECT unnest(g.paged) EXCEPT SELECT jsonb_array_elements_text(x.paged)),
      open_pages = ARRAY(SELECT unnest(g.open_pages || x.triggered) EXCEPT SELECT unnest(x.closed))
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS x (lane text, reported text, posted text, paged jsonb, triggered text[], closed text[])
    WHERE g.lane = x.lane`.execute(tx);
}

const alarmsOf = ({ pages }: Group, state: PageState): number[] =>
  pages.filter((page) => stateOfPage(page) === state).map(({ alarmNo }) => alarmNo);

/** `open` while any of its incidents is open and not acknowledged. */
export function stateOfGroup({ open, unacknowledged }: Pick<Group, 'open' | 'unacknowledged'>) {
  if (open === 0) return 'over' as const;
  return unacknowledged === 0 ? ('acknowledged' as const) : ('open' as const);
}
