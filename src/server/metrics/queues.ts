// The length of the queues, over all organizations and servers.
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import { dueDeliveries } from '#src/notifications/delivery/queue.ts';
import { dueJobs } from '#src/platform/jobs/due-jobs.ts';
import { givenUpJobs } from '#src/platform/jobs/given-up-jobs.ts';
import { registry } from '#src/platform/metrics.ts';
import type { Database } from '#src/platform/work.ts';
import { untriedNotices } from '#src/user-notifications/claim.ts';

const pendingDeliveries = new Gauge({
  name: 'tocsin_pending_deliveries',
  help: 'Notifications that wait for a try',
  registers: [registry],
});
const pendingNotices = new Gauge({
  name: 'tocsin_pending_notices',
  help: 'Mails and pushes to people that wait for a try',
  registers: [registry],
});
const due = new Gauge({
  name: 'tocsin_queue_due',
  help: 'What is due and nobody works on; what waits for its turn behind others of its organization, or for a target that fails, does not count',
  labelNames: ['queue'],
  registers: [registry],
});
const oldest = new Gauge({
  name: 'tocsin_queue_oldest_due_seconds',
  help: 'How long the oldest of tocsin_queue_due has been due; 0 while nothing is',
  labelNames: ['queue'],
  registers: [registry],
});
const givenUp = new Gauge({
  name: 'tocsin_jobs_given_up',
  help: 'Stored jobs that have failed for the last time: they are not tried again by themselves',
  labelNames: ['task'],
  registers: [registry],
});
const packedUntil = new Gauge({
  name: 'tocsin_checks_packed_until_timestamp_seconds',
  help: 'The time before which single checks are packed; the year 2000 while none are',
  registers: [registry],
});
const GAUGES = [pendingDeliveries, pendingNotices, due, oldest, givenUp, packedUntil];

/** Reads how much waits, and for how long. */
export async function readQueues(db: Database, now: Date): Promise<void> {
  const { rows } = await sql<{ deliveries: number; notices: number; packed: number }>`
    SELECT (SELECT count(*) FROM delivery_queue)::int AS deliveries,
      (SELECT extract(epoch FROM packed_until)::bigint FROM packing_state) AS packed,
      (SELECT count(*) FROM notices WHERE state = 'pending')::int AS notices`.execute(db);
  const queues = {
    deliveries: await dueDeliveries(db, now),
    notices: await untriedNotices(db, now),
    jobs: await dueJobs(db),
  };
  const ended = await givenUpJobs(db);
  pendingDeliveries.set(rows[0]?.deliveries ?? 0);
  pendingNotices.set(rows[0]?.notices ?? 0);
  packedUntil.set(rows[0]?.packed ?? 0);
  for (const [queue, { count, oldestSeconds }] of Object.entries(queues)) {
    due.set({ queue }, count);
    oldest.set({ queue }, oldestSeconds);
  }
  // A task without any has no value, once the last of its jobs is done or gone.
  givenUp.reset();
  for (const { task, count } of ended) givenUp.set({ task }, count);
}

export function clearQueues(): void {
  for (const gauge of GAUGES) gauge.reset();
  pendingDeliveries.remove();
  pendingNotices.remove();
  packedUntil.remove();
}
