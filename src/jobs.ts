// All stored jobs: their names, their functions, and the recurring ones.
import { forgetOldTries } from './accounts/slow-down.ts';
import { purgeActivity } from './activity/purge.ts';
import { forgetExpiredTokens } from './agents/enrollment-tokens.ts';
import { PURGE_AGENT_TASK, purgeAgent } from './agents/remove.ts';
import { ROLL_UP_AGENTS_TASK, rollUpAgents } from './agents/rollup.ts';
import { CONFIRM_TASK } from './checks/apply.ts';
import { openDueIncidents } from './checks/decide.ts';
import { deriveGroup } from './checks/derive-group.ts';
import { PACK_TASK, packChecks } from './checks/packed/pack.ts';
import { DAY_MS } from './domain/durations.ts';
import { forgetOldEdges } from './edge/note-edges.ts';
import { forgetOldOrders } from './edge/orders.ts';
import { purgeLiveEvents } from './events/purge.ts';
import { EXAMPLE_TASK, endExample, forgetOldExamples } from './examples/end.ts';
import { END_HOLD_TASK, endHoldInTime } from './incidents/end-hold.ts';
import { forgetEmptyGroups } from './incidents/groups.ts';
import { followTags, TAGS_TASK } from './maintenance/by-tag.ts';
import { MAINTENANCE_TASK } from './maintenance/effects.ts';
import { runWindowJob } from './maintenance/in-time.ts';
import { extendInTime, SERIES_TASK } from './maintenance/series.ts';
import { forgetOldMails } from './members/mail-invitation.ts';
import { GROUP_TASK } from './monitors/groups.ts';
import type { ShownAt } from './monitors/row.ts';
import { forgetOldConcerns, forgetOldGroupKeys, purgeDeliveries } from './notifications/purge.ts';
import { COMMANDER_TASK, remindCommander } from './on-call/alarm/commander-reminder.ts';
import { runDueSteps } from './on-call/alarm/escalate.ts';
import { ALARM_TASK } from './on-call/alarm/escalation-job.ts';
import { forgetOldAlarms } from './on-call/alarm/purge.ts';
import { ABORT_TASK, abortDrill } from './on-call/drills/end.ts';
import { forgetOldDrills } from './on-call/drills/record.ts';
import { forgetOldOverrides } from './on-call/overrides.ts';
import { PURGE_ORGANIZATION_TASK } from './organizations/delete.ts';
import { isPassing } from './platform/db/away.ts';
import { ranYesterday } from './platform/db/partitions.ts';
import type { Log } from './platform/log.ts';
import { type Database, runWork, SYSTEM } from './platform/work.ts';
import { CHECKS } from './retention.ts';
import { forgetOldTroubles } from './self-monitoring/troubles.ts';
import { PURGE_TASK, purgeChecks } from './series/purge.ts';
import { RECALCULATE_TASK, type RecalculateJob, recalculatePart } from './series/recalculate.ts';
import { ROLL_UP_TASK, rollUp } from './series/rollup.ts';
import { followPageTags, PAGE_TAGS_TASK } from './status-pages/by-tag.ts';
import { MAILING_TASK } from './status-pages/subscriptions/announce.ts';
import { forgetOldMailings, makeMailing } from './status-pages/subscriptions/make-mailing.ts';
import { forgetOldVisits } from './status-pages/viewers/links.ts';
import { forgetOldNotices } from './user-notifications/purge.ts';

type TaskContext = { db: Database; clock: () => Date; log: Log; shownAt: ShownAt };

/** The function for each task name. Every task reads the database's current state, so running it twice is harmless. */
export function taskList({ db, clock, log, shownAt }: TaskContext) {
  return {
    [CONFIRM_TASK]: ({ monitor_no }: { monitor_no: number }) =>
      runWork(db, clock(), SYSTEM, (work) => openDueIncidents(work, [monitor_no])),
    [GROUP_TASK]: ({ monitor_no }: { monitor_no: number }) =>
      runWork(db, clock(), SYSTEM, (work) => deriveGroup(work, monitor_no)),
    [END_HOLD_TASK]: async ({ incident_id }: { incident_id: string }) => {
      const end = (alone: boolean) =>
        runWork(db, clock(), SYSTEM, (work) => endHoldInTime(work, incident_id, alone));
      // A hold that cannot be ended fails its own job, not those of all others of its organization.
      await end(false).catch((error: unknown) => {
        if (isPassing(error)) throw error;
        return end(true);
      });
    },
    [ALARM_TASK]: ({ alarm_no }: { alarm_no: number }) =>
      runWork(db, clock(), SYSTEM, (work) => runDueSteps(work, alarm_no)),
    [ABORT_TASK]: ({ org_id }: { org_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => abortDrill(work, org_id)),
    [COMMANDER_TASK]: ({ incident_id }: { incident_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => remindCommander(work, incident_id)),
    [EXAMPLE_TASK]: ({ example_id }: { example_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => endExample(work, example_id, shownAt)),
    [PURGE_TASK]: ({ monitor_no }: { monitor_no: number }) => purgeChecks(db, monitor_no),
    [MAINTENANCE_TASK]: ({ window_id }: { window_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => runWindowJob(work, window_id)),
    [TAGS_TASK]: ({ org_id }: { org_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => followTags(work, org_id)),
    [PAGE_TAGS_TASK]: ({ org_id }: { org_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => followPageTags(work, org_id)),
    [SERIES_TASK]: ({ series_id }: { series_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => extendInTime(work, series_id)),
    [RECALCULATE_TASK]: (job: RecalculateJob) =>
      runWork(db, clock(), SYSTEM, (work) => recalculatePart(work, job)),
    [ROLL_UP_TASK]: () => rollUp(db, clock(), log),
    [ROLL_UP_AGENTS_TASK]: () => rollUpAgents(db, clock(), log),
    [PACK_TASK]: () => packChecks(db, clock()),
    [PURGE_ORGANIZATION_TASK]: async ({ org_id }: { org_id: string }) => {
      await purgeDeliveries(db, org_id);
      await purgeLiveEvents(db, org_id);
      await purgeActivity(db, org_id);
    },
    [PURGE_AGENT_TASK]: ({ agent_no }: { agent_no: number }) => purgeAgent(db, agent_no),
    [MAILING_TASK]: ({ page_id }: { page_id: string }) =>
      runWork(db, clock(), SYSTEM, (work) => makeMailing(work, page_id)),
    sweep: () => sweep(db, clock(), log),
  };
}

/** Recurring tasks, cron patterns in UTC. */
export const RECURRING = {
  sweep: '23 3 * * *',
  [ROLL_UP_TASK]: '* * * * *',
  [ROLL_UP_AGENTS_TASK]: '* * * * *',
  [PACK_TASK]: '* * * * *',
} as const;

/** Charts show what was announced as long as their finest roll-ups are kept. */
const ANNOUNCED_DAYS = 100;

/**
 * Forgets removed assignments that every probe has long seen, changes announced long ago, sessions and one-time values that have run out.
 * Nothing, while the clock may have jumped ahead.
 */
async function sweep(db: Database, now: Date, log: Log): Promise<void> {
  if (!(await ranYesterday(db, CHECKS, now)))
    return log.warn('nothing is swept: the clock may have jumped ahead, or this is the first day');
  const before = new Date(now.getTime() - 2 * DAY_MS);
  const announcedBefore = new Date(now.getTime() - ANNOUNCED_DAYS * DAY_MS);
  const parts: (() => Promise<unknown>)[] = [
    () => db.deleteFrom('assignments').where('removed', '=', true).where('changed_at', '<', before).execute(),
    () => db.deleteFrom('sessions').where('expires_at', '<', now).execute(),
    () => db.deleteFrom('verifications').where('expires_at', '<', now).execute(),
    () => db.deleteFrom('alarm_holds').where('held_until', '<', announcedBefore).execute(),
    () => forgetOldGroupKeys(db, before),
    () => forgetOldConcerns(db),
    () => forgetOldTries(db, now),
    () => forgetOldMails(db, now),
    () => forgetExpiredTokens(db, now),
    () => forgetOldNotices(db, now),
    () => forgetOldTroubles(db, now),
    () => forgetOldAlarms(db, now),
    () => forgetOldOverrides(db, now),
    () => forgetOldDrills(db, now),
    () => forgetOldExamples(db, now),
    () => forgetOldMailings(db, now),
    () => forgetOldVisits(db, now),
    () => forgetOldOrders(db, now),
    () => forgetOldEdges(db, now),
    () => forgetEmptyGroups(db, before),
  ];
  const failures: unknown[] = [];
  // A part that fails, perhaps night after night, keeps no other from being swept.
  for (const part of parts) await part().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
