// A temporary empty database beside ours, on the same server.
import { randomBytes } from 'node:crypto';
import pg from 'pg';

const INSUFFICIENT_PRIVILEGE = '42501';
const PREFIX = 'tocsin_plan_';

/**
 * Runs `act` on an empty database, and drops that database in any case. Drops one that a killed process left, too. Throws a
 * sentence for the operator if the role may not create databases.
 */
export async function withEmptyDatabase<T>(
  beside: pg.Client,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  await dropUnused(beside);
  const name = `${PREFIX}${randomBytes(4).toString('hex')}`;
  await create(beside, name);
  try {
    const { host, port, user, password, ssl } = beside;
    const client = new pg.Client({
      ...{ host, port, user, password, ssl, database: name },
      application_name: 'tocsin migrate (plan)',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await act(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  } finally {
    await beside.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

async function create(beside: pg.Client, name: string): Promise<void> {
  try {
    await beside.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    const role = pg.escapeIdentifier(beside.user ?? '');
    throw new Error(
      'The plan is tried out on an empty database beside yours, which is dropped afterwards, and the role of DATABASE_URL ' +
        `may not create one. Let an administrator run ALTER ROLE ${role} CREATEDB (and NOCREATEDB afterwards), and try ` +
        'again. Nothing was changed.',
      { cause: error },
    );
  }
}

/** Without force, so that a database which another plan uses stays. */
async function dropUnused(beside: pg.Client): Promise<void> {
  const { rows } = await beside.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname ~ '^${PREFIX}[0-9a-f]{8}$'
      AND datdba = (SELECT oid FROM pg_roles WHERE rolname = current_user)
      AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = pg_database.datname)`,
  );
  for (const { name } of rows) await beside.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => undefined);
}
