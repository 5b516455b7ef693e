// An alarm storm: when more than 20 incidents of an organization open within a minute, the further ones form a group. Chat,
// mail and paging get one message about a group.
import { sql } from 'kysely';
import type { Database, Work } from '../platform/work.ts';
import { isAwake, isPending } from './awake.ts';
import type { IncidentRow } from './queries.ts';

/** More openings than this within SPAN_MS are a storm. */
export const MOST_APART = 20;
const SPAN_MS = 60_000;
/** A storm goes on while its incidents open less than SPAN_MS apart, but no longer than this. */
const MOST_MS = 3_600_000;

/**
 * Puts incidents that have just opened into the group of a storm, running or new. The organization is locked: transactions
 * that opened others have committed and are counted, even when their `now` is a little later than ours.
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
        AND ${takesFurther(now)}
        ORDER BY g.no DESC LIMIT 1) AS group_no`.execute(tx);
  const [{ recent, group_no } = { recent: 0, group_no: null }] = rows;
  if (recent <= MOST_APART && group_no === null) return;
  const no = group_no === null ? await begin(work, orgId) : await extend(work, group_no);
  await tx
    .updateTable('incidents')
    .set({ group_no: no })
    .where('id', '=', sql<string>`ANY(${opened.map(({ id }) => id)}::text[])`)
    .execute();
  for (const row of opened) row.group_no = no;
}

/**
 * Whether group `g` can take further incidents. It can while an incident of it rings and nobody has acknowledged that one,
 * or while incidents are pending and none that rang was acknowledged. Once everything that rang is acknowledged the group is
 * full: the next incident has to wake people again, and a page with the group's key would not. Pending incidents that do not
 * ring (degraded, held, in maintenance) do not keep an acknowledged group open.
 */
const takesFurther = (now: Date) => sql`(
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

async function extend({ tx, now }: Work, no: number): Promise<number> {
  await tx
    .updateTable('incident_groups')
    .set({ last_opened_at: sql<Date>`greatest(last_opened_at, ${now}::timestamptz)` })
    .where('no', '=', no)
    .execute();
  return no;
}

/** Deletes groups that ended before `before` and that no incident and no alarm belongs to any more. */
export async function forgetEmptyGroups(db: Database, before: Date): Promise<void> {
  await sql`DELETE FROM incident_groups g WHERE g.last_opened_at < ${before}
    AND NOT EXISTS (SELECT FROM incidents i WHERE i.group_no = g.no)
    AND NOT EXISTS (SELECT FROM alarms a WHERE a.group_no = g.no)`.execute(db);
}
