// The parts that every server starts, whatever its roles: the database's notifications, clock and disk, the keys that all servers
// share, and the ways out to people.

import { makeSlowDown } from '../accounts/slow-down.ts';
import { WRITTEN_CHANNEL } from '../activity/record.ts';
import { makeKnownAgents } from '../agents/credentials.ts';
import { startAsking } from '../capsules/ask.ts';
import type { Config } from '../config/config.ts';
import { LIVE_CHANNEL, onPublished } from '../events/publish.ts';
import { makeSend } from '../notifications/delivery/send.ts';
import { makeFirstOwnerOf } from '../organizations/first-owner.ts';
import { makeDatabaseClock } from '../platform/db/clock.ts';
import { startDiskGuard } from '../platform/db/disk-guard.ts';
import { startHealthCheck } from '../platform/db/health-check.ts';
import { startListener } from '../platform/db/listener.ts';
import { makeReads, readsOf } from '../platform/db/replica/reads.ts';
import { startReplica } from '../platform/db/replica/replica.ts';
import { serverName } from '../platform/db/servers.ts';
import { makeKnownCallers } from '../platform/http/known-callers.ts';
import { shareLimiters } from '../platform/http/shared-limiters.ts';
import { makeTenantLimits } from '../platform/http/tenant-limits.ts';
import { migrateJobs } from '../platform/jobs/runner.ts';
import { makeMail } from '../platform/mail/mail.ts';
import { offLimits } from '../platform/outbound/off-limits.ts';
import { makePush } from '../platform/push/push.ts';
import { vapidKeys, vapidSubject } from '../platform/push/vapid.ts';
import type { StopHooks } from '../platform/stop-hooks.ts';
import { makeFirstWrites } from '../server/first-writes.ts';
import { startJobAuditor } from '../server/job-auditor.ts';
import type { Runtime } from '../server/runtime.ts';
import { operatorAddresses } from '../server/webhook-addresses.ts';
import { onPagesChanged, PAGES_CHANNEL } from '../status-pages/changed.ts';
import { domainSettings } from '../status-pages/domains/settings.ts';
import { makeDirectory } from '../status-pages/public/directory.ts';

export type Foundation = Awaited<ReturnType<typeof startFoundation>>;

/** Starts it on an open, migrated database. What is to be stopped is in `hooks`. */
export async function startFoundation(config: Config, runtime: Runtime, hooks: StopHooks) {
  const { log, vault } = runtime;
  const { roles, baseUrl } = config;
  const { db, pool, sessions, connection, gate } = runtime.database;
  const name = serverName({ keyId: vault.keyIds[0], roles });
  const listener = await startListener(connection, log, name);
  hooks.add('listener', () => listener.stop());
  const elapsedMs = runtime.elapsedMs ?? (() => performance.now());
  const databaseClock = makeDatabaseClock(elapsedMs);
  const healthCheck = await startHealthCheck({ listener, gate, clock: databaseClock, elapsedMs, log });
  hooks.add('database health check', async () => healthCheck.stop());
  const clock = runtime.clock ?? databaseClock.now;

  const disk = await startDiskGuard({ read: runtime.readDisk ?? null, elapsedMs, log });
  hooks.add('disk guard', async () => disk.stop());
  runtime.database.onDiskFull(disk.noteFull);

  const replica = config.databaseReadUrl
    ? await startReplica({
        ...{ url: config.databaseReadUrl, primary: db, log, elapsedMs },
        maxLagMs: config.databaseReadMaxLagSeconds * 1000,
      })
    : null;
  hooks.add('replica', async () => replica?.stop());
  const reads = replica ? makeReads(db, replica, elapsedMs) : readsOf(db);
  const stops = replica ? [onPublished(reads.changed), onPagesChanged(reads.changed)] : [];
  for (const channel of [LIVE_CHANNEL, PAGES_CHANNEL, WRITTEN_CHANNEL])
    if (replica) listener.listen(channel, reads.changed);
  hooks.add('changes', async () => {
    for (const stop of stops) stop();
  });

  await migrateJobs(sessions, log);
  const timers = runtime.clock === undefined;
  // First, since everything after it writes: today's partitions.
  const auditor = await startJobAuditor({ db, clock, log, timers, audits: roles.includes('jobs') });
  hooks.add('job auditor', () => auditor.stop());
  const written = await makeFirstWrites(config, runtime, clock());
  hooks.add('failure capsules', startAsking({ db, clock, log, timers }).stop);

  const directory = makeDirectory({ db, listener, log });
  hooks.add('directory of status pages', async () => directory.stop());
  await directory.load();

  const operator = operatorAddresses(config);
  const isOffLimits = config.edge === 'caddy' ? offLimits(config.caddyAdminUrls) : undefined;
  const send = makeSend({ allowPrivate: config.allowPrivateWebhooks, operator, isOffLimits });
  const mail = makeMail({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  const push = makePush({
    keys: vapidKeys(written.pushKey),
    subject: vapidSubject(config),
    allowPrivate: config.allowPrivateWebhooks,
    isOffLimits,
  });
  const shared = config.rateLimits ? shareLimiters({ db, listener, log }) : null;
  hooks.add('shared limits', async () => shared?.stop());
  const slowDown = makeSlowDown({ db, clock, log, key: written.accountsKey, enabled: config.rateLimits });
  return {
    ...{ config, runtime, hooks, log, vault, db, pool, sessions, listener, clock, elapsedMs, disk, written },
    ...{ mail, push, operator, slowDown, directory, reads, replica },
    domains: domainSettings(config),
    /** Whether time passes by itself: a clock that a test moves wakes nobody, and proves nothing of others. */
    timers,
    /** Where the bundled probe reaches this server, from when it listens; null: this server has none beside it. */
    bundledProbe: { reaches: null as string | null },
    /** How deliveries to targets are made. */
    sending: { vault, send, clock, baseUrl },
    firstOwnerOf: makeFirstOwnerOf(db),
    known: makeKnownCallers(),
    knownAgents: makeKnownAgents(),
    /** Files that machines download from this server. */
    builtFiles: runtime.builtFiles ?? {},
    /** Absent: nothing is limited by time. */
    limiters: shared?.limiters ?? null,
    limits: shared ? makeTenantLimits(shared.limiters) : null,
  };
}
