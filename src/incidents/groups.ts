// An alarm storm: automatic incidents of an organization that open close together form a group (../domain/storm.ts has the
// rule). People and channels get one notification for a whole group.
import { sql } from 'kysely';
import { type CountedTraits, JOIN_MS, nameOfStorm, SPAN_MS, STORM_FROM } from '../domain/storm.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import { alongside, type Database, type Work } from '../platform/work.ts';
import type { IncidentRow } from './queries.ts';

/** An incident that opened on its own and has now joined a group. */
export type Adopted = { incidentId: string; groupNo: number };

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
): Promise<Adopted[]> {
  const automatic = opened.filter(({ origin, example }) => origin === 'automatic' && !example);
  const adopted = automatic.length > 0 ? await joinStorm(work, orgId, automatic) : [];
  return [...adopted, ...(await rereadGroups(work, changed))];
}

async function joinStorm(work: Work, orgId: string, opened: readonly IncidentRow[]): Promise<Adopted[]> {
  const { tx, now } = work;
  const since = new Date(now.getTime() - SPAN_MS);
  const { rows } = await sql<{ recent: number; running: number | null }>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT FROM incidents WHERE org_id = ${orgId} AND created_at >= ${since} AND origin = 'automatic' AND NOT example LIMIT ${STORM_FROM}
      ) few) AS recent,
      (SELECT g.no::int FROM incident_groups g WHERE g.org_id = ${orgId}
        AND g.last_opened_at > ${new Date(now.getTime() - JOIN_MS)} ORDER BY g.no DESC LIMIT 1) AS running`.execute(
    tx,
  );
  const [{ recent, running } = { recent: 0, running: null }] = rows;
  if (running === null && recent < STORM_FROM) return [];
  const own = opened.map(({ id }) => id);
  const no = running ?? (await begin(work, orgId, since));
  const [joined, name] = await pipelined(
    () =>
      sql<{ id: string }>`
      UPDATE incidents SET group_no = ${no} WHERE id = ANY(ARRAY(
        SELECT id FROM incidents WHERE id = ANY(${own}::text[]) OR (${running === null} AND org_id = ${orgId}
          AND created_at >= ${since} AND origin = 'automatic' AND group_no IS NULL AND NOT example)
        -- Whoever holds one of them waits for the organization, which is ours. They join with that change: see rereadGroups.
        FOR NO KEY UPDATE SKIP LOCKED))
      RETURNING id`.execute(tx),
    () => rename(work, no),
  );
  for (const row of opened) Object.assign(row, { group_no: no, group_name: name });
  const isOwn = new Set(own);
  return joined.rows.flatMap(({ id }) => (isOwn.has(id) ? [] : [{ incidentId: id, groupNo: no }]));
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

/** Renames the group after what its incidents now share, and records that it has grown. */
async function rename(work: Work, no: number): Promise<string | null> {
  const { tx, now } = work;
  const { rows } = await sql<CountedTraits>`
    SELECT host, failure_class AS "failureClass", region, count(*)::int AS count FROM (
      SELECT host, evidence ->> 'failure_class' AS failure_class,
        CASE WHEN cardinality(down_regions) = 1 AND region_count > 1 THEN down_regions[1] END AS region
      FROM incidents WHERE group_no = ${no} LIMIT ${NAMED_BY}
    ) members GROUP BY 1, 2, 3`.execute(tx);
  const name = nameOfStorm(rows);
  const grown = sql`UPDATE incident_groups SET name = ${name},
    last_opened_at = greatest(last_opened_at, ${now}::timestamptz) WHERE no = ${no}`;
  alongside(work, grown.execute(tx));
  return name;
}

/**
 * Reads the groups of changed incidents again, since a group may have begun after their rows were read. An incident that
 * another transaction was changing when its group began joins it now.
 */
async function rereadGroups({ tx }: Work, changed: readonly IncidentRow[]): Promise<Adopted[]> {
  const ids = [
    ...new Set(
      changed.filter(({ origin, example }) => origin === 'automatic' && !example).map(({ id }) => id),
    ),
  ];
  if (ids.length === 0) return [];
  const [{ rows: late }, { rows }] = await pipelined(
    () =>
      sql<Adopted>`
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
