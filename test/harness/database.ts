// A separate database for every test that asks: a clone of the migrated template, dropped at the end.
import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { openPool } from '#src/platform/db/pool.ts';
import type { DB } from '#src/platform/db/tables.ts';
import { databaseUrl, silent, startTestCluster, TEMPLATE, type TestCluster } from './cluster.ts';

/** Set by the global set-up of `npm test`; absent if a file runs alone. */
export const CLUSTER_VARIABLE = 'TOCSIN_TEST_CLUSTER';

let own: Promise<TestCluster> | null = null;
/**
 * Databases that are dropped when the next one is created; the last is left to the end of the cluster. Connections end a moment
 * after their pool is closed, and where DROP still finds one, it waits for a tenth of a second.
 */
const unused: string[] = [];
const closings: (() => Promise<void>)[] = [];
const lastClosings: (() => Promise<void>)[] = [];
after(async () => {
  await closeShared();
  for (const close of lastClosings.splice(0)) await close();
  await endAdmin();
});

/** Closes the things that the tests of a file shared, newest first. Also for a process that runs several files. */
export async function closeShared(): Promise<void> {
  for (const close of closings.splice(0).reverse()) await close();
  const stopping = own;
  if (stopping !== null) {
    unused.length = 0;
    await endAdmin();
  }
  own = null;
  await (await stopping?.catch(() => null))?.stop();
}

/** Closes something shared by all tests of a file after them, while the cluster still runs. */
export function closeAfterTests(close: () => Promise<void>): void {
  closings.push(close);
}

/** Closes something shared by all tests of a process after the last one. */
export function closeAfterAll(close: () => Promise<void>): void {
  lastClosings.push(close);
}

export type FreshDatabase = AsyncDisposable & {
  url: string;
  db: Kysely<DB>;
  pool: pg.Pool;
  connection: pg.ClientConfig;
};

/** `await using database = await freshDatabase()`: migrated, empty, with a pool of its own. */
export async function freshDatabase(options: { poolSize?: number } = {}): Promise<FreshDatabase> {
  const { url, drop } = await cloneDatabase(TEMPLATE);
  const opened = openPool({ url, log: silent, size: options.poolSize ?? 5 });
  return {
    url,
    db: opened.db,
    pool: opened.pool,
    connection: opened.connection,
    async [Symbol.asyncDispose]() {
      await opened.close();
      await drop();
    },
  };
}

/** An empty database without any schema, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<AsyncDisposable & { url: string }> {
  const { url, drop } = await cloneDatabase('template0');
  return { url, [Symbol.asyncDispose]: drop };
}

async function cloneDatabase(template: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const cluster = await clusterUrl();
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  // Copies its files: PostgreSQL's default, writing each of their pages to the log, takes five times as long.
  await asAdmin(cluster, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  for (const each of unused.splice(0)) await asAdmin(cluster, `DROP DATABASE ${each} WITH (FORCE)`);
  return {
    url: databaseUrl(cluster, name),
    drop: async () => {
      unused.push(name);
    },
  };
}

async function clusterUrl(): Promise<string> {
  const given = process.env[CLUSTER_VARIABLE];
  if (given) return given;
  own ??= startTestCluster();
  return (await own).url;
}

/** Creates and drops the databases of a process: a connection for each statement would cost as much as some of them. */
let admin: Promise<pg.Client> | null = null;

async function asAdmin(url: string, sql: string): Promise<void> {
  admin ??= connectAdmin(url);
  await (await admin).query(sql);
}

async function connectAdmin(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // The next statement connects again.
  client.on('error', () => {
    admin = null;
  });
  await client.connect();
  return client;
}

async function endAdmin(): Promise<void> {
  const ending = admin;
  admin = null;
  await (await ending?.catch(() => null))?.end();
}
