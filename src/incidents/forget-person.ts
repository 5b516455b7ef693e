import { FORGOTTEN } from '../activity/forget-person.ts';
import type { Work } from '../platform/work.ts';

/** Takes the name of somebody who is about to be deleted out of the timelines; what they did stays. */
export async function forgetInTimelines(work: Work, userId: string): Promise<void> {
  await work.tx
    .updateTable('incident_timeline')
    .set({ actor_name: FORGOTTEN })
    .where('actor_user_id', '=', userId)
    .execute();
}
