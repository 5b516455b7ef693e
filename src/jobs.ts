// Every stored job there is: its name, what runs, and what recurs.
import { forgetOldTries } from './accounts/slow-down.ts';
import { purgeActivity } from './activity/purge.ts';
import { CONFIRM_TASK } from './checks/apply.ts';
import { confirmInTime } from './checks/confirm-later.ts';
import { deriveGroup } from './checks/derive-group.ts';
import { PURGE_TASK, purgeChecks } from './checks/purge.ts';
import { ROLL_UP_TASK, rollUp } from './checks/rollup.ts';
import { purgeLiveEvents } from './events/purge.ts';
import { END_HOLD_TASK, endHoldInTime } from './incidents/end-hold.ts';
import { GROUP_TASK } from './monitors/groups.ts';
import { PURGE_ORGANIZATION_TASK } from './organizations/delete.ts';
import { forgetOldMails } from './organizations/mail-invitation.ts';
import { type Database, runWork, SYSTEM } from './platform/work.ts';
import { type DeliverOptions, deliverLane } from './webhooks/deliver.ts';
import { DELIVER_TASK } from './webhooks/lane.ts';
import { purgeDeliveries } from './webhooks/purge.ts';

/** What runs for each task name. Every task takes its truth from the database: running twice changes nothing. */
export function taskList(options: DeliverOptions) {
  const { db, clock } = options;
  return {
    [CONFIRM_TASK]: ({ monitor_no }: { monitor_no: number }) =>
      runWork(db, clock(), SYSTEM, (work) => confirmInTime(work, [monitor_no])),
    [GROUP_TASK]: ({ monitor_no }: { monitor_no: number }) =>
      runWork(db, clock(), SYSTEM, (work) => deriveGroup(work, monitor_no)),
    [END_HOLD_TASK]: ({ incident_id }: { incident_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => endHoldInTime(work, incident_id)),
    [DELIVER_TASK]: ({ lane }: { lane: string }) => deliverLane(options, lane),
    [PURGE_TASK]: ({ monitor_no }: { monitor_no: number }) => purgeChecks(db, monitor_no),
    [ROLL_UP_TASK]: () => rollUp(db, clock()),
    [PURGE_ORGANIZATION_TASK]: async ({ org_id }: { org_id: string }) => {
      await purgeDeliveries(db, org_id);
      await purgeLiveEvents(db, org_id);
      await purgeActivity(db, org_id);
    },
    sweep: () => sweep(db, clock()),
  };
}

/** Recurring tasks, cron patterns in UTC. */
export const RECURRING = { sweep: '23 3 * * *', [ROLL_UP_TASK]: '* * * * *' } as const;

/** Forgets removed assignments that every probe has long seen, changes announced long ago, sessions and one-time values that have run out. */
async function sweep(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * 86_400_000);
  await db.deleteFrom('assignments').where('removed', '=', true).where('changed_at', '<', before).execute();
  await db.deleteFrom('probes').where('last_seen_at', '<', before).execute();
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute();
  await db.deleteFrom('verifications').where('expires_at', '<', now).execute();
  await db.deleteFrom('alarm_holds').where('held_until', '<', before).execute();
  await forgetOldTries(db, now);
  await forgetOldMails(db, now);
}
