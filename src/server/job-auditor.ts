// The second loop over the alert pipeline (docs/rules/confirmation.md#audit). If something is due and its job was lost with a
// dead worker, it adds the job again. It also makes partitions before they are needed, even after a long sleep of the machine.
import { sql } from 'kysely';
import { noteDropped } from '../activity/drop.ts';
import { askForCapsules } from '../capsules/ask.ts';
import { CONFIRM_TASK, confirmKey } from '../checks/apply.ts';
import { EXAMPLE_TASK, exampleKey, overdueExamples, wakeExamples } from '../examples/end.ts';
import { END_HOLD_TASK, endHoldKey, endHoldsNow } from '../incidents/end-hold.ts';
import { TAGS_TASK } from '../maintenance/by-tag.ts';
import { MAINTENANCE_TASK, wakeWindow, windowKey } from '../maintenance/effects.ts';
import { SERIES_TASK, seriesKey, wakeSeries } from '../maintenance/series.ts';
import { GROUP_TASK } from '../monitors/groups.ts';
import { countOverdue, wakeWorkers } from '../notifications/delivery/queue.ts';
import {
  COMMANDER_TASK,
  commanderKey,
  overdueCommanderReminders,
  wakeCommanderReminders,
} from '../on-call/alarm/commander-reminder.ts';
import { ALARM_TASK, alarmKey, overdueAlarms, wakeAlarms } from '../on-call/alarm/escalation-job.ts';
import { startLostAlarms } from '../on-call/alarm/watchdog.ts';
import { ABORT_TASK } from '../on-call/drills/end.ts';
import { isPassing } from '../platform/db/away.ts';
import { dropExpired, keptFrom, makePartitions, ranYesterday } from '../platform/db/partitions.ts';
import { addJobs } from '../platform/jobs/add-job.ts';
import { jobsToRetry } from '../platform/jobs/jobs-to-retry.ts';
import { releaseDeadJobs } from '../platform/jobs/release-dead.ts';
import { rightJobs } from '../platform/jobs/set-back.ts';
import type { Log } from '../platform/log.ts';
import { startPolling } from '../platform/polling.ts';
import { noteSetAside } from '../platform/set-aside.ts';
import { type Database, runWork, SYSTEM, type Tx, type Work } from '../platform/work.ts';
import { ACTIVITY, CHECKS, PACKED_CHECKS, PARTITIONED } from '../retention.ts';
import { checksRetention } from '../series/raw-retention.ts';
import { RECALCULATE_TASK } from '../series/recalculate.ts';
import { PAGE_TAGS_TASK } from '../status-pages/by-tag.ts';
import { MAILING_TASK } from '../status-pages/subscriptions/announce.ts';
import { countOverdueNotices } from '../user-notifications/claim.ts';
import { wakeNotices } from '../user-notifications/enqueue.ts';

export type JobAuditorOptions = {
  db: Database;
  clock: () => Date;
  log: Log;
  /** False where time does not pass by itself: nobody then asks for capsules unasked (src/capsules/ask.ts). */
  timers?: boolean;
};

/** `audits`: whether lost jobs are looked for; without it only partitions are kept. */
export type KeeperOptions = JobAuditorOptions & { audits: boolean };

const EVERY_MS = 10_000;
const OVERDUE_MS = 5_000;
/** A delivery worker polls every few seconds anyway. */
const DELIVERIES_OVERDUE_MS = 30_000;
/** A sender polls as well, and a notice that a killed sender held is free again after 25 s. */
const NOTICES_OVERDUE_MS = 30_000;
const PARTITIONS_EVERY_MS = 3_600_000;
/** Short tasks: a job of these that is not done within a minute has lost its worker. */
const BRIEF_TASKS = [
  CONFIRM_TASK,
  GROUP_TASK,
  END_HOLD_TASK,
  ALARM_TASK,
  MAINTENANCE_TASK,
  SERIES_TASK,
  EXAMPLE_TASK,
  COMMANDER_TASK,
  ABORT_TASK,
  TAGS_TASK,
  PAGE_TAGS_TASK,
  MAILING_TASK,
  RECALCULATE_TASK,
];

/** Maintains partitions and audits at once, then every 10 s until stopped; throws if the first partitions fail. */
export async function startJobAuditor(options: KeeperOptions): Promise<{ stop: () => Promise<void> }> {
  const { db, clock, log, audits } = options;
  let keptAtMs = clock().getTime();
  await keepPartitions(db, new Date(keptAtMs));
  const keepHouse = async () => {
    const now = clock();
    if (Math.abs(now.getTime() - keptAtMs) < PARTITIONS_EVERY_MS) return 0;
    await keepPartitions(db, now);
    keptAtMs = now.getTime();
    return 1;
  };
  const round = async () => {
    await partByPart(log, { partitions: keepHouse });
    if (!audits) return;
    await partByPart(log, { dead_jobs: () => releaseDead(options), jobs_ahead: () => rightAhead(options) });
    await audit(options);
  };
  await round();
  let running = Promise.resolve();
  const stopPolling = startPolling(() => {
    running = running
      .then(round)
      .catch((err: unknown) => log.warn({ err }, 'the audit of due jobs failed; trying again'));
  }, EVERY_MS);
  return {
    async stop() {
      stopPolling();
      await running;
    },
  };
}

/** Runs each part separately, so that a failure stops no other. Returns each part's count of findings, 0 if it failed. */
async function partByPart<Part extends string>(
  log: Log,
  parts: Record<Part, () => Promise<number>>,
): Promise<Record<Part, number>> {
  const found: [string, number][] = [];
  for (const [part, act] of Object.entries<() => Promise<number>>(parts)) {
    const n = await act().catch((err: unknown) => {
      if (isPassing(err)) throw err;
      noteSetAside(log, 'watch', { part }, err);
      return 0;
    });
    found.push([part, n]);
  }
  return Object.fromEntries(found) as Record<Part, number>;
}

/** Makes the partitions that are needed now and soon, and drops expired ones. */
export async function keepPartitions(db: Database, now: Date): Promise<void> {
  const checks = await checksRetention(db);
  const tables = PARTITIONED.map((entry) =>
    entry === CHECKS || entry === PACKED_CHECKS ? { ...checks, table: entry.table } : entry,
  );
  await makePartitions(db, tables, now);
  if (!(await ranYesterday(db, CHECKS, now))) return;
  await noteDropped(db, keptFrom(ACTIVITY, now));
  await dropExpired(db, tables, now);
}

async function releaseDead({ db, log }: JobAuditorOptions): Promise<number> {
  const jobs = await releaseDeadJobs(db, BRIEF_TASKS);
  if (jobs > 0) log.warn({ jobs }, 'released the jobs of dead workers');
  return jobs;
}

async function rightAhead({ db, log }: JobAuditorOptions): Promise<number> {
  const jobs = await rightJobs(db);
  if (jobs > 0) log.warn({ jobs }, 'righted jobs of a time that the clock has left again');
  return jobs;
}

/** Adds missing jobs again and starts alarms that should ring but do not; returns how many it found. */
export async function audit(options: JobAuditorOptions): Promise<number> {
  const { db, clock, log, timers = true } = options;
  const jobs = await partByPart(log, overdueParts(options));
  const found = Object.values(jobs).reduce((a, b) => a + b, 0);
  if (found > 0) log.warn(jobs, 'overdue jobs were added again');
  const { lost } = await partByPart(log, { lost: () => startLostAlarms(db, clock(), log) });
  if (lost > 0) log.warn({ lost }, 'lost alarms were found and ring now');
  if (timers) await partByPart(log, { capsules: () => askForCapsules(db, clock()) });
  return found + lost;
}

/** The jobs that can be overdue, each in a unit of work of its own. */
function overdueParts({ db, clock }: JobAuditorOptions) {
  const now = clock();
  const overdue = new Date(now.getTime() - OVERDUE_MS);
  const inWork = (act: (work: Work) => Promise<number>) => () => runWork(db, now, SYSTEM, act);
  /** Findings whose jobs failed keep the pause of those jobs. */
  const addAgain = <Id>(
    find: (tx: Tx) => Promise<Id[]>,
    keyOf: (id: Id) => string,
    add: (work: Work, ids: Id[]) => Promise<unknown>,
  ) =>
    inWork(async (work) => {
      const found = await find(work.tx);
      const toRetry = await jobsToRetry(work.tx, found.map(keyOf));
      const ids = found.filter((id) => !toRetry.has(keyOf(id)));
      if (ids.length > 0) await add(work, ids);
      return ids.length;
    });
  return {
    deliveries: async () => {
      const n = await countOverdue(db, new Date(now.getTime() - DELIVERIES_OVERDUE_MS), now);
      if (n > 0) await runWork(db, now, SYSTEM, wakeWorkers);
      return n;
    },
    notices: async () => {
      const n = await countOverdueNotices(db, new Date(now.getTime() - NOTICES_OVERDUE_MS));
      if (n > 0) await runWork(db, now, SYSTEM, wakeNotices);
      return n;
    },
    confirmations: addAgain(
      (tx) => overdueConfirmations(tx, overdue),
      confirmKey,
      ({ tx }, nos) =>
        addJobs(
          tx,
          CONFIRM_TASK,
          nos.map((no) => ({ payload: { monitor_no: no }, key: confirmKey(no) })),
        ),
    ),
    holds: addAgain(
      (tx) => overdueHolds(tx, overdue),
      endHoldKey,
      ({ tx }, ids) => endHoldsNow(tx, ids),
    ),
    maintenance: addAgain(
      (tx) => overdueWindows(tx, overdue),
      windowKey,
      ({ tx }, ids) => Promise.all(ids.map((id) => wakeWindow(tx, id))),
    ),
    maintenance_series: addAgain(
      (tx) => overdueSeries(tx, overdue),
      seriesKey,
      ({ tx }, ids) => Promise.all(ids.map((id) => wakeSeries(tx, id))),
    ),
    alarms: addAgain(
      (tx) => overdueAlarms(tx, overdue),
      alarmKey,
      ({ tx }, nos) => wakeAlarms(tx, nos),
    ),
    examples: addAgain(
      (tx) => overdueExamples(tx, overdue),
      exampleKey,
      ({ tx }, ids) => wakeExamples(tx, ids),
    ),
    commander_reminders: addAgain(
      (tx) => overdueCommanderReminders(tx, overdue),
      commanderKey,
      ({ tx }, ids) => wakeCommanderReminders(tx, ids),
    ),
  };
}

async function overdueConfirmations(tx: Tx, overdue: Date): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    SELECT monitor_no AS no FROM monitor_state WHERE reevaluate_at < ${overdue}`.execute(tx);
  return rows.map(({ no }) => no);
}

async function overdueHolds(tx: Tx, overdue: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM incidents WHERE alarm_held_until < ${overdue} AND status = 'open'`.execute(tx);
  return rows.map(({ id }) => id);
}

async function overdueSeries(tx: Tx, overdue: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom('maintenance_series')
    .select('id')
    .where('next_at', '<', overdue)
    .execute();
  return rows.map(({ id }) => id);
}

async function overdueWindows(tx: Tx, overdue: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM maintenance_windows WHERE started_at IS NULL AND scheduled_start < ${overdue}
    UNION SELECT id FROM maintenance_windows WHERE ended_at IS NULL AND scheduled_end < ${overdue}`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}
