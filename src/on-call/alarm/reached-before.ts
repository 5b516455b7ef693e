import { sql } from 'kysely';
import type { Work } from '#src/platform/work.ts';
import { CANCELLED_WITH_ALARM } from '#src/user-notifications/data.ts';

/** The people for whom an alarm already rings, and those with a mail sent or queued. */
export async function reachedBefore(
  { tx }: Pick<Work, 'tx'>,
  alarmNo: number,
): Promise<{ rings: Set<string>; mailed: Set<string> }> {
  const { rows } = await sql<{ user_id: string; mailed: boolean }>`
    SELECT user_id, false AS mailed FROM alarm_audience WHERE alarm_no = ${alarmNo}
    UNION ALL
    SELECT user_id, true FROM notices
    WHERE alarm_no = ${alarmNo} AND channel = 'mail' AND kind = ANY(${[...CANCELLED_WITH_ALARM]})`.execute(
    tx,
  );
  const usersWhere = (mailed: boolean) =>
    rows.filter((row) => row.mailed === mailed).map(({ user_id }) => user_id);
  return { rings: new Set(usersWhere(false)), mailed: new Set(usersWhere(true)) };
}
