// The role "api": what signed-in people and API keys use. The operations, sign-in, the dashboard with its live streams, the links
// of alarm mails.
import { mountSignIn } from '../accounts/auth-routes.ts';
import { librarySecrets } from '../accounts/library-secrets.ts';
import { makeOidcProvider } from '../accounts/oidc/provider.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { makeSignIn, type SignIn } from '../accounts/sign-in.ts';
import { serveAcknowledgeLinks } from '../acknowledge-link/routes.ts';
import { activityRoutes } from '../activity/routes.ts';
import { agentRoutes } from '../agents/routes.ts';
import { alarmPolicyRoutes } from '../alarm-policy/routes.ts';
import { apiKeyRoutes } from '../api-keys/routes.ts';
import { chartRoutes } from '../charts/routes.ts';
import { startCheckNow } from '../check-now/check-now.ts';
import { checkNowRoutes } from '../check-now/routes.ts';
import { checkRoutes } from '../checks/routes.ts';
import { applyRoutes } from '../configuration-apply/routes.ts';
import { importRoutes } from '../configuration-import/routes.ts';
import { doctorRoutes } from '../doctor/routes.ts';
import { eventRoutes } from '../events/routes.ts';
import { startLiveStreams } from '../events/stream.ts';
import { exampleRoutes } from '../examples/routes.ts';
import { firstStepRoutes } from '../first-steps/routes.ts';
import { heartbeatRoutes } from '../heartbeats/routes.ts';
import { incidentRoutes } from '../incidents/routes.ts';
import { maintenanceRoutes } from '../maintenance/routes.ts';
import { memberRoutes } from '../members/routes.ts';
import { monitorRoutes } from '../monitors/routes.ts';
import { webhookRoutes } from '../notifications/routes.ts';
import { makeTestLimit } from '../notifications/targets/test-event.ts';
import { onCallRoutes } from '../on-call/routes.ts';
import { operatorRoutes } from '../operator/routes.ts';
import { exportRoutes } from '../organization-export/routes.ts';
import { organizationRoutes } from '../organizations/routes.ts';
import { makeMonthUptime } from '../overview/month-uptime.ts';
import { overviewRoutes } from '../overview/routes.ts';
import { planRoutes } from '../plans/routes.ts';
import { makeCnameLookUp } from '../platform/outbound/cname.ts';
import { policyReplayRoutes } from '../policy-replay/routes.ts';
import { projectRoutes } from '../projects/routes.ts';
import { regionRoutes } from '../regions/routes.ts';
import { reportSubscriptionRoutes } from '../reports/mailed/routes.ts';
import { serveReportMails } from '../reports/mailed/serve.ts';
import { reportRoutes } from '../reports/routes.ts';
import { selfMonitoringRoutes } from '../self-monitoring/routes.ts';
import { seriesRoutes } from '../series/routes.ts';
import { acceptInvitationRoutes } from '../server/accept-invitation.ts';
import { serveDashboardAndReference } from '../server/dashboard-routes.ts';
import { setupRoutes } from '../server/setup.ts';
import { statusPageRoutes } from '../status-pages/routes.ts';
import { pushRoutes } from '../user-notifications/push/routes.ts';
import { wallRoutes } from '../walls/routes.ts';
import { makeWalls } from '../walls/views.ts';
import type { Foundation } from './foundation.ts';
import type { Slice } from './slice.ts';

export type ApiSlice = Slice & { signIn: SignIn };

/** `maxStreams`: live streams of all organizations together. */
export function startApi(foundation: Foundation, maxStreams: number): ApiSlice {
  const { config, runtime, log, vault, db, listener, clock, slowDown, mail, written } = foundation;
  const { baseUrl, signup, allowSingleLabelHosts: allowSingleLabel } = config;
  const streams = startLiveStreams(db, listener, clock, maxStreams);
  const tests = startCheckNow(db, { vault, allowSingleLabel, listener, limited: config.rateLimits });
  const signIn = makeSignIn(db, log, {
    ...{ baseUrl, signup, mail, slowDown, clock },
    port: config.port,
    secrets: librarySecrets(vault),
    oidc: config.oidc && makeOidcProvider(config.oidc, clock),
  });
  return {
    signIn,
    routes: [...routesOf(foundation, signIn), ...checkNowRoutes(tests), ...eventRoutes(streams)],
    async serve(http) {
      await serveAcknowledgeLinks(http, { db, clock });
      await serveReportMails(http, { db, clock, key: written.pagesKey });
      const has = { mail: mail !== null, oidc: config.oidc !== null };
      const mailed = mail && signup === 'open' ? { db, log, clock, baseUrl, mail } : null;
      mountSignIn(http, signIn, db, has, mailed);
      await serveDashboardAndReference(http, { baseUrl, dashboardDir: runtime.dashboardDir });
    },
    release() {
      tests.stop();
      streams.stop();
    },
  };
}

/** The operations that no request waits in. */
function routesOf(foundation: Foundation, signIn: SignIn): Slice['routes'] {
  const { config, runtime, log, vault, clock, mail, push, operator, slowDown, sending, domains } = foundation;
  const { baseUrl, signup, rateLimits: limited, allowPrivateWebhooks: allowPrivate } = config;
  const allowSingleLabel = config.allowSingleLabelHosts;
  const organizations = { plan: config.defaultPlan, perUser: config.organizationsPerUser };
  const has = { signup, mail: mail !== null, oidc: config.oidc && { name: config.oidc.name } };
  const configured = {
    monitors: { vault, allowSingleLabel, baseUrl },
    targets: { ...operator, ...sending, allowPrivate, vault },
  };
  const overview = { mail: mail !== null, monthUptime: makeMonthUptime() };
  return [
    ...setupRoutes(signIn, has, organizations),
    ...accountRoutes({ signIn, slowDown, signup, mail, log, baseUrl }),
    ...apiKeyRoutes,
    ...activityRoutes,
    ...organizationRoutes(organizations),
    ...exportRoutes({
      url: runtime.database.connection.connectionString ?? '',
      ...{ vault, log, version: runtime.version },
    }),
    ...importRoutes(configured),
    ...applyRoutes(configured),
    ...planRoutes,
    ...memberRoutes({ mail, baseUrl, log }),
    ...acceptInvitationRoutes(signIn, { signup, mail, log, baseUrl, slowDown }),
    ...operatorRoutes,
    ...doctorRoutes({ settings: config, vault, operator, mail, limited }),
    ...selfMonitoringRoutes,
    ...projectRoutes,
    ...monitorRoutes({ vault, allowSingleLabel, baseUrl }),
    ...agentRoutes({ vault, baseUrl, version: runtime.version }),
    ...alarmPolicyRoutes,
    ...checkRoutes({ vault }),
    ...seriesRoutes,
    ...chartRoutes,
    ...policyReplayRoutes(),
    ...reportRoutes,
    ...firstStepRoutes({ mail: mail !== null }),
    ...overviewRoutes(overview),
    ...wallRoutes({ baseUrl, walls: makeWalls(overview) }),
    ...reportSubscriptionRoutes,
    ...heartbeatRoutes,
    ...incidentRoutes({ vault }),
    ...exampleRoutes({
      vault,
      allowSingleLabel,
      baseUrl,
      target: { at: () => foundation.bundledProbe.reaches },
    }),
    ...onCallRoutes({ mail: mail !== null, baseUrl }),
    ...statusPageRoutes({ baseUrl, mail, log }, { ...domains, lookUp: makeCnameLookUp(domains.nameServers) }),
    ...maintenanceRoutes,
    ...webhookRoutes({ ...operator, ...sending, allowPrivate, limit: limited ? makeTestLimit() : null }),
    ...regionRoutes({ baseUrl, allowSingleLabel }),
    ...pushRoutes({ push, allowPrivate, clock, limited }),
  ];
}
