// The role "jobs": everything that happens without a request. Stored jobs, deliveries, notices, mails of status pages, and the
// watch over the installation itself.
import { RECURRING, taskList } from '../jobs.ts';
import { startDelivery } from '../notifications/delivery/start.ts';
import { narrowed } from '../platform/db/narrow-pool.ts';
import { type Jobs, startJobs } from '../platform/jobs/runner.ts';
import { makeCnameLookUp } from '../platform/outbound/cname.ts';
import { startReportMails } from '../reports/mailed/send.ts';
import { startResealing } from '../secret-key/reseal-at-start.ts';
import { startSelfMonitoring } from '../self-monitoring/loop.ts';
import { startHeartbeatOut } from '../server/heartbeat-out.ts';
import { startLookups } from '../status-pages/domains/lookups.ts';
import { startPageMails } from '../status-pages/subscriptions/sender.ts';
import { startNoticeSender } from '../user-notifications/sender.ts';
import type { Foundation } from './foundation.ts';

/** Connections for the job queue: one listens, and the others are enough for its workers, which all look at the same moments. */
const OF_JOBS = 4;

/** Starts the workers of this process. */
export async function startWork(foundation: Foundation): Promise<Pick<Jobs, 'healthy'>> {
  const { config, runtime, hooks, log, vault, db, sessions, listener, clock, disk } = foundation;
  const { mail, push, sending, timers, written, domains } = foundation;
  const { baseUrl, heartbeatOutUrl } = config;
  const resealing = startResealing({ db, vault, clock, log });
  hooks.add('sealing of stored secrets', () => resealing.stop());
  const deliveries = startDelivery({ ...sending, db, log, listener, random: Math.random, timers });
  hooks.add('deliveries', () => deliveries.stop());
  const tasks = taskList({ db, clock, log, shownAt: { vault, baseUrl } });
  const jobs = await startJobs({
    ...{ pool: narrowed(sessions, OF_JOBS), log, tasks, recurring: RECURRING },
    polls: runtime.pollsJobs ?? true,
  });
  hooks.add('jobs', () => jobs.stop());
  const notices = startNoticeSender({ db, clock, log, mail, push, baseUrl, random: Math.random }, listener);
  hooks.add('notices', () => notices.stop());
  if (timers && mail !== null) {
    const mails = startPageMails(
      { db, clock, log, mail, key: written.pagesKey, baseUrl, edgePort: domains.edgePort },
      listener,
    );
    hooks.add('mails of status pages', () => mails.stop());
    const reports = startReportMails({ db, clock, log, mail, key: written.pagesKey, baseUrl });
    hooks.add('reports by mail', () => reports.stop());
  }
  if (timers) {
    const watch = startSelfMonitoring({ db, clock, log, mail, baseUrl, disk });
    hooks.add('self-monitoring', () => watch.stop());
  }
  if (timers) {
    const lookups = startLookups({
      ...domains,
      db,
      clock,
      log,
      lookUp: makeCnameLookUp(domains.nameServers),
    });
    hooks.add('records of custom domains', () => lookups.stop());
  }
  if (timers && heartbeatOutUrl !== null) {
    const beats = startHeartbeatOut({ url: heartbeatOutUrl, db, disk, clock, log });
    hooks.add('outgoing heartbeat', () => beats.stop());
  }
  return jobs;
}
