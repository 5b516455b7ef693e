// Opens the installation's database for a command: the one of DATABASE_URL, the bundled one of a running server, or the
// bundled one, started for the duration of the command.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import {
  type Config,
  type GivenConfig,
  loadExistingConfig,
  readConfig,
  startedByNpm,
} from '../config/config.ts';
import { clusterMajor } from '../platform/db/embedded/cluster-dir.ts';
import { DataDirInUse } from '../platform/db/embedded/guard.ts';
import { runningUrl } from '../platform/db/embedded/running.ts';
import { startEmbedded } from '../platform/db/embedded.ts';
import { connect, ledger, MIGRATIONS_DIR, pending, readMigrations, readNow } from '../platform/db/migrate.ts';
import { type DatabasePool, openPool } from '../platform/db/pool.ts';
import { createLog, type Log } from '../platform/log.ts';
import { openVault, type Vault } from '../platform/secrets.ts';
import type { Actor } from '../platform/work.ts';
import { listenForSignals } from '../supervise/signals.ts';

const CONNECT_WITHIN_MS = 10_000;

/** Anybody who can open the installation is its operator. */
export const OPERATOR: Actor = { kind: 'operator', id: null, name: 'command line', address: null };

export type OpenedDatabase = {
  url: string;
  log: Log;
  /** The one instant of the command, by the database's clock: what it writes is measured by servers that go by it. */
  now: Date;
  /** Aborted by Ctrl-C: the command ends, and leaves nothing half done. */
  stop: AbortSignal;
};

export type OpenedInstallation = OpenedDatabase & {
  config: Config;
  /** Whether SECRET_KEY comes from the environment; else it is in DATA_DIR. */
  keyIsGiven: boolean;
  vault: Vault;
  database: DatabasePool;
};

/**
 * Runs `act` on the database of an existing installation with the schema of this version, alongside its server if one
 * runs. Throws a sentence for the operator if there is none, or if it has another version.
 */
export async function withInstallation<T>(act: (opened: OpenedInstallation) => Promise<T>): Promise<T> {
  const given = readConfig();
  return withDatabase(given, 'existing', async (opened) => {
    await checkSchema(opened.url);
    const config = loadExistingConfig();
    const database = openPool({ url: opened.url, log: opened.log, size: 3, name: 'tocsin command' });
    try {
      const vault = openVault(config.secretKey, config.earlierSecretKeys);
      return await act({ ...opened, config, keyIsGiven: given.secretKey !== null, vault, database });
    } finally {
      await database.close();
    }
  });
}

/**
 * Runs `act` on the database, whatever its content. `existing`: it must exist, and a server may run on it; `own`: it is
 * created if missing, and no server may run on it.
 */
export async function withDatabase<T>(
  config: GivenConfig,
  which: 'existing' | 'own',
  act: (opened: OpenedDatabase) => Promise<T>,
): Promise<T> {
  const log = createLog(config.logLevel);
  let lastResort: () => void = () => undefined;
  const signals = listenForSignals(() => lastResort(), startedByNpm());
  try {
    const place = await openPlace(config, which, log);
    lastResort = place.kill;
    try {
      signals.signal.throwIfAborted();
      return await act({
        url: place.url,
        log,
        now: await connected(place.url, readNow),
        stop: signals.signal,
      });
    } finally {
      await place.close();
    }
  } catch (error) {
    if (signals.signal.aborted) throw new Error('Interrupted; nothing was done.', { cause: error });
    throw error;
  } finally {
    signals.dispose();
  }
}

type Place = { url: string; close: () => Promise<void>; kill: () => void };

async function openPlace(config: GivenConfig, which: 'existing' | 'own', log: Log): Promise<Place> {
  const { dataDir } = config;
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const nothingToStop = { close: async () => undefined, kill: () => undefined };
  if (databaseUrl) return { url: databaseUrl, ...nothingToStop };
  if (which === 'existing' && (await clusterMajor(join(dataDir, 'postgres'))) === null)
    throw new Error(
      `There is no installation in ${dataDir}. Set DATA_DIR to the folder of yours (or DATABASE_URL and SECRET_KEY).`,
    );
  try {
    const embedded = await startEmbedded({ dataDir, log });
    const kill = () => {
      const pid = embedded.pid();
      if (pid) process.kill(pid, 'SIGINT');
    };
    return { url: embedded.url, close: () => embedded.stop(), kill };
  } catch (error) {
    if (!(error instanceof DataDirInUse) || which === 'own') throw error;
    return { url: await runningUrl(await realpath(dataDir)), ...nothingToStop };
  }
}

async function checkSchema(url: string): Promise<void> {
  const { applied, missing } = await readSchema(url);
  if (applied === 0) throw new Error('This database is empty. Start the server once: tocsin serve');
  const [next] = missing;
  if (next !== undefined)
    throw new Error(
      `The database has the schema of an older version of Tocsin (${next} and later migrations are missing). Stop its servers, ` +
        'run tocsin migrate, and try again.',
    );
}

/**
 * How many migrations a database has, and the names of those it lacks. Throws a sentence for the operator where it does not
 * answer, and where another version of Tocsin made its schema.
 */
export async function readSchema(url: string): Promise<{ applied: number; missing: string[] }> {
  const applied = await connected(url, ledger);
  const missing = pending(await readMigrations(MIGRATIONS_DIR), applied);
  return { applied: applied.length, missing: missing.map(({ name }) => name) };
}

/** What `ask` reads over a connection of its own. Throws a sentence for the operator where the database does not answer. */
async function connected<T>(url: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tocsin command',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  client.on('error', () => undefined);
  await connect(client);
  try {
    return await ask(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
