// Transactions whose independent statements are pipelined.
//
// The query builder's own transactions run one statement at a time, and statements that were still waiting when one
// failed would run outside of the transaction. Here every statement is sent as it is issued, and the transaction ends
// only after all of them have been answered.
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import { askingAsSystem } from './asker.ts';
import type { PreparingClient } from './preparing-client.ts';
import type { DB } from './tables.ts';

declare const insideTransaction: unique symbol;
/** The database inside one transaction. */
export type Tx = Kysely<DB> & { readonly [insideTransaction]: true };

type Source = { pool: pg.Pool; settings: readonly string[] };

const sources = new WeakMap<Kysely<DB>, Source>();

/** Registers the pool that a database's transactions take connections from, and settings that each begins with. */
export function transactionsOf(db: Kysely<DB>, pool: pg.Pool, settings: readonly string[] = []): void {
  sources.set(db, { pool, settings });
}

export type TransactionOptions = {
  /**
   * Its statements are prepared at first sight, find their rows by index one by one, and are planned once per connection,
   * whatever their parameters are. For small units of work that run often or that somebody waits for, because planning takes
   * longer than running. Such a plan is good both for an empty table and for the same table with 50,000 rows.
   */
  keepPlans?: boolean;
  /**
   * Its statements are prepared and planned ahead of time on a connection that has not run them yet (keep-ready.ts). For rare
   * work that must be fast all the same, together with `keepPlans`.
   */
  keepReady?: boolean;
  /** False: the commit does not wait for the disk. For changes that a crash of the database may forget. */
  durable?: boolean;
};

const KEPT_PLANS = [
  'plan_cache_mode = force_generic_plan',
  ...['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((way) => `enable_${way} = off`),
];
/** The statements that begin a transaction. `settings`: those that each begins with, as `name = value`. */
export function beginIn(
  { keepPlans = false, durable = true }: TransactionOptions,
  settings: readonly string[],
): string[] {
  const all = [
    ...settings,
    ...(keepPlans ? KEPT_PLANS : []),
    ...(durable ? [] : ['synchronous_commit = off']),
  ].map((setting) => {
    const [name, value] = setting.split(' = ');
    return `set_config('${name}', '${value}', true)`;
  });
  // One statement instead of seven, which can be prepared.
  return all.length === 0 ? [BEGIN] : [BEGIN, `SELECT ${all.join(', ')}`];
}

const BEGIN = 'begin';

/** Where transactions on a database take their connections from. */
export function sourceOf(db: Kysely<DB>): Source {
  const source = sources.get(db);
  if (!source) throw new Error('this database was not opened by openPool');
  return source;
}

/**
 * Runs `act` in a transaction: committed when it resolves, rolled back when it throws, never half. Rejects with what `act` throws; with
 * the first error of a statement if that is only its consequence.
 */
export async function inTransaction<T>(
  db: Kysely<DB>,
  act: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const source = sourceOf(db);
  const client = (await source.pool.connect()) as pg.PoolClient &
    Pick<PreparingClient, 'atFirstSight' | 'inTransaction' | 'hasUnsent' | 'keepsReady' | 'control'>;
  client.atFirstSight = options.keepPlans === true;
  client.keepsReady = options.keepReady === true;
  client.inTransaction = true;
  client.hasUnsent = false;
  const connection = new PipelinedConnection(client);
  let broken: Error | undefined;
  try {
    // Not awaited: the statements that follow are sent right behind it and fail with it.
    // Without a transaction, what follows would be committed statement by statement.
    for (const statement of beginIn(options, source.settings))
      connection.control(statement).catch(() => connection.end());
    const tx = kyselyOver(connection);
    // The holder of a connection must not wait for another tenant's turn.
    const result = await askingAsSystem(() => act(tx));
    await connection.commit();
    return result;
  } catch (error) {
    const first = await connection.settled().then(
      () => error,
      (failed: unknown) => failed,
    );
    connection.end();
    if (!connection.rolledBack)
      await client.query('rollback').catch((failed: Error) => {
        broken = failed;
      });
    // Nothing failed before it: something has taken the session's prepared statements away.
    if (codeOf(first) === NOT_PREPARED) broken ??= first as Error;
    throw isFollowing(error) ? first : error;
  } finally {
    client.atFirstSight = false;
    client.keepsReady = false;
    client.inTransaction = false;
    // A connection that cannot even roll back is not reused.
    client.release(broken);
  }
}

/** Whether a statement failed only because one before it had: whoever did not wait for that one knows nothing of its error. */
const isFollowing = (error: unknown): boolean => FOLLOWING.has(codeOf(error));
/** SQLSTATE: the statement is not prepared, which may be because that was skipped. */
const NOT_PREPARED = '26000';
/** The transaction has failed. */
const ABORTED = '25P02';
const FOLLOWING = new Set([ABORTED, NOT_PREPARED]);

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';

/** Whether an error is nearer to the cause than the one that is known so far. */
const saysMore = (error: unknown, known: unknown): boolean =>
  known === undefined ||
  (isFollowing(known) && !isFollowing(error)) ||
  (codeOf(known) === ABORTED && codeOf(error) === NOT_PREPARED);

type Client = pg.PoolClient & Pick<PreparingClient, 'control' | 'hasUnsent'>;

class PipelinedConnection implements DatabaseConnection {
  readonly #client: Client;
  readonly #outstanding = new Set<Promise<unknown>>();
  #failed: unknown;
  #over = false;
  /** Its commit has rolled back. */
  rolledBack = false;

  constructor(client: Client) {
    this.#client = client;
  }

  issue(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    // The connection may belong to another transaction by now.
    if (this.#over) return Promise.reject(this.#failed ?? new Error('the transaction is over'));
    const answer = this.#client.query(text, values as unknown[]);
    this.#watch(answer);
    return answer;
  }

  /** Issues a statement that begins, sets up or ends the transaction. */
  control(text: string): Promise<pg.QueryResult> {
    const answer = this.#client.control(text);
    this.#watch(answer);
    return answer;
  }

  #watch(answer: Promise<unknown>): void {
    const watched: Promise<unknown> = answer.then(
      () => this.#outstanding.delete(watched),
      (error: unknown) => {
        this.#outstanding.delete(watched);
        // A statement that was skipped may say so sooner than the one that failed.
        if (saysMore(error, this.#failed)) this.#failed = error;
      },
    );
    this.#outstanding.add(watched);
  }

  /** From now on no statement is issued. */
  end(): void {
    this.#over = true;
  }

  /** Waits until every statement is answered; throws the first error, even one that a caller has handled. */
  async settled(): Promise<void> {
    while (this.#outstanding.size > 0) await Promise.all(this.#outstanding);
    if (this.#failed !== undefined) throw this.#failed;
  }

  /**
   * Commits right behind statements that are not answered yet; none is issued from now on. Throws the first error of all of
   * them. After a failed statement PostgreSQL rolls back instead, and says so. It knows nothing of values that cannot be sent and of
   * an answer that cannot be read: then no commit is sent.
   */
  async commit(): Promise<void> {
    const isDoomed = this.#failed !== undefined || this.#client.hasUnsent;
    const answer = isDoomed ? null : this.control('commit');
    this.end();
    const ended = await answer?.catch(() => null);
    this.rolledBack = ended?.command === 'ROLLBACK';
    await this.settled();
    if (!ended || this.rolledBack) throw new Error('the transaction was rolled back');
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.issue(sql, parameters);
    const affects =
      command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
    return affects ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  // biome-ignore lint/correctness/useYield: cursors do not work with pipelining.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows cannot be streamed inside a transaction');
  }
}

const nothing = async () => {};
const DRIVER: Driver = {
  init: nothing,
  acquireConnection: () => Promise.reject(new Error('a transaction has one connection')),
  releaseConnection: nothing,
  beginTransaction: () => Promise.reject(new Error('transactions do not nest')),
  commitTransaction: nothing,
  rollbackTransaction: nothing,
  destroy: nothing,
};
const ADAPTER = new PostgresAdapter();
const COMPILER = new PostgresQueryCompiler();
const DIALECT: Dialect = {
  createAdapter: () => ADAPTER,
  createDriver: () => DRIVER,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => COMPILER,
};

/** Passes statements on. The library's way to a connection is several promises long, each of which a statement would wait for. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    super(COMPILER, ADAPTER, { provideConnection: (consumer) => consumer(connection) });
    this.#connection = connection;
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.executeQuery<R>(query);
  }
}

/**
 * A query builder on this one connection. It issues a statement at once, where that of a pool first waits for its driver and a
 * connection.
 */
function kyselyOver(connection: DatabaseConnection): Tx {
  const executor = new DirectExecutor(connection);
  return new Kysely<DB>({ config: { dialect: DIALECT }, dialect: DIALECT, driver: DRIVER, executor }) as Tx;
}
