import { FORGOTTEN } from '../activity/forget-person.ts';
import type { Work } from '../platform/work.ts';

/** Removes the name of a user about to be deleted from timelines, notes and holds; the entries stay. */
export async function forgetInTimelines(work: Work, userId: string): Promise<void> {
  await work.tx
    .updateTable('incident_timeline')
    .set({ actor_name: FORGOTTEN })
    .where('actor_user_id', '=', userId)
    .execute();
  await work.tx
    .updateTable('incident_notes')
    .set({ author_name: FORGOTTEN })
    .where('author_user_id', '=', userId)
    .execute();
  await work.tx
    .updateTable('incidents')
    .set({ alarm_held_by_name: FORGOTTEN })
    .where('alarm_held_by_user_id', '=', userId)
    .execute();
  await work.tx
    .updateTable('alarm_holds')
    .set({ held_by_name: FORGOTTEN })
    .where('held_by_user_id', '=', userId)
    .execute();
}
