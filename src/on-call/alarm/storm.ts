// Joins alarms into the alarm of a storm: incidents that opened before the storm began have alarms of their own. People who
// were notified get one notice when the storm begins, and one when none of its incidents is open.
import { sql } from 'kysely';
import type { Changed } from '#src/incidents/announce.ts';
import type { JoinedIncident } from '#src/incidents/groups.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import type { Work } from '#src/platform/work.ts';
import {
  cancelNotices,
  enqueueNotices,
  hasWoken,
  type NewNotice,
  type NoticeChannel,
} from '#src/user-notifications/enqueue.ts';
import { numbers } from './alarm-state.ts';
import { describeStorms } from './notice-content.ts';

/**
 * Joins the running alarms of these incidents into one per group: the group's alarm, or else the oldest, takes over the
 * incidents and the audience of the others. Returns the remaining alarms. The organization and the incidents are locked.
 */
export async function joinAlarms(work: Work, incidents: readonly JoinedIncident[]): Promise<number[]> {
  if (incidents.length === 0) return [];
  const { tx, now } = work;
  const { rows } = await sql<{ no: number; into: number; groupNo: number }>`
    WITH given AS (
      SELECT * FROM unnest(${incidents.map(({ incidentId }) => incidentId)}::text[],
        ${pgArray(incidents.map(({ groupNo }) => groupNo))}::bigint[]) AS g (id, group_no)
    ), own AS (
      SELECT a.no, a.started_at, given.group_no FROM given
      JOIN incidents i ON i.id = given.id JOIN alarms a ON a.no = i.alarm_no AND a.ended_at IS NULL AND a.group_no IS NULL
    )
    SELECT own.no, own.group_no AS "groupNo",
      coalesce(f.no, first_value(own.no) OVER (PARTITION BY own.group_no ORDER BY own.started_at, own.no)) AS into
    FROM own LEFT JOIN LATERAL (
      SELECT max(a.no) AS no FROM alarms a WHERE a.group_no = own.group_no AND a.ended_at IS NULL
    ) f ON true ORDER BY own.no`.execute(tx);
  const joined = rows.filter(({ no, into }) => no !== into);
  const begun = rows.filter(({ no, into }) => no === into);
  for (const { no, groupNo } of begun)
    await sql`UPDATE alarms SET group_no = ${groupNo} WHERE no = ${no}`.execute(tx);
  for (const { no, into } of joined) {
    await sql`UPDATE incidents SET alarm_no = ${into} WHERE alarm_no = ${no}`.execute(tx);
    await sql`INSERT INTO alarm_audience (alarm_no, user_id, since)
      SELECT ${into}, user_id, since FROM alarm_audience WHERE alarm_no = ${no} ON CONFLICT DO NOTHING`.execute(
      tx,
    );
    await sql`UPDATE alarms SET ended_at = ${now}, joined_no = ${into} WHERE no = ${no}`.execute(tx);
    await sql`DELETE FROM alarm_steps WHERE alarm_no = ${no} AND done_at IS NULL`.execute(tx);
    await cancelNotices(work, no);
  }
  return [...new Set(rows.map(({ into }) => into))];
}

/** Notifies the people whom these alarms have reached that a storm has begun, on the channels that were used before. */
export async function notifyOfStorm(work: Work, orgId: string, alarmNos: readonly number[]): Promise<void> {
  if (alarmNos.length === 0) return;
  const { rows } = await sql<{ no: number; groupNo: number; userId: string; mailed: boolean }>`
    SELECT aud.alarm_no AS no, a.group_no AS "groupNo", aud.user_id AS "userId", EXISTS (SELECT FROM notices n
      JOIN alarms a ON a.no = n.alarm_no
      WHERE (a.no = aud.alarm_no OR a.joined_no = aud.alarm_no) AND n.user_id = aud.user_id AND n.channel = 'mail') AS mailed
    FROM alarm_audience aud JOIN alarms a ON a.no = aud.alarm_no
    JOIN members m ON m.org_id = a.org_id AND m.user_id = aud.user_id
    WHERE aud.alarm_no = ANY(${numbers(alarmNos)}) AND a.org_id = ${orgId} AND a.ended_at IS NULL ORDER BY aud.user_id`.execute(
    work.tx,
  );
  // The alarm may still have one incident only, while the others of the storm are quiet.
  const about = await describeStorms(work, [...new Set(rows.map(({ groupNo }) => groupNo))]);
  await enqueueNotices(
    work,
    rows.flatMap(({ no, groupNo, userId, mailed }): NewNotice[] => {
      const data = { ...(about.get(groupNo) ?? { incidents: [], total: 0 }), stage: 'storm' as const };
      const notice = { orgId, userId, alarmNo: no, kind: 'alarm' as const, data };
      const push: NewNotice = { ...notice, channel: 'push' };
      return mailed ? [push, { ...notice, channel: 'mail' }] : [push];
    }),
  );
}

/**
 * Notifies everybody whom an alarm of a storm has woken that none of its incidents is open any more, unless that is the last they
 * heard of it: an alarm that ends with the last incidents sends its own notice.
 */
export async function notifyOfStormsOver(
  work: Work,
  orgId: string,
  changes: readonly Changed[],
): Promise<void> {
  const nos = new Set(
    changes.flatMap(({ row, change }) =>
      change === 'resolved' && row.group_no !== null ? [row.group_no] : [],
    ),
  );
  if (nos.size === 0) return;
  const notified = await readNotified(work, orgId, nos);
  if (notified.length === 0) return;
  const about = await describeStorms(work, [...new Set(notified.map(({ groupNo }) => groupNo))]);
  const { kind: by, id } = work.actor;
  await enqueueNotices(
    work,
    notified
      .filter(({ userId }) => by !== 'user' || userId !== id)
      .map(
        ({ groupNo, alarmNo, userId, channel }): NewNotice => ({
          orgId,
          userId,
          channel,
          alarmNo,
          kind: 'alarm_resolved',
          data: { ...(about.get(groupNo) ?? { incidents: [], total: 0 }), stage: 'storm' },
        }),
      ),
  );
}

type Notified = { groupNo: number; alarmNo: number; userId: string; channel: NoticeChannel };

/**
 * The people whom these storms have woken and who do not know that they are over, with the alarm that told them last. An alarm
 * may have been resolved while a quiet incident of its storm was open.
 */
async function readNotified({ tx }: Work, orgId: string, groupNos: Iterable<number>): Promise<Notified[]> {
  const { rows } = await sql<Notified>`
    WITH over AS (
      SELECT g.no FROM unnest(${numbers(groupNos)}) AS g (no)
      WHERE NOT EXISTS (SELECT FROM incidents i WHERE i.group_no = g.no AND i.status = 'open')
    ), rang AS (
      SELECT over.no AS group_no, a.no AS alarm_no, a.no FROM over
      JOIN alarms a ON a.group_no = over.no AND a.org_id = ${orgId}
      UNION ALL
      SELECT over.no, a.no, j.no FROM over
      JOIN alarms a ON a.group_no = over.no AND a.org_id = ${orgId} JOIN alarms j ON j.joined_no = a.no
    ), last AS (
      SELECT DISTINCT ON (rang.group_no, n.user_id, n.channel)
        rang.group_no, rang.alarm_no, n.user_id, n.channel, n.kind, n.created_at
      FROM rang JOIN notices n ON n.alarm_no = rang.no
      WHERE n.kind IN ('alarm_acknowledged', 'alarm_resolved') OR ${hasWoken}
      ORDER BY rang.group_no, n.user_id, n.channel, n.no DESC
    )
    SELECT group_no AS "groupNo", alarm_no AS "alarmNo", user_id AS "userId", channel FROM last
    WHERE kind <> 'alarm_resolved' OR EXISTS (SELECT FROM incidents i WHERE i.group_no = last.group_no
      AND i.created_at <= last.created_at AND i.resolved_at > last.created_at)
    ORDER BY group_no, user_id, channel`.execute(tx);
  return rows;
}
