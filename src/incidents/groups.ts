// An alarm storm: automatic incidents of an organization that open close together form a group (../domain/storm.ts has the
// rule). People and channels get one notification for a whole group.
import { type RawBuilder, sql } from 'kysely';
import { type CountedTraits, JOIN_MS, nameOfStorm, SPAN_MS, STORM_FROM } from '../domain/storm.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import { type Database, sendUnawaited, type Work } from '../platform/work.ts';
import type { IncidentRow } from './queries.ts';

/** An incident that opened on its own and has now joined a group. */
export type JoinedIncident = { incidentId: string; groupNo: number };

type Group = { no: number; name: string | null };

/** The most incidents of a group that its name is derived from. */
const NAMED_BY = 200;

/**
 * Puts incidents into their groups, and sets `group_no` and `group_name` of the given rows: newly opened ones, and changed ones
 * that opened before their group began. Returns the incidents that opened earlier and joined a group now. The organization is
 * locked, so incidents opened by other transactions are committed and counted, even when their `now` is a little later than
 * ours.
 */
export async function joinGroups(
  work: Work,
  orgId: string,
  opened: readonly IncidentRow[],
  changed: readonly IncidentRow[],
): Promise<JoinedIncident[]> {
  const automatic = opened.filter(({ origin, example }) => origin === 'automatic' && !example);
  const joined = automatic.length > 0 ? await joinStorm(work, orgId, automatic) : [];
  return [...joined, ...(await rereadGroups(work, changed))];
}

/** The group that incidents of an organization join when they open at `now`; no row: none is running. */
export const runningGroup = (orgId: string, now: Date): RawBuilder<unknown> => sql`(
  SELECT no FROM incident_groups WHERE org_id = ${orgId} AND last_opened_at > ${new Date(now.getTime() - JOIN_MS)}
  ORDER BY no DESC LIMIT 1)`;

async function joinStorm(
  work: Work,
  orgId: string,
  opened: readonly IncidentRow[],
): Promise<JoinedIncident[]> {
  const { tx, now } = work;
  const since = new Date(now.getTime() - SPAN_MS);
  const own = opened.map(({ id }) => id);
  const { rows } = await sql<{ recent: number; running: number | null }>`
    SELECT (SELECT count(*)::int FROM (
        SELECT FROM incidents WHERE org_id = ${orgId} AND created_at >= ${since} AND origin = 'automatic' AND NOT example
        LIMIT ${STORM_FROM}
      ) few) AS recent, ${runningGroup(orgId, now)}::int AS running`.execute(tx);
  const { recent = 0, running = null } = rows[0] ?? {};
  if (running !== null) {
    sendUnawaited(work, sql`UPDATE incidents SET group_no = ${running} WHERE id = ANY(${own}::text[])`);
    grow(work, running, await traitsOf(work, running), opened);
    return [];
  }
  if (recent < STORM_FROM) return [];
  const no = await begin(work, orgId, since);
  const [members, counted] = await pipelined(
    () =>
      sql<{ id: string }>`
      UPDATE incidents SET group_no = ${no} WHERE id = ANY(ARRAY(
        SELECT id FROM incidents WHERE id = ANY(${own}::text[]) OR (org_id = ${orgId}
          AND created_at >= ${since} AND origin = 'automatic' AND group_no IS NULL AND NOT example)
        -- Whoever holds one of them waits for the organization, which is ours. They join with that change: see rereadGroups.
        FOR NO KEY UPDATE SKIP LOCKED))
      RETURNING id`.execute(tx),
    () => traitsOf(work, no),
  );
  grow(work, no, counted, opened);
  const isOwn = new Set(own);
  return members.rows.flatMap(({ id }) => (isOwn.has(id) ? [] : [{ incidentId: id, groupNo: no }]));
}

/** Creates a group that began when its first incident opened. */
async function begin({ tx, now }: Work, orgId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ no: number }>`
    INSERT INTO incident_groups (org_id, opened_at, last_opened_at)
    SELECT ${orgId}, min(created_at), ${now} FROM incidents
    WHERE org_id = ${orgId} AND created_at >= ${since} AND origin = 'automatic' AND group_no IS NULL AND NOT example
    RETURNING no::int AS no`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('an insert answers its row');
  return row.no;
}

/** Counts of the values that the incidents of a group share. */
async function traitsOf({ tx }: Work, groupNo: number): Promise<CountedTraits[]> {
  const { rows } = await sql<CountedTraits>`
    SELECT host, failure_class AS "failureClass", region, count(*)::int AS count FROM (
      SELECT host, evidence ->> 'failure_class' AS failure_class,
        CASE WHEN cardinality(down_regions) = 1 AND region_count > 1 THEN down_regions[1] END AS region
      FROM incidents WHERE group_no = ${groupNo} LIMIT ${NAMED_BY}
    ) members GROUP BY 1, 2, 3`.execute(tx);
  return rows;
}

/** Renames the group after what its incidents now share, and records that these have joined it. */
function grow(
  work: Work,
  no: number,
  traits: readonly CountedTraits[],
  joined: readonly IncidentRow[],
): void {
  const name = nameOfStorm(traits);
  for (const row of joined) Object.assign(row, { group_no: no, group_name: name });
  sendUnawaited(
    work,
    sql`UPDATE incident_groups SET name = ${name},
      last_opened_at = greatest(last_opened_at, ${work.now}::timestamptz) WHERE no = ${no}`,
  );
}

/**
 * Reads the groups of changed incidents again, since a group may have begun after their rows were read. An incident that
 * another transaction was changing when its group began joins it now.
 */
async function rereadGroups({ tx }: Work, changed: readonly IncidentRow[]): Promise<JoinedIncident[]> {
  const ids = [
    ...new Set(
      changed.filter(({ origin, example }) => origin === 'automatic' && !example).map(({ id }) => id),
    ),
  ];
  if (ids.length === 0) return [];
  const [{ rows: late }, { rows }] = await pipelined(
    () =>
      sql<JoinedIncident>`
      UPDATE incidents i SET group_no = g.no FROM incident_groups g
      WHERE i.id = ANY(${ids}::text[]) AND i.group_no IS NULL AND g.org_id = i.org_id
        AND i.created_at BETWEEN g.opened_at AND g.last_opened_at
      RETURNING i.id AS "incidentId", g.no::int AS "groupNo"`.execute(tx),
    () =>
      sql<Group & { id: string }>`
      SELECT i.id, g.no::int AS no, g.name FROM incidents i JOIN incident_groups g ON g.no = i.group_no
      WHERE i.id = ANY(${ids}::text[])`.execute(tx),
  );
  const groups = new Map(rows.map((row) => [row.id, row]));
  for (const row of changed) {
    const group = groups.get(row.id);
    if (group) Object.assign(row, { group_no: group.no, group_name: group.name });
  }
  return late;
}

/** Deletes groups that ended before `before` and have no incident and no alarm left. */
export async function forgetEmptyGroups(db: Database, before: Date): Promise<void> {
  await sql`DELETE FROM incident_groups g WHERE g.last_opened_at < ${before}
    AND NOT EXISTS (SELECT FROM incidents i WHERE i.group_no = g.no)
    AND NOT EXISTS (SELECT FROM alarms a WHERE a.group_no = g.no)`.execute(db);
}
