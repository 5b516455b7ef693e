// Reads groups of incidents for messages, as of the claim.
import { sql } from 'kysely';
import { isPaging } from '#src/conditions/paging.ts';
import { rankOf, worstOf } from '#src/domain/severity-rank.ts';
import type { Work } from '#src/platform/work.ts';
import type { Group, GroupMember, GroupPage } from '../channels/channel.ts';
import { opensPage, type PageState, stateOfPage } from '../channels/paging.ts';
import { groupOfKey, targetOfKey } from '../ordering-key.ts';
import { receivesIncident } from './receives-incident.ts';
import type { Content } from './send.ts';

/** Incidents that a message lists by name. */
const MAX_LISTED = 20;

/** Those of a group that a target receives: all of them, or the ones that concern a target. */
type View = { no: number; target: string | null };
type Counts = Pick<Group, 'name' | 'total' | 'open' | 'unacknowledged'> & View & { woken: boolean };
const NONE = { name: null, total: 0, open: 0, unacknowledged: 0 };
type KeyRow = Pick<Group, 'reported' | 'posted' | 'paged'> & {
  lane: string;
  openPages: string[];
  /** The target subscribes to `opened`. */
  getsOpened: boolean;
};
/** `pending` are those of its incidents that wait for somebody; `severities`, or severity levels, are those of the open ones. */
type PageRow = Omit<GroupPage, 'worst' | 'mayOpen'> &
  View & { ids: string[]; pending: string[]; severities: string[]; isQuiet: boolean };
type Event = Pick<Content, 'event' | 'incident_id'>;

/** The events claimed under the ordering key of a group. `narrowed`: not all of its incidents concern the target. */
export type ClaimedGroup = { paging: boolean; narrowed: boolean; events: readonly Event[] };

/** The groups of these ordering keys, by key. Paging targets count the incidents that woke people. */
export async function readGroups(
  { tx, now }: Work,
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
    sql<KeyRow>`SELECT lane, reported, posted, paged, open_pages AS "openPages", coalesce('opened' = ANY(t.events), false) AS "getsOpened"
      FROM grouped_lanes LEFT JOIN webhook_targets t ON t.id = split_part(lane, ':', 1)
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
        array_agg(i.id) AS ids,
        coalesce(array_agg(i.id) FILTER (WHERE i.status = 'open' AND i.acknowledged_at IS NULL), '{}') AS pending,
        coalesce(array_agg(DISTINCT coalesce(i.severity_level, i.severity)) FILTER (WHERE i.status = 'open'), '{}') AS severities,
        NOT bool_or(${isPaging(now)}) AS "isQuiet"
      FROM ${given} JOIN incidents i ON i.group_no = v.no JOIN alarms a ON a.no = i.alarm_no AND a.group_no = i.group_no
      WHERE ${isSeen} GROUP BY v.no, v.target, i.alarm_no ORDER BY v.no, i.alarm_no`.execute(tx),
  ]);
  const found = new Map<string, Group>();
  for (const key of rowsOfKeys.rows) {
    const { no, target } = viewOf(key.lane);
    const isOfView = (row: View) => row.no === no && row.target === target;
    const { paging = false, events = [] } = claimed.get(key.lane) ?? {};
    const { name, total, open, unacknowledged } =
      counts.rows.find((row) => isOfView(row) && row.woken === paging) ?? NONE;
    found.set(key.lane, {
      no,
      name,
      total,
      open,
      unacknowledged,
      reported: key.reported,
      posted: key.posted,
      members: members.rows.filter(isOfView).map(({ name, cause, state }) => ({ name, cause, state })),
      ...(paging ? pagesOf(pages.rows.filter(isOfView), events, key) : { pages: [], paged: [] }),
    });
  }
  return found;
}

/**
 * The pages that a message about these events changes, and the pages of single incidents that they replace. An incident that was
 * deleted with its monitor no longer says which page it belonged to: the message is then about every open page too. A page
 * without incidents is closed.
 */
function pagesOf(
  rows: readonly PageRow[],
  events: readonly Event[],
  { paged, openPages, getsOpened }: KeyRow,
): Pick<Group, 'pages' | 'paged'> {
  const own = new Set(events.map(({ incident_id }) => incident_id));
  const woken = new Set(events.filter(({ event }) => opensPage(event)).map(({ incident_id }) => incident_id));
  const kept = new Set(rows.flatMap(({ ids }) => ids));
  const openNos = openPages.map(Number);
  const concerned = events.every(({ incident_id: id }) => id === null || kept.has(id)) ? [] : openNos;
  const empty = concerned.filter((alarmNo) => rows.every((row) => row.alarmNo !== alarmNo));
  const pages = rows
    .filter(({ alarmNo, ids }) => concerned.includes(alarmNo) || ids.some((id) => own.has(id)))
    .map(({ alarmNo, total, open, unacknowledged, ids, severities, isQuiet }) => ({
      alarmNo,
      total,
      open,
      unacknowledged,
      worst: worstOf(severities.map(rankOf)),
      mayOpen:
        ids.some((id) => woken.has(id)) ||
        // Its incidents have woken people at this target already, together or each with a page of its own.
        (!isQuiet && (openNos.includes(alarmNo) || (getsOpened && ids.some((id) => paged.includes(id))))),
    }));
  // Until the page that replaces it is open, the page of an incident that waits for somebody is the only one.
  const opened = new Set([...openNos, ...alarmsOf(pages, 'open')]);
  const alone = new Set(rows.filter(({ alarmNo }) => !opened.has(alarmNo)).flatMap(({ pending }) => pending));
  return {
    pages: [
      ...pages,
      ...empty.map((alarmNo) => ({
        alarmNo,
        total: 0,
        open: 0,
        unacknowledged: 0,
        worst: worstOf([]),
        mayOpen: false,
      })),
    ],
    paged: paged.filter((id) => !alone.has(id)),
  };
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
    triggered: alarmsOf(group.pages, 'open'),
    closed: alarmsOf(group.pages, 'closed'),
  }));
  // Keeps incidents that joined meanwhile.
  await sql`
    UPDATE grouped_lanes g SET reported = x.reported, posted = x.posted, uncertain = false,
      paged = ARRAY(SELECT unnest(g.paged) EXCEPT SELECT jsonb_array_elements_text(x.paged)),
      open_pages = ARRAY(SELECT unnest(g.open_pages || x.triggered) EXCEPT SELECT unnest(x.closed))
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS x (lane text, reported text, posted text, paged jsonb, triggered text[], closed text[])
    WHERE g.lane = x.lane`.execute(tx);
}

/** Records pages that the provider has refused for good: the next message about one of them tries again. */
export async function noteRefused(
  { tx }: Work,
  refused: readonly { lane: string; group: Group }[],
): Promise<void> {
  const rows = refused.map(({ lane, group }) => ({ lane, pages: alarmsOf(group.pages, 'open') }));
  await sql`
    UPDATE grouped_lanes g SET open_pages = ARRAY(SELECT unnest(g.open_pages) UNION SELECT unnest(x.pages))
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x (lane text, pages text[])
    WHERE g.lane = x.lane`.execute(tx);
}

const alarmsOf = (pages: readonly GroupPage[], state: PageState): number[] =>
  pages.filter((page) => stateOfPage(page) === state).map(({ alarmNo }) => alarmNo);

/** `open` while any of its incidents is open and not acknowledged. */
export function stateOfGroup({ open, unacknowledged }: Pick<Group, 'open' | 'unacknowledged'>) {
  if (open === 0) return 'over' as const;
  return unacknowledged === 0 ? ('acknowledged' as const) : ('open' as const);
}
