// The application: slices put together in one straight line, stopped in reverse.
import './reactions.ts';
import { mountSignIn } from './accounts/auth-routes.ts';
import { librarySecrets } from './accounts/library-secrets.ts';
import { makeOidcProvider } from './accounts/oidc/provider.ts';
import { accountRoutes } from './accounts/routes.ts';
import { makeSignIn, sessionCookie } from './accounts/sign-in.ts';
import { makeSlowDown } from './accounts/slow-down.ts';
import { isThrottledSignIn } from './accounts/throttled.ts';
import { serveAcknowledgeLinks } from './acknowledge-link/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { alarmPolicyRoutes } from './alarm-policy/routes.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { startAsking } from './capsules/ask.ts';
import { startCheckNow } from './check-now/check-now.ts';
import { checkNowRoutes } from './check-now/routes.ts';
import { checkRoutes } from './checks/routes.ts';
import type { Config } from './config/config.ts';
import { doctorRoutes } from './doctor/routes.ts';
import { serveAsk } from './edge/ask.ts';
import { eventRoutes } from './events/routes.ts';
import { startLiveStreams } from './events/stream.ts';
import { heartbeatRoutes } from './heartbeats/routes.ts';
import { serveHeartbeats } from './heartbeats/serve.ts';
import { incidentRoutes } from './incidents/routes.ts';
import { RECURRING, taskList } from './jobs.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { monitorRoutes } from './monitors/routes.ts';
import { makeSend } from './notifications/delivery/send.ts';
import { startDelivery } from './notifications/delivery/start.ts';
import { webhookRoutes } from './notifications/routes.ts';
import { makeTestLimit } from './notifications/targets/test-event.ts';
import { onCallRoutes } from './on-call/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { makeFirstOwnerOf } from './organizations/first-owner.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { planRoutes } from './plans/routes.ts';
import { makeDatabaseClock } from './platform/db/clock.ts';
import { startDiskGuard } from './platform/db/disk-guard.ts';
import { startListener } from './platform/db/listener.ts';
import { startPulse } from './platform/db/pulse.ts';
import { capConnections, connectionsOfProcess } from './platform/http/connections.ts';
import { makeKnownCallers } from './platform/http/known-callers.ts';
import { mount } from './platform/http/mount.ts';
import { limitRates } from './platform/http/rate-limits.ts';
import { makeHttpServer } from './platform/http/server.ts';
import { makeTenantLimits } from './platform/http/tenant-limits.ts';
import { migrateJobs, startJobs } from './platform/jobs/runner.ts';
import { makeMail } from './platform/mail/mail.ts';
import { openableHosts } from './platform/own-addresses.ts';
import { makePush } from './platform/push/push.ts';
import { vapidKeys, vapidSubject } from './platform/push/vapid.ts';
import { StopHooks } from './platform/stop-hooks.ts';
import { startAssignments } from './probe-protocol/assignments.ts';
import { makeResultPace } from './probe-protocol/result-pace.ts';
import { projectRoutes } from './projects/routes.ts';
import { followBundledToken } from './regions/bundled-token.ts';
import { regionRoutes } from './regions/routes.ts';
import { listenerName } from './secret-key/keys-in-force.ts';
import { startResealing } from './secret-key/reseal-at-start.ts';
import { startSelfMonitoring } from './self-monitoring/loop.ts';
import { selfMonitoringRoutes } from './self-monitoring/routes.ts';
import { seriesRoutes } from './series/routes.ts';
import { acceptInvitationRoutes } from './server/accept-invitation.ts';
import { makeAuthorizer } from './server/authorize.ts';
import { makeFirstWrites } from './server/first-writes.ts';
import { startHeartbeatOut } from './server/heartbeat-out.ts';
import { startJobAuditor } from './server/job-auditor.ts';
import { listen } from './server/listen.ts';
import type { App, Runtime } from './server/runtime.ts';
import { setupRoutes } from './server/setup.ts';
import { serveSystemRoutes } from './server/system-routes.ts';
import { operatorAddresses } from './server/webhook-addresses.ts';
import { serveStatusPages } from './status-pages/public/serve.ts';
import { statusPageRoutes } from './status-pages/routes.ts';
import { pushRoutes } from './user-notifications/push/routes.ts';
import { startNoticeSender } from './user-notifications/sender.ts';

/** Live streams of all organizations together; half of the connections at most. */
const MOST_STREAMS = 2000;

/** Starts the application on an open, migrated database; what was started is stopped again when a later step fails. */
export async function startApp(config: Config, runtime: Runtime): Promise<App> {
  const hooks = new StopHooks(runtime.log);
  try {
    return await start(config, runtime, hooks);
  } catch (error) {
    await hooks.stopAll();
    throw error;
  }
}

async function start(config: Config, runtime: Runtime, hooks: StopHooks): Promise<App> {
  const { log, vault } = runtime;
  const { db, pool, connection } = runtime.database;
  const listener = await startListener(connection, log, listenerName(vault));
  hooks.add('listener', () => listener.stop());
  const elapsedMs = runtime.elapsedMs ?? (() => performance.now());
  const databaseClock = makeDatabaseClock(elapsedMs);
  const { gate } = runtime.database;
  const pulse = await startPulse({ listener, gate, clock: databaseClock, elapsedMs, log });
  hooks.add('pulse', async () => pulse.stop());
  const clock = runtime.clock ?? databaseClock.now;

  const disk = await startDiskGuard({ read: runtime.readDisk ?? null, elapsedMs, log });
  hooks.add('disk guard', async () => disk.stop());
  runtime.database.onDiskFull(disk.noteFull);

  await migrateJobs(pool, log);
  // First, since everything after it writes: today's partitions.
  const timers = runtime.clock === undefined;
  const auditor = await startJobAuditor({ db, clock, log, timers });
  hooks.add('job auditor', () => auditor.stop());
  const organizations = { plan: config.defaultPlan, perUser: config.organizationsPerUser };
  const probeKeys = { secretKey: config.secretKey, earlierKeys: config.earlierSecretKeys };
  const written = await makeFirstWrites(config, runtime, clock());
  const { bundled, setupToken, pushKey, accountsKey, pagesKey } = written;

  const resealing = startResealing({ db, vault, clock, log });
  hooks.add('sealing of stored secrets', () => resealing.stop());
  const connections = connectionsOfProcess(log);
  const mostStreams = Math.min(MOST_STREAMS, Math.floor(connections / 2));
  const streams = startLiveStreams(db, listener, clock, mostStreams);
  const assignments = startAssignments(db, vault, listener, clock, log);
  const tests = startCheckNow(db, {
    vault,
    allowSingleLabel: config.allowSingleLabelHosts,
    listener,
    limited: config.rateLimits,
  });
  const pace = makeResultPace(db, { limited: config.rateLimits });
  const operator = operatorAddresses(config);
  const send = makeSend({ allowPrivate: config.allowPrivateWebhooks, operator });
  const sending = { vault, send, clock, baseUrl: config.baseUrl };
  const deliveries = startDelivery({ ...sending, db, log, listener, random: Math.random, timers });
  hooks.add('deliveries', () => deliveries.stop());
  const tasks = taskList({ db, clock, log });
  const jobs = await startJobs({ pool, log, tasks, recurring: RECURRING, polls: runtime.pollsJobs ?? true });
  hooks.add('jobs', () => jobs.stop());

  const http = makeHttpServer({ log, baseUrl: config.baseUrl, trustProxy: config.trustProxy });
  capConnections(http, connections);
  const known = makeKnownCallers();
  const cookie = sessionCookie(config.baseUrl);
  if (config.rateLimits) limitRates(http, { isThrottled: isThrottledSignIn, sessionCookie: cookie, known });
  const mail = makeMail({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  const push = makePush({
    keys: vapidKeys(pushKey),
    subject: vapidSubject(config),
    allowPrivate: config.allowPrivateWebhooks,
  });
  const noticeOptions = { db, clock, log, mail, push, baseUrl: config.baseUrl, random: Math.random };
  const notices = startNoticeSender(noticeOptions, listener);
  hooks.add('notices', () => notices.stop());
  const slowDown = makeSlowDown({
    db,
    clock,
    log,
    key: accountsKey,
    enabled: config.rateLimits,
  });
  const signIn = makeSignIn(db, log, {
    baseUrl: config.baseUrl,
    port: config.port,
    secrets: librarySecrets(vault),
    signup: config.signup,
    mail,
    oidc: config.oidc && makeOidcProvider(config.oidc, clock),
    slowDown,
    clock,
  });
  const routes = [
    ...setupRoutes(
      signIn,
      { signup: config.signup, mail: mail !== null, oidc: config.oidc && { name: config.oidc.name } },
      organizations,
    ),
    ...accountRoutes({ signIn, slowDown, signup: config.signup, mail, log, baseUrl: config.baseUrl }),
    ...apiKeyRoutes,
    ...activityRoutes,
    ...organizationRoutes(organizations),
    ...planRoutes,
    ...memberRoutes({ mail, baseUrl: config.baseUrl, log }),
    ...acceptInvitationRoutes(signIn, {
      signup: config.signup,
      mail,
      log,
      baseUrl: config.baseUrl,
      slowDown,
    }),
    ...operatorRoutes,
    ...doctorRoutes({ settings: config, vault, operator, mail, limited: config.rateLimits }),
    ...selfMonitoringRoutes,
    ...projectRoutes,
    ...monitorRoutes({
      vault,
      allowSingleLabel: config.allowSingleLabelHosts,
      baseUrl: config.baseUrl,
    }),
    ...alarmPolicyRoutes,
    ...checkRoutes({ db, vault, log, pace, assignments, disk }),
    ...seriesRoutes,
    ...checkNowRoutes(tests),
    ...heartbeatRoutes,
    ...incidentRoutes({ vault }),
    ...onCallRoutes({ mail: mail !== null, baseUrl: config.baseUrl }),
    ...statusPageRoutes({ baseUrl: config.baseUrl, mail, log }),
    ...maintenanceRoutes,
    ...webhookRoutes({
      ...operator,
      ...sending,
      allowPrivate: config.allowPrivateWebhooks,
      limit: config.rateLimits ? makeTestLimit() : null,
    }),
    ...regionRoutes({ baseUrl: config.baseUrl, allowSingleLabel: config.allowSingleLabelHosts }),
    ...eventRoutes(streams),
    ...pushRoutes({ push, allowPrivate: config.allowPrivateWebhooks, clock, limited: config.rateLimits }),
  ];
  const limits = config.rateLimits ? makeTenantLimits() : null;
  const firstOwnerOf = makeFirstOwnerOf(db);
  const authorizer = makeAuthorizer({ db, signIn, clock, firstOwnerOf });
  mount(http, routes, authorizer, db, clock, { limits, known, sessionCookie: cookie, log });
  await serveAcknowledgeLinks(http, { db, clock });
  const asked = { db, clock, log, listener, firstOwnerOf, slowDown, timers };
  const pages = await serveStatusPages(http, {
    ...asked,
    elapsedMs,
    mail,
    key: pagesKey,
    baseUrl: config.baseUrl,
  });
  hooks.add('status pages', () => pages.stop());
  const heartbeats = await serveHeartbeats(http, {
    ...{ db, clock, log, disk, limits, known, firstOwnerOf, limited: config.rateLimits },
    // A manual clock would look like downtime of this server, so the test that moves it also runs the loop.
    looks: timers,
  });
  hooks.add('heartbeats', () => heartbeats.stop());
  hooks.add('failure capsules', startAsking({ db, clock, log, timers }).stop);
  // Nor is a clock that a test moves any proof that somebody else was silent.
  if (timers) {
    const watch = startSelfMonitoring({ db, clock, log, mail, baseUrl: config.baseUrl, disk });
    hooks.add('self-monitoring', () => watch.stop());
  }
  const has = { mail: mail !== null, oidc: config.oidc !== null };
  const mailed = mail && config.signup === 'open' ? { db, log, clock, baseUrl: config.baseUrl, mail } : null;
  mountSignIn(http, signIn, db, has, mailed);
  serveAsk(http, { db, clock, baseUrl: config.baseUrl });
  await serveSystemRoutes(http, {
    database: runtime.database,
    baseUrl: config.baseUrl,
    version: runtime.version,
    dashboardDir: runtime.dashboardDir,
    metricsToken: config.metricsToken,
    jobsHealthy: jobs.healthy,
    disk,
    clock,
  });
  hooks.add('HTTP server', async () => {
    assignments.stop();
    tests.stop();
    streams.stop();
    await http.close();
  });
  const address = await listen(http, { host: config.host, port: config.port });
  if (config.heartbeatOutUrl !== null && timers) {
    const beats = startHeartbeatOut({ url: config.heartbeatOutUrl, db, disk, clock, log });
    hooks.add('outgoing heartbeat', () => beats.stop());
  }
  // With PORT=0 the configured address does not know its port yet.
  const reachedAt =
    config.port === 0 ? `http://${openableHosts(config.host)[0]}:${new URL(address).port}` : config.baseUrl;
  return {
    address,
    localProbeToken: bundled?.token ?? null,
    onLocalProbeToken(renewed) {
      if (bundled) followBundledToken({ db, listener, clock, log }, { ...bundled, ...probeKeys }, renewed);
    },
    setupLink: setupToken === null ? null : `${reachedAt}/app/setup?token=${setupToken}`,
    stop: async () => void (await hooks.stopAll()),
  };
}
