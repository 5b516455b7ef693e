import { sql } from 'kysely';
import { FORGOTTEN } from '../activity/forget-person.ts';
import type { Work } from '../platform/work.ts';

/** Takes the name of somebody who is about to be deleted out of timelines and holds; what they did stays. */
export async function forgetInTimelines(work: Work, userId: string): Promise<void> {
  await work.tx
    .updateTable('incident_timeline')
    .set({ actor_name: FORGOTTEN })
    .where('actor_user_id', '=', userId)
    .execute();
  await sql`
    UPDATE incidents i SET alarm_held_by_name = ${FORGOTTEN} FROM alarm_holds h
    WHERE h.held_by_user_id = ${userId} AND i.monitor_no = h.monitor_no AND i.alarm_held_by_name = h.held_by_name`.execute(
    work.tx,
  );
  await work.tx
    .updateTable('alarm_holds')
    .set({ held_by_name: FORGOTTEN })
    .where('held_by_user_id', '=', userId)
    .execute();
}
