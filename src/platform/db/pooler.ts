// A connection pooler in front of PostgreSQL, such as PgBouncer in transaction mode: each transaction may get another session.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connect } from './migrate.ts';

/** Queries go to the database through a pooler. */
export type Pooler = {
  /** Address past the pooler, for connections that need a session of their own. */
  directUrl: string;
  /** Whether the pooler prepares statements again on sessions that do not have them. */
  keepsStatements: boolean;
};

const ANSWER_WITHIN_MS = 10_000;

/**
 * The pooler in front of `url`, if `directUrl` leads past one; null if there is none. Asks it once. Throws a sentence for the
 * operator if the two lead to different databases.
 */
export async function findPooler(url: string, directUrl: string | null): Promise<Pooler | null> {
  if (directUrl === null || directUrl === url) return null;
  const [pooled, direct] = [url, directUrl].map((address) => {
    const client = new pg.Client({
      connectionString: address,
      application_name: 'tocsin',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    });
    client.on('error', () => undefined);
    return client;
  }) as [pg.Client, pg.Client];
  try {
    await Promise.all([connect(pooled), connect(direct)]);
    for (const client of [pooled, direct]) await client.query('BEGIN');
    await demandSameDatabase(pooled, direct);
    return { directUrl, keepsStatements: await keepsStatements(pooled) };
  } finally {
    await Promise.all([pooled, direct].map((client) => client.end().catch(() => undefined)));
  }
}

/** An advisory lock belongs to one database: if one transaction holds it there, no other can take it. */
async function demandSameDatabase(pooled: pg.Client, direct: pg.Client): Promise<void> {
  const lock = randomBytes(6).readUIntBE(0, 6);
  await direct.query(`SELECT pg_advisory_xact_lock(${lock})`);
  const { rows } = await pooled.query(`SELECT pg_try_advisory_xact_lock(${lock}) AS free`);
  if (rows[0]?.free)
    throw new Error(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases. Let both lead to the same one, the first through the ' +
        'connection pooler and the second past it; nothing was changed.',
    );
}

/**
 * A pooler that tracks prepared statements for its clients (PgBouncer since 1.21) prepares them under names of its own, so two
 * clients may use the same name. Another pooler passes the client's name on. Tested in a transaction, which has one session.
 */
async function keepsStatements(pooled: pg.Client): Promise<boolean> {
  const name = `tocsin_${randomBytes(8).toString('hex')}`;
  await pooled.query({ name, text: 'SELECT $1::int', values: [1] });
  const { rowCount } = await pooled.query(
    `SELECT FROM pg_prepared_statements WHERE name = ${pg.escapeLiteral(name)}`,
  );
  if (rowCount === 0) return true;
  // Other clients get this session later.
  await pooled.query(`DEALLOCATE ${name}`);
  return false;
}
