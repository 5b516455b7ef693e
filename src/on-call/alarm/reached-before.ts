import { sql } from 'kysely';
import type { Work } from '#src/platform/work.ts';
import { CANCELLED_WITH_ALARM } from '#src/user-notifications/data.ts';
import { withJoined } from '#src/user-notifications/enqueue.ts';

/**
 * The people for whom an alarm already rings, and those with a mail sent or queued. A mail of an alarm that has joined it
 * counts too. One that was cancelled before it was sent does not, because the alarms joined or its person was no member or a viewer
 * for a while: that person still has to be mailed.
 */
export async function reachedBefore(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  alarmNo: number,
): Promise<{ rings: Set<string>; mailed: Set<string> }> {
  const { rows } = await sql<{ user_id: string; mailed: boolean }>`
    SELECT user_id, false AS mailed FROM alarm_audience WHERE alarm_no = ${alarmNo}
    UNION ALL
    SELECT user_id, true FROM notices
    WHERE alarm_no IN ${withJoined(alarmNo)}
      AND (state <> 'cancelled' OR leased_until > ${now})
      AND channel = 'mail' AND kind = ANY(${[...CANCELLED_WITH_ALARM]})`.execute(tx);
  const usersWhere = (mailed: boolean) =>
    rows.filter((row) => row.mailed === mailed).map(({ user_id }) => user_id);
  return { rings: new Set(usersWhere(false)), mailed: new Set(usersWhere(true)) };
}
