// The cluster of the tests: one for a whole `npm test`, or a separate one for a test file that runs alone.
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedDatabase, startEmbedded } from '#src/platform/db/embedded.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { makePartitions } from '#src/platform/db/partitions.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { migrateJobs } from '#src/platform/jobs/runner.ts';
import { createLog } from '#src/platform/log.ts';
import { PARTITIONED } from '#src/retention.ts';
import { postgresProcesses } from './bundled-postgres.ts';

export const TEMPLATE = 'tocsin_template';
const MEMORY_DISK = '/dev/shm';
/** Several times the connections that the databases of all shards need at a time. */
const ROOM = 4 * 1024 ** 3;
export const silent = createLog('silent');

export type TestCluster = {
  url: string;
  dataDir: string;
  stop(): Promise<void>;
  /** All of its processes. */
  processes(): Promise<number[]>;
};

/** A cluster that dies with the tests needs no durability, and databases that live for seconds no vacuum. */
export const UNSAFE = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
  autovacuum: 'off',
};

/**
 * Starts a cluster in a temporary folder with a migrated template database. Durability is off: it dies with the tests.
 * `settings`: PostgreSQL settings that differ from the bundled ones.
 */
export async function startTestCluster(settings: Record<string, string> = {}): Promise<TestCluster> {
  const dataDir = await mkdtemp(join(await quickFolder(), 'tocsin-test-'));
  let embedded: EmbeddedDatabase | null = null;
  const stop = async () => {
    await embedded?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    embedded = await startEmbedded({
      dataDir,
      log: silent,
      settings: { ...UNSAFE, ...settings },
    });
    await prepareTemplate(embedded.url);
    return { url: embedded.url, dataDir, stop, processes: () => postgresProcesses(dataDir) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The memory disk, if it has room: hundreds of databases are copied and dropped, for which a file system on a real disk writes
 * its journal.
 */
export async function quickFolder(): Promise<string> {
  const disk = await statfs(MEMORY_DISK).catch(() => null);
  const free = disk ? Math.min(disk.bavail * disk.bsize, process.availableMemory()) : 0;
  return free >= ROOM ? MEMORY_DISK : tmpdir();
}

/** URL of another database of the same cluster. */
export function databaseUrl(clusterUrl: string, database: string): string {
  return clusterUrl.replace(/\/[^/]*$/, `/${database}`);
}

async function prepareTemplate(clusterUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: clusterUrl });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${TEMPLATE}`);
    await migrateDatabase(databaseUrl(clusterUrl, TEMPLATE));
    await admin.query(`ALTER DATABASE ${TEMPLATE} IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  } finally {
    await admin.end();
  }
}

/** The schema, and the partitions of today, which every application would create at its start. */
export async function migrateDatabase(url: string): Promise<void> {
  await migrate(url, silent);
  const { db, pool, close } = openPool({ url, log: silent, size: 1 });
  try {
    await migrateJobs(pool, silent);
    await makePartitions(db, PARTITIONED, new Date());
  } finally {
    await close();
  }
}
