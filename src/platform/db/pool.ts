// The connection pool and the query builder over it: every query of the server goes through here.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { READ_ONLY } from './away.ts';
import { FairPool } from './fair-pool.ts';
import { type Gate, gateOf } from './gate.ts';
import type { Pooler } from './pooler.ts';
import { PreparingClient } from './preparing-client.ts';
import type { DB } from './tables.ts';
import { transactionsOf } from './transaction.ts';

export type DatabasePool = {
  db: Kysely<DB>;
  /** The same connections, for libraries that need a pg pool (better-auth). */
  pool: pg.Pool;
  /** Connections that keep their session between transactions, for LISTEN and locks (graphile-worker). */
  sessions: pg.Pool;
  /** Settings for a separate connection (LISTEN), with the pool's types and time limits. */
  connection: pg.ClientConfig;
  /** Closed while the database is away. */
  gate: Gate;
  /** Calls `act` whenever the database refuses a statement with 53100 (disk_full). */
  onDiskFull(act: () => void): void;
  /** Waits for connections in use, then closes all. */
  close(): Promise<void>;
};

/** Time limits for a statement, a wait for a lock, and an idle transaction. */
const LIMITS_MS = {
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
};
/** For the job queue, if it cannot use the pool. */
const SESSIONS = 5;

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
 * Opens the pool; connects lazily. Statements that are issued without waiting for each other are pipelined and run in the order
 * they were issued. Limits: 10 s for a statement, 5 s for a lock, 30 s for an idle transaction, and 12 s for a server that does
 * not answer at all. A pooler takes no such settings with a connection; behind one, the first three apply within transactions.
 */
export function openPool(options: {
  url: string;
  log: Log;
  size?: number;
  name?: string;
  pooler?: Pooler | null;
  /** Time limits for a statement and for connecting, in milliseconds. */
  limits?: { statementMs: number; connectMs: number };
  /** Checks a new connection, and throws if it must not be used. */
  verify?: (ask: <Row>(statement: string) => Promise<Row | undefined>) => Promise<void>;
}): DatabasePool {
  const { pooler = null, limits: given, verify } = options;
  const usual: pg.ClientConfig = {
    application_name: options.name ?? 'tocsin',
    types: columnTypes,
    query_timeout: (given?.statementMs ?? LIMITS_MS.statement_timeout) + 2_000,
    connectionTimeoutMillis: given?.connectMs ?? 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
  const limitsMs = { ...LIMITS_MS, ...(given ? { statement_timeout: given.statementMs } : {}) };
  const connection = { ...usual, ...limitsMs, connectionString: pooler?.directUrl ?? options.url };
  const pooled = pooler ? { ...usual, connectionString: options.url } : connection;
  // The library's types do not have `pipeline`, `Client` and `verify` yet.
  const settings = {
    ...pooled,
    pipeline: true,
    Client: PreparingClient,
    ...(verify ? { verify: asks(verify) } : {}),
  };
  const pool = new FairPool({
    ...settings,
    max: options.size ?? 10,
    // A connection takes 5 to 10 MB of PostgreSQL's memory; the jobs of a minute need several for a moment.
    idleTimeoutMillis: 10_000,
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
    const preparing = client as unknown as PreparingClient;
    preparing.prepares = pooler?.keepsStatements ?? true;
    preparing.isDirect = pooler === null;
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === DISK_FULL) for (const act of onDiskFull) act();
      // The next connection finds the new primary; this one would be refused for as long as it lives.
      if (code === READ_ONLY) (client as unknown as pg.Client).end().catch(() => undefined);
    });
  });
  const gate = gateOf(pool);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const limits = Object.entries(limitsMs).map(([name, ms]) => `${name} = ${ms}`);
  transactionsOf(db, pool, pooler ? limits : []);
  const sessions = pooler ? new pg.Pool({ ...connection, max: SESSIONS }) : pool;
  if (sessions !== pool) sessions.on('error', () => undefined);
  return {
    db,
    pool,
    sessions,
    connection,
    gate,
    onDiskFull: (act) => void onDiskFull.push(act),
    close() {
      // Not db.destroy(): it leaves the pool open if the query builder was never used.
      closed ??= Promise.all([...new Set([pool, sessions])].map((each) => each.end())).then(() => undefined);
      return closed;
    },
  };
}

/** The shape that the library expects. */
const asks =
  (verify: NonNullable<Parameters<typeof openPool>[0]['verify']>) =>
  (client: pg.ClientBase, done: (error?: Error) => void): void => {
    verify(async <Row>(statement: string) => (await client.query(statement)).rows[0] as Row | undefined).then(
      () => done(),
      (error: Error) => done(error),
    );
  };
