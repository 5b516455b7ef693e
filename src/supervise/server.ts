// The process that serves: application and dashboard on a database that its supervisor keeps running. Started in this
// order, stopped in the reverse one.
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { backupBeforeMigration } from '../installation-backup/before-migration.ts';
import { readBuiltFiles } from '../platform/built-files.ts';
import { collectOnce } from '../platform/collect-garbage.ts';
import { diskOf } from '../platform/db/disk-guard.ts';
import { stopOrphan } from '../platform/db/embedded.ts';
import { migrate } from '../platform/db/migrate.ts';
import { openPool } from '../platform/db/pool.ts';
import { findPooler } from '../platform/db/pooler.ts';
import { endRequestOf } from '../platform/http/current-request.ts';
import { createLog, type Log } from '../platform/log.ts';
import { openVault } from '../platform/secrets.ts';
import { StopHooks } from '../platform/stop-hooks.ts';
import { readVersion } from '../platform/version.ts';
import { readyDashboard } from './dashboard.ts';
import { readyDownloads } from './downloads.ts';
import { beat, reportProgress } from './hang-detection.ts';
import type { Renewed, ServeOrder, Serving } from './server-child.ts';
import { listenForSignals } from './signals.ts';
import { stopWithin } from './stop-within.ts';
import { unexpectedEnd } from './unexpected-end.ts';

/** Less than the supervisor allows, so that an unfinished stop is logged rather than cut off silently. */
const STOP_WITHIN_MS = 4_500;

/**
 * Serves as its supervisor orders until it is stopped, or the supervisor is gone; returns the exit code. Writes a sentence
 * for the operator if it cannot start.
 */
export async function runServer(): Promise<number> {
  beat();
  const loading = import('../app.ts');
  loading.catch(() => undefined); // reported where it is awaited
  const orphaned = once(process, 'disconnect').then(() => 'orphaned' as const);
  const ordered = await Promise.race([once(process, 'message'), orphaned]);
  if (ordered === 'orphaned') return 1;
  const { config, databaseUrl } = ordered[0] as ServeOrder;

  const log = createLog(config.logLevel);
  const hooks = new StopHooks(log);
  const stop = listenForSignals(() => undefined, false);
  const broken = unexpectedEnd(log, endRequestOf);
  const giveUp = new AbortController();
  const starting = start({ config, databaseUrl, log, hooks, stop: giveUp.signal, loading });
  try {
    const end = Promise.race([stop.requested, broken.promise, orphaned]);
    const reason = await Promise.race([starting.then(() => end), end]);
    giveUp.abort();
    // Waits for the current step of the start, whatever ends the server: the step may still start something.
    const stopped = starting.catch(() => undefined).then(() => hooks.stopAll());
    const clean = await stopWithin(STOP_WITHIN_MS, stopped, []);
    // The supervisor is gone, so this process must do it.
    if (reason === 'orphaned' && !config.databaseUrl) await stopOrphan(config.dataDir, log);
    return reason === 'error' || !clean ? 1 : 0;
  } catch (error) {
    await hooks.stopAll();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    stop.dispose();
    broken.dispose();
  }
}

async function start(given: {
  config: Config;
  databaseUrl: string;
  log: Log;
  hooks: StopHooks;
  stop: AbortSignal;
  loading: Promise<typeof import('../app.ts')>;
}): Promise<void> {
  const { config, databaseUrl, log, hooks, stop, loading } = given;
  const giveUpBuild = new AbortController();
  const dashboardReady = config.roles.includes('api')
    ? readyDashboard(log, AbortSignal.any([stop, giveUpBuild.signal]))
    : Promise.resolve(null);
  const downloadsReady =
    config.roles.includes('api') || config.roles.includes('ingest')
      ? readyDownloads(log, AbortSignal.any([stop, giveUpBuild.signal]))
      : Promise.resolve(null);
  const buildsReady = Promise.all([dashboardReady, downloadsReady]);
  hooks.add('builds', async () => {
    giveUpBuild.abort();
    await buildsReady;
  });
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const version = await readVersion();
  const progress = reportProgress;
  const before = backupBeforeMigration(config, { url: directUrl, log, version, progress, signal: stop });
  const pooler = await findPooler(databaseUrl, config.databaseDirectUrl);
  await migrate(directUrl, log, { atWork: reportProgress, before });
  reportProgress();
  const database = openPool({ url: databaseUrl, log, pooler });
  hooks.add('database connections', () => database.close());

  const [{ startApp }, [dashboardDir, downloadsDir]] = await Promise.all([loading, buildsReady]);
  const builtFiles = await readBuiltFiles(downloadsDir);
  stop.throwIfAborted();
  reportProgress();
  const vault = openVault(config.secretKey, config.earlierSecretKeys);
  const readDisk = config.databaseUrl ? {} : { readDisk: diskOf(join(config.dataDir, 'postgres')) };
  const app = await startApp(config, {
    log,
    database,
    vault,
    dashboardDir,
    builtFiles,
    version,
    reportProgress,
    ...readDisk,
  });
  hooks.add('application', () => app.stop());
  stop.throwIfAborted();
  const serving: Serving = {
    address: app.address,
    localProbeToken: app.localProbeToken,
    setupLink: app.setupLink,
    dashboard: dashboardDir !== null,
  };
  process.send?.(serving);
  collectOnce();
  app.onLocalProbeToken((localProbeToken) => process.send?.({ localProbeToken } satisfies Renewed));
  // Now rather than at exit: a kill -9 would leave the next start without it.
  flushCompileCache();
}
