// The application: the slices of its roles put together in one straight line, stopped in reverse
// (docs/rules/command-line.md#roles-of-servers).
import './reactions.ts';
import { sessionCookie } from './accounts/sign-in.ts';
import { isThrottledSignIn } from './accounts/throttled.ts';
import type { Config } from './config/config.ts';
import { serveAsk } from './edge/ask.ts';
import { startEdge } from './edge/loop.ts';
import { edgeSettings } from './edge/settings.ts';
import { capConnections, connectionsOfProcess } from './platform/http/connections.ts';
import { mount } from './platform/http/mount.ts';
import { limitRates } from './platform/http/rate-limits.ts';
import { makeHttpServer } from './platform/http/server.ts';
import { openableHosts, reachable } from './platform/own-addresses.ts';
import { StopHooks } from './platform/stop-hooks.ts';
import { followBundledToken } from './regions/bundled-token.ts';
import { startApi } from './roles/api.ts';
import { servedElsewhere } from './roles/elsewhere.ts';
import { startFoundation } from './roles/foundation.ts';
import { startIngest } from './roles/ingest.ts';
import { startWork } from './roles/jobs.ts';
import { startPages } from './roles/pages.ts';
import { makeAuthorizer } from './server/authorize.ts';
import { serveDownloads } from './server/download-routes.ts';
import { listen } from './server/listen.ts';
import type { App, Runtime } from './server/runtime.ts';
import { serveSystemRoutes } from './server/system-routes.ts';
import { makeVirtualHosts } from './status-pages/domains/virtual-hosts.ts';

/** Live streams of all organizations together; half of the connections at most. */
const MAX_STREAMS = 2000;

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
  const { log } = runtime;
  const { roles, baseUrl } = config;
  const foundation = await startFoundation(config, runtime, hooks);
  const { db, listener, directory, domains, clock, timers, disk, known, limits, firstOwnerOf } = foundation;
  const { limiters, written, reads, replica } = foundation;
  const identifyAgent = foundation.knownAgents.identify;
  const jobs = roles.includes('jobs') ? await startWork(foundation) : null;

  const http = makeHttpServer({
    ...{ log, baseUrl, trustProxy: config.trustProxy },
    elsewhere: servedElsewhere(roles),
    behindEdge: config.edge === 'caddy',
    virtualHosts: makeVirtualHosts(domains.own, directory),
  });
  const connections = connectionsOfProcess(log);
  capConnections(http, connections);
  const cookie = sessionCookie(baseUrl);
  if (limiters) {
    const key = written.accountsKey;
    limitRates(http, { isThrottled: isThrottledSignIn, sessionCookie: cookie, known, limiters, key });
  }

  const maxStreams = Math.min(MAX_STREAMS, Math.floor(connections / 2));
  const api = roles.includes('api') ? startApi(foundation, maxStreams) : null;
  const ingest = roles.includes('ingest') ? startIngest(foundation) : null;
  const pages = roles.includes('pages') ? startPages(foundation) : null;
  const slices = [api, ingest, pages].filter((slice) => slice !== null);

  const authorizer = makeAuthorizer({
    ...{ db, clock, firstOwnerOf, identifyAgent },
    signIn: api?.signIn ?? null,
  });
  const routes = slices.flatMap((slice) => slice.routes);
  mount(http, routes, authorizer, db, clock, { limits, known, sessionCookie: cookie, log, reads });
  for (const slice of slices) await slice.serve(http);
  if (api || ingest) serveDownloads(http, { files: foundation.builtFiles, baseUrl });
  serveAsk(http, { db, clock, baseUrl, edge: config.edge });
  serveSystemRoutes(http, {
    database: runtime.database,
    version: runtime.version,
    roles,
    metricsToken: config.metricsToken,
    jobsHealthy: jobs?.healthy ?? null,
    disk,
    replica,
    clock,
  });
  hooks.add('HTTP server', async () => {
    for (const slice of slices) slice.release();
    await http.close();
  });
  const address = await listen(http, { host: config.host, port: config.port });
  if (config.localProbe) foundation.bundledProbe.reaches = reachable(address);
  // Whatever its roles: an edge may be one that only this server reaches.
  if (config.edge === 'caddy' && timers) {
    const settings = edgeSettings(config, Number(new URL(address).port));
    const given = { db, clock, log, baseUrl, adminUrls: config.caddyAdminUrls, settings };
    const edge = startEdge(given, listener);
    hooks.add('edge', () => edge.stop());
  }
  // With PORT=0 the configured address does not know its port yet.
  const reachedAt =
    config.port === 0 ? `http://${openableHosts(config.host)[0]}:${new URL(address).port}` : baseUrl;
  const { bundled, setupToken } = foundation.written;
  const probeKeys = { secretKey: config.secretKey, earlierKeys: config.earlierSecretKeys };
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
