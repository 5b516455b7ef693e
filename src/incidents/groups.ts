// An alarm storm: when more than 20 incidents of an organization open within a minute, those that open then form a
// group. Chat, mail and paging tell of a group together.
import { sql } from 'kysely';
import type { Database, Work } from '../platform/work.ts';
import { isAwake, isPending } from './awake.ts';
import type { IncidentRow } from './queries.ts';

/** More than this many that open within SPAN_MS are a storm. */
export const MOST_APART = 20;
const SPAN_MS = 60_000;
/** A storm goes on while less than SPAN_MS lie between its incidents, and at most so long: then it is everyday life. */
const MOST_MS = 3_600_000;

/**
 * Puts incidents that have just opened into the group of the storm that is on, or begins. The organization is locked:
 * whoever opened others meanwhile has committed, and is counted, though its `now` may be a little later than ours.
 */
export async function joinGroup(work: Work, orgId: string, opened: readonly IncidentRow[]): Promise<void> {
  if (opened.length === 0) return;
  const { tx, now } = work;
  const since = new Date(now.getTime() - SPAN_MS);
  const { rows } = await sql<{ recent: number; group_no: number | null }>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT FROM incidents WHERE org_id = ${orgId} AND created_at > ${since} LIMIT ${MOST_APART + 1}
      ) few) AS recent,
      (SELECT g.no::int FROM incident_groups g WHERE g.org_id = ${orgId} AND g.last_opened_at > ${since}
        AND g.opened_at > ${new Date(now.getTime() - MOST_MS)}
        AND ${wakesStill(now)}
        ORDER BY g.no DESC LIMIT 1) AS group_no`.execute(tx);
  const [{ recent, group_no } = { recent: 0, group_no: null }] = rows;
  if (recent <= MOST_APART && group_no === null) return;
  const no = group_no === null ? await begin(work, orgId) : await goOn(work, group_no);
  await tx
    .updateTable('incidents')
    .set({ group_no: no })
    .where('id', '=', sql<string>`ANY(${opened.map(({ id }) => id)}::text[])`)
    .execute();
  for (const row of opened) row.group_no = no;
}

/**
 * Of group `g` something rings that nobody has taken, or nothing of it that rang was taken yet. Once all of that is taken,
 * what opens then has to wake people anew, which a page of the same key would not do. What is only degraded, held or in
 * maintenance keeps no group going that somebody has taken.
 */
const wakesStill = (now: Date) => sql`(
  EXISTS (SELECT FROM incidents i WHERE i.group_no = g.no AND i.alarm_no IS NOT NULL AND ${isAwake(now)})
  OR (EXISTS (SELECT FROM incidents i WHERE i.group_no = g.no AND ${isPending})
    AND NOT EXISTS (SELECT FROM incidents i WHERE i.group_no = g.no AND i.alarm_no IS NOT NULL AND NOT ${isPending})))`;

async function begin({ tx, now }: Work, orgId: string): Promise<number> {
  const { no } = await tx
    .insertInto('incident_groups')
    .values({ org_id: orgId, opened_at: now, last_opened_at: now })
    .returning('no')
    .executeTakeFirstOrThrow();
  return no;
}

async function goOn({ tx, now }: Work, no: number): Promise<number> {
  await tx
    .updateTable('incident_groups')
    .set({ last_opened_at: sql<Date>`greatest(last_opened_at, ${now}::timestamptz)` })
    .where('no', '=', no)
    .execute();
  return no;
}

/** Forgets groups that are over since `before`, and that no incident and no alarm is of any more. */
export async function forgetEmptyGroups(db: Database, before: Date): Promise<void> {
  await sql`DELETE FROM incident_groups g WHERE g.last_opened_at < ${before}
    AND NOT EXISTS (SELECT FROM incidents i WHERE i.group_no = g.no)
    AND NOT EXISTS (SELECT FROM alarms a WHERE a.group_no = g.no)`.execute(db);
}
