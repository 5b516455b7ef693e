// Whether what is to be sent or done gets its turn.
import { dueDeliveries } from '../notifications/delivery/queue.ts';
import { dueJobs } from '../platform/jobs/due-jobs.ts';
import type { Database } from '../platform/work.ts';
import { untriedNotices } from '../user-notifications/claim.ts';
import { type Finding, finding } from './finding.ts';

const LATE_SECONDS = 60;

export async function checkQueues(db: Database, now: Date): Promise<Finding[]> {
  const queues = [
    ['deliveries_stuck', await dueDeliveries(db, now)],
    ['notices_stuck', await untriedNotices(db, now)],
    ['jobs_stuck', await dueJobs(db)],
  ] as const;
  const stuck = queues
    .filter(([, { oldestSeconds }]) => oldestSeconds > LATE_SECONDS)
    .map(([code, { count, oldestSeconds }]) =>
      finding('fail', 'queues', code, { count, seconds: Math.round(oldestSeconds) }),
    );
  return stuck.length > 0 ? stuck : [finding('ok', 'queues', 'queues_moving')];
}
