// Records in timelines whether personal notices reached people.
import { sql } from 'kysely';
import { recordTimeline } from '#src/incidents/timeline.ts';
import type { Work } from '#src/platform/work.ts';
import { WAKING_KINDS } from '#src/user-notifications/data.ts';
import type { EndedNotice } from '#src/user-notifications/ended.ts';
import type { NoticeChannel } from '#src/user-notifications/enqueue.ts';

const BY: Record<NoticeChannel, string> = { mail: 'by e-mail', push: 'by web push' };

/**
 * Reaction to `noticeEnded`: records that somebody was reached for an alarm, or could not be. In a storm only the incidents
 * that were open and unacknowledged at that moment get the entry. Of an alarm that has joined a storm's while the notice was under
 * way it is the incident that the notice names. Notices of an alarm's end do not count as paging.
 */
export async function recordNoticeOutcome(work: Work, notice: EndedNotice): Promise<void> {
  const { orgId, alarmNo, at, ok, channel, error, incidentIds } = notice;
  if (alarmNo === null || !WAKING_KINDS.includes(notice.kind)) return;
  // The lock waits for a deletion under way, see record-delivery. A deleted user's name is not recorded.
  const { rows } = await sql<{ id: string; user_id: string | null }>`
    SELECT i.id, (SELECT u.id FROM users u WHERE u.id = ${notice.userId}) AS user_id FROM incidents i
    WHERE i.org_id = ${orgId} AND (i.alarm_no = ${alarmNo} AND (i.group_no IS NULL OR (i.created_at <= ${at}
      AND coalesce(i.acknowledged_at, 'infinity') >= ${at} AND coalesce(i.resolved_at, 'infinity') >= ${at}))
      OR i.id = ANY(${[...incidentIds]}::text[])
        AND i.alarm_no = (SELECT a.joined_no FROM alarms a WHERE a.no = ${alarmNo}))
    ORDER BY i.id FOR KEY SHARE OF i`.execute(work.tx);
  await recordTimeline(
    work,
    rows.map(({ id, user_id }) => ({
      incidentId: id,
      kind: ok ? ('paged' as const) : ('delivery_failed' as const),
      at,
      actorName: user_id === null ? null : notice.userName,
      actorUserId: user_id,
      detail: ok ? BY[channel] : `${BY[channel]}: ${error ?? 'failed'}`,
    })),
  );
}
