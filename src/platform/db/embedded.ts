// The bundled PostgreSQL: a real server from npm, on a private socket, under our supervision.
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type RestartPauses, restartPauses } from '../restart-pauses.ts';
import { findBinaries } from './embedded/binaries.ts';
import {
  checkCluster,
  clusterPassword,
  initCluster,
  openDataDir,
  openSocketDir,
} from './embedded/cluster-dir.ts';
import { DataDirInUse, guardDataDir } from './embedded/guard.ts';
import { type Postmaster, PostmasterFailed, startPostmaster } from './embedded/postmaster.ts';
import { clearOrphan } from './embedded/postmaster-file.ts';
import { runAs, unprivilegedUser } from './embedded/run-as.ts';
import { settingFlags } from './embedded/settings.ts';

export type EmbeddedDatabase = {
  /** Connection URL for pg, Kysely and graphile-worker; stays the same when PostgreSQL is restarted. */
  url: string;
  /** Whether this start created the cluster. */
  isNew: boolean;
  /** Process id of the postmaster; null while it is being restarted. */
  pid(): number | null;
  /** Fast shutdown, awaited; then the data directory is free for another server. Calling it twice is harmless. */
  stop(): Promise<void>;
};

const GUARD = 'server';
/**
 * Nothing works without PostgreSQL, so it is restarted sooner and more often than other parts
 * (docs/rules/command-line.md#start).
 */
const PAUSES: RestartPauses = { firstMs: 100, longestMs: 10_000, wellAfterMs: 10_000 };

/**
 * Starts PostgreSQL on `DATA_DIR/postgres` (created at the first start) and restarts it whenever it dies, with pauses that grow
 * from 0.1 s to 10 s. Throws DataDirInUse if another server runs on the directory, and otherwise an error with a sentence for
 * the operator. `settings` overrides PostgreSQL settings (tests turn fsync off).
 */
export async function startEmbedded(options: {
  dataDir: string;
  log: Log;
  settings?: Record<string, string>;
}): Promise<EmbeddedDatabase> {
  const { log } = options;
  const [binaries, dataDir] = await Promise.all([findBinaries(), openDataDir(options.dataDir)]);
  const clusterDir = join(dataDir, 'postgres');
  const user = await unprivilegedUser(clusterDir);
  const socketDir = await openSocketDir(dataDir, user);
  const onWindows = process.platform === 'win32';
  const guardPath = onWindows ? `\\\\.\\pipe\\${socketDir.split('\\').at(-1)}` : join(socketDir, GUARD);
  const guard = await guardDataDir(dataDir, guardPath);
  try {
    const asUser = await runAs(
      user,
      [binaries.postgres, join(binaries.root, 'native/share'), dataDir],
      binaries.postgres,
    );
    const isNew = !(await checkCluster(clusterDir, binaries, user));
    const password = onWindows ? await clusterPassword(dataDir) : null;
    if (isNew) await initCluster(clusterDir, binaries, asUser, password);
    else await clearOrphan(clusterDir, GUARD, log);
    const place = onWindows ? await loopbackPlace(password ?? '') : socketPlace(socketDir);
    const start = () =>
      startPostmaster({
        runAs: asUser,
        postgres: binaries.postgres,
        pgCtl: binaries.pgCtl,
        clusterDir,
        flags: [...place.flags, ...settingFlags(options.settings)],
        log,
      });
    const supervised = supervise(await startDespiteLeftovers(start), start, log);
    return {
      url: place.url,
      isNew,
      pid: supervised.pid,
      stop: once(async () => {
        await supervised.stop();
        await guard.release();
        if (!onWindows) await rm(socketDir, { recursive: true, force: true });
      }),
    };
  } catch (error) {
    await guard.release();
    throw error;
  }
}

/**
 * Stops the PostgreSQL of a supervisor that died; called by the process it left behind. If another server has taken the
 * data directory meanwhile, that server does it.
 */
export async function stopOrphan(dataDir: string, log: Log): Promise<void> {
  try {
    await clearOrphan(join(dataDir, 'postgres'), GUARD, log);
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
  }
}

function socketPlace(socketDir: string): { url: string; flags: string[] } {
  return {
    url: `postgres://tocsin@${encodeURIComponent(socketDir)}/postgres`,
    flags: [
      '-c',
      'listen_addresses=',
      '-c',
      `unix_socket_directories=${socketDir}`,
      '-c',
      'unix_socket_permissions=0700',
    ],
  };
}

/** Windows has no private sockets, so PostgreSQL gets a free port on loopback and a password. */
async function loopbackPlace(password: string): Promise<{ url: string; flags: string[] }> {
  const port = await new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
  return {
    url: `postgres://tocsin:${password}@127.0.0.1:${port}/postgres`,
    flags: ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', 'unix_socket_directories='],
  };
}

/** After a kill -9 of PostgreSQL its other processes take a moment to notice and release the shared memory. */
async function startDespiteLeftovers(start: () => Promise<Postmaster>): Promise<Postmaster> {
  for (let pauseMs = 20; ; pauseMs *= 2) {
    try {
      return await start();
    } catch (error) {
      const leftovers = error instanceof PostmasterFailed && /still in use|already exists/.test(error.output);
      if (!leftovers || pauseMs > 4000) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Restarts PostgreSQL whenever it ends unasked. */
function supervise(first: Postmaster, start: () => Promise<Postmaster>, log: Log) {
  const stopping = new AbortController();
  let current: Postmaster | null = first;
  const pauseAfter = restartPauses(PAUSES);

  /** Logs the reason, and waits as long as the rule demands after a run of `ranMs`. */
  async function pause(ranMs: number, why: object, message: string): Promise<void> {
    const pauseMs = pauseAfter(ranMs);
    log.error({ ...why, again_in_ms: pauseMs }, message);
    await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  const loop = (async () => {
    let runsSinceMs = performance.now();
    while (!stopping.signal.aborted) {
      if (current) {
        const { pid, ended } = current;
        const how = await ended;
        if (stopping.signal.aborted) return;
        current = null;
        await pause(
          performance.now() - runsSinceMs,
          { pid, how },
          'PostgreSQL ended unexpectedly; restarting it',
        );
        continue;
      }
      try {
        current = await start();
        runsSinceMs = performance.now();
        log.info({ pid: current.pid }, 'PostgreSQL is running again');
        // A stop during the start must not leave PostgreSQL running.
        if (stopping.signal.aborted) await current.stop();
      } catch (error) {
        await pause(0, { err: error }, 'PostgreSQL could not be started; trying again');
      }
    }
  })();

  return {
    pid: () => current?.pid ?? null,
    async stop() {
      stopping.abort();
      await current?.stop();
      await loop;
    },
  };
}

function once(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | null = null;
  return () => {
    result ??= action();
    return result;
  };
}
