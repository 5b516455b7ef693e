// The connection pool and the query builder over it: everything the server asks PostgreSQL goes through here.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { FairPool } from './fair-pool.ts';
import { type Gate, gateOf } from './gate.ts';
import { PreparingClient } from './preparing-client.ts';
import type { DB } from './tables.ts';
import { transactionsOf } from './transaction.ts';

export type DatabasePool = {
  db: Kysely<DB>;
  /** The same connections, for libraries that want a pg pool (graphile-worker, better-auth). */
  pool: pg.Pool;
  /** Settings for a separate connection (LISTEN), with the pool's types and time limits. */
  connection: pg.ClientConfig;
  /** Closed while the database is away. */
  gate: Gate;
  /** Calls `act` whenever the database refuses a statement with 53100 (disk_full). */
  onDiskFull(act: () => void): void;
  /** Waits for connections in use, then closes all. */
  close(): Promise<void>;
};

/** SQLSTATE. */
const DISK_FULL = '53100';
const INT8 = 20;
const DATE = 1082;

/**
 * bigint arrives as a number, and a value beyond 2^53 fails the query rather than losing digits. timestamptz arrives
 * as a Date. date stays the text YYYY-MM-DD: a Date would move it by the machine's zone. numeric stays text.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 && format !== 'binary') return safeInteger;
    if (oid === DATE && format !== 'binary') return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as pg.CustomTypesConfig['getTypeParser'],
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`bigint ${text} does not fit into a JavaScript number`);
  return value;
}

/**
 * Opens the pool; connects lazily. Statements that are issued without waiting for each other are pipelined and run in
 * the order they were issued. Limits: 10 s for a statement, 5 s for a lock, 30 s for an idle transaction, and 12 s for a
 * server that does not answer at all.
 */
export function openPool(options: { url: string; log: Log; size?: number; name?: string }): DatabasePool {
  const connection: pg.ClientConfig = {
    connectionString: options.url,
    application_name: options.name ?? 'tocsin',
    types: columnTypes,
    statement_timeout: 10_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
    query_timeout: 12_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
  // The library's types know neither `pipeline` nor `Client` yet.
  const settings = { ...connection, pipeline: true, Client: PreparingClient };
  const pool = new FairPool({
    ...settings,
    max: options.size ?? 10,
    idleTimeoutMillis: 30_000,
  } as pg.PoolConfig & { max: number });
  // An unhandled connection error (PostgreSQL restarted) would end the process. Idle connections report to the pool;
  // those in use report to themselves, and their query fails anyway.
  let logged = false;
  const onDiskFull: (() => void)[] = [];
  let closed: Promise<void> | null = null;
  pool.on('error', (error) => {
    if (!logged)
      options.log.warn({ reason: error.message }, 'the database cut its connections; new ones are made');
    logged = true;
  });
  pool.on('connect', (client) => {
    logged = false;
    client.on('error', () => undefined);
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === DISK_FULL) for (const act of onDiskFull) act();
    });
  });
  const gate = gateOf(pool);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  transactionsOf(db, pool);
  return {
    db,
    pool,
    connection,
    gate,
    onDiskFull: (act) => void onDiskFull.push(act),
    close() {
      // Not db.destroy(): the query builder leaves a pool open that it was never asked to use.
      closed ??= pool.end();
      return closed;
    },
  };
}
