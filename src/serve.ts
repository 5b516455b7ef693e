// `tocsin serve`: database, dashboard, application, probe; started in this order, stopped in the reverse one.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { type Config, loadConfig, startedByNpm } from './config.ts';
import { startEmbedded } from './platform/db/embedded.ts';
import { migrate } from './platform/db/migrate.ts';
import { openPool } from './platform/db/pool.ts';
import { endRequestOf } from './platform/http/current-request.ts';
import { createLog, type Log } from './platform/log.ts';
import { openVault } from './platform/secrets.ts';
import type { App } from './runtime.ts';
import { banner } from './supervise/banner.ts';
import { readyDashboard } from './supervise/dashboard.ts';
import { startLocalProbe } from './supervise/local-probe.ts';
import { listenForSignals } from './supervise/signals.ts';
import { StopHooks } from './supervise/stop-hooks.ts';
import { readVersion } from './version.ts';

const STOP_WITHIN_MS = 10_000;

/** Serves until it is told to stop; answers the exit code. Throws a sentence for the operator where it cannot start. */
export async function serve(): Promise<number> {
  const config = loadConfig();
  const log = createLog(config.logLevel);
  const hooks = new StopHooks(log);
  const lastResorts: (() => void)[] = [];
  const stop = listenForSignals(() => {
    for (const act of lastResorts) act();
  }, startedByNpm());
  process.stdout.on('error', () => undefined); // nobody reads the banner: no reason to stop watching
  const broken = unexpectedEnd(log);
  const starting = start(config, log, hooks, lastResorts, stop.signal);
  // Whatever ends the server, a step of the start that is under way is waited for: it may yet start something.
  const stopAll = () =>
    within(
      STOP_WITHIN_MS,
      starting.catch(() => undefined).then(() => hooks.stopAll()),
      lastResorts,
    );
  try {
    const end = Promise.race([stop.requested, broken.promise]);
    const reason = await Promise.race([starting.then(() => end), end]);
    log.info({ reason }, 'stopping');
    const clean = await stopAll();
    log.info(clean ? 'stopped' : 'stopped, but not everything in order');
    return reason === 'error' || !clean ? 1 : 0;
  } catch (error) {
    await stopAll();
    throw error;
  } finally {
    stop.dispose();
    broken.dispose();
  }
}

async function start(
  config: Config,
  log: Log,
  hooks: StopHooks,
  lastResorts: (() => void)[],
  stop: AbortSignal,
): Promise<void> {
  const loading = import('./app.ts');
  loading.catch(() => undefined); // told where it is awaited

  const giveUpBuild = new AbortController();
  const buildSignal = AbortSignal.any([stop, giveUpBuild.signal]);
  let dashboardReady: Promise<string | null> | null = null;
  const buildDashboard = () => {
    dashboardReady ??= readyDashboard(log, buildSignal);
    return dashboardReady;
  };
  hooks.add('dashboard build', async () => {
    giveUpBuild.abort();
    await dashboardReady;
  });

  if (config.databaseUrl) void buildDashboard();
  const { dataDir } = config;
  const embedded = config.databaseUrl
    ? null
    : await startEmbedded({ dataDir, log, whenHeld: buildDashboard });
  if (embedded) {
    hooks.add('PostgreSQL', () => embedded.stop());
    lastResorts.push(() => {
      const pid = embedded.pid();
      if (pid) process.kill(pid, 'SIGINT');
    });
  }
  const databaseUrl = embedded?.url ?? config.databaseUrl!;
  stop.throwIfAborted();
  await migrate(databaseUrl, log);
  const database = openPool({ url: databaseUrl, log });
  hooks.add('database connections', () => database.close());

  const [{ startApp }, dashboardDir, version] = await Promise.all([loading, buildDashboard(), readVersion()]);
  stop.throwIfAborted();
  const vault = openVault(config.secretKey, config.earlierSecretKeys);
  const app: App = await startApp(config, { log, database, databaseUrl, vault, dashboardDir, version });
  hooks.add('application', () => app.stop());
  stop.throwIfAborted();

  if (config.localProbe && app.localProbeToken) {
    const probe = startLocalProbe(config, app.address, app.localProbeToken, log);
    hooks.add('local probe', () => probe.stop());
    lastResorts.unshift(() => probe.kill());
  }
  const text = banner(
    {
      version,
      tookMs: performance.now(),
      baseUrl: config.port === 0 ? app.address : config.baseUrl,
      address: app.address,
      setupLink: app.setupLink,
      adminEmail: config.admin?.email ?? null,
      dashboard: dashboardDir !== null,
      database: embedded
        ? `PostgreSQL in ${join(config.dataDir, 'postgres')}`
        : 'the PostgreSQL of DATABASE_URL',
      localProbe: config.localProbe,
    },
    process.stdout.isTTY === true,
  );
  process.stdout.write(text);
  // Now rather than at exit: a kill -9 would leave the next start without it.
  flushCompileCache();
}

/**
 * An error nobody caught. What happened on behalf of one request ends that request: nobody may end the server by asking.
 * Everything else is told, and everything is stopped in order rather than left behind.
 */
function unexpectedEnd(log: Log): { promise: Promise<'error'>; dispose(): void } {
  const { promise, resolve } = Promise.withResolvers<'error'>();
  const hear = (error: unknown) => {
    const ended = endRequestOf(error);
    if (ended) return log.error({ err: error, ...ended }, 'an error nobody handled; its request is ended');
    log.fatal({ err: error }, 'an error nobody handled; stopping');
    resolve('error');
  };
  process.on('uncaughtException', hear);
  process.on('unhandledRejection', hear);
  return {
    promise,
    dispose() {
      process.off('uncaughtException', hear);
      process.off('unhandledRejection', hear);
    },
  };
}

/** Waits for an orderly stop, but not for ever. */
async function within(
  limitMs: number,
  stopped: Promise<boolean>,
  lastResorts: (() => void)[],
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => {
    for (const act of lastResorts) act();
    resolve(false);
  }, limitMs);
  const clean = await Promise.race([stopped, late]);
  clearTimeout(timer);
  return clean;
}
