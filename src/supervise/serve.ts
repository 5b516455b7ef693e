// `tocsin serve`: the supervisor. It owns the database, the server process and the probe, and restarts any that dies. It does
// nothing else, so no request can harm it.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { type Config, loadConfig, misspeltVariables, startedByNpm } from '../config/config.ts';
import type { ServerRole } from '../domain/names.ts';
import { collectOnce } from '../platform/collect-garbage.ts';
import { demandDataDir } from '../platform/data-dir.ts';
import { startEmbedded } from '../platform/db/embedded.ts';
import { createLog, type Log } from '../platform/log.ts';
import { openableHosts } from '../platform/own-addresses.ts';
import { StopHooks } from '../platform/stop-hooks.ts';
import { readVersion } from '../platform/version.ts';
import { banner } from './banner.ts';
import type { KeptChild } from './child.ts';
import { oldPrograms } from './installed.ts';
import { startLocalProbe } from './local-probe.ts';
import { ServerDidNotStart, type Serving, startServer } from './server-child.ts';
import { listenForSignals } from './signals.ts';
import { stopWithin } from './stop-within.ts';
import { unexpectedEnd } from './unexpected-end.ts';

const STOP_WITHIN_MS = 10_000;

export type ServeOptions = {
  /** All, unless given. */
  roles?: readonly ServerRole[];
};

/** Serves until it is stopped; returns the exit code. Throws a sentence for the operator if it cannot start. */
export async function serve({ roles }: ServeOptions): Promise<number> {
  const config = loadConfig(undefined, roles);
  // PostgreSQL, or the spool of the probe, would fail on it later and less clearly.
  if (config.localProbe || config.databaseUrl === null) demandDataDir(config.dataDir);
  const log = createLog(config.logLevel);
  const hooks = new StopHooks(log);
  const lastResorts: (() => void)[] = [];
  const stop = listenForSignals(() => {
    for (const act of lastResorts) act();
  }, startedByNpm());
  process.stdout.on('error', () => undefined); // nobody reads the banner: no reason to stop watching
  const broken = unexpectedEnd(log);
  const starting = start(config, log, hooks, lastResorts, stop.signal);
  // Waits for the current step of the start, whatever ends the server: the step may still start something.
  const stopAll = () =>
    stopWithin(
      STOP_WITHIN_MS,
      starting.catch(() => undefined).then(() => hooks.stopAll()),
      lastResorts,
    );
  try {
    const end = Promise.race([stop.requested, broken.promise]);
    const reason = await Promise.race([starting.then(() => end), end]);
    log.info({ reason }, 'stopping');
    const clean = await stopAll();
    log.info(clean ? 'stopped' : 'stopped, but not everything stopped cleanly');
    return reason === 'error' || !clean ? 1 : 0;
  } catch (error) {
    await stopAll();
    if (error instanceof ServerDidNotStart) return error.exitCode;
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
  for (const sentence of misspeltVariables()) log.warn(sentence);
  for (const sentence of await oldPrograms(config.databaseUrl === null)) log.warn(sentence);
  const embeddedStarting = config.databaseUrl ? null : startEmbedded({ dataDir: config.dataDir, log });
  hooks.add('PostgreSQL', async () => {
    const embedded = await embeddedStarting?.catch(() => null);
    await embedded?.stop();
  });
  const show = (serving: Serving) => showBanner(config, serving);
  let probe: KeptChild | null = null;
  let probeToken = '';
  const server = startServer(log, {
    again(serving) {
      log.info({ part: 'server' }, 'serving again');
      // The restart has made a new set-up link.
      if (serving.setupLink) void show(serving);
    },
    renewed(token) {
      probeToken = token;
      probe?.restart('its token was renewed');
    },
  });
  hooks.add('server', () => server.stop());
  lastResorts.push(() => server.kill());

  const embedded = await embeddedStarting;
  if (embedded)
    lastResorts.push(() => {
      const pid = embedded.pid();
      if (pid) process.kill(pid, 'SIGINT');
    });
  stop.throwIfAborted();
  const databaseUrl = embedded?.url ?? config.databaseUrl!;
  const serving = await unlessStopped(server.serve({ config, databaseUrl }), stop);

  if (config.localProbe && serving.localProbeToken) {
    probeToken ||= serving.localProbeToken;
    const started = startLocalProbe(config, serving.address, () => probeToken, log);
    probe = started;
    hooks.add('local probe', () => started.stop());
    lastResorts.unshift(() => started.kill());
  }
  await show(serving);
  collectOnce();
  // Now rather than at exit: a kill -9 would leave the next start without it.
  flushCompileCache();
}

/** The awaited value, or the reason of a stop that came first. */
async function unlessStopped<T>(waited: Promise<T>, stop: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const give = () => reject(stop.reason);
  stop.addEventListener('abort', give);
  try {
    return await Promise.race([waited, stopped]);
  } finally {
    stop.removeEventListener('abort', give);
  }
}

async function showBanner(config: Config, { address, setupLink, dashboard }: Serving): Promise<void> {
  const text = banner(
    {
      version: await readVersion(),
      tookMs: performance.now(),
      baseUrl:
        config.port === 0
          ? `http://${openableHosts(config.host)[0]}:${new URL(address).port}`
          : config.baseUrl,
      hosts: openableHosts(config.host),
      address,
      setupLink,
      adminEmail: config.admin?.email ?? null,
      dashboard,
      database: config.databaseUrl
        ? 'the PostgreSQL of DATABASE_URL'
        : `PostgreSQL in ${join(config.dataDir, 'postgres')}`,
      localProbe: config.localProbe,
      roles: config.roles,
      mail: config.smtpUrl !== null,
    },
    process.stdout.isTTY === true,
  );
  process.stdout.write(text);
}
