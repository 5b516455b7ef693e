// Migrations: numbered SQL files, forward only. All outstanding ones run in one transaction, with their rows in the ledger
// (docs/rules/upgrades.md#together-or-not-at-all).
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Log } from '../log.ts';
import { watchBackend } from './watch-backend.ts';

export const MIGRATIONS_DIR = join(import.meta.dirname, '../../../migrations');
/** A server that does not answer counts as unreachable after this. */
const CONNECTION_TIMEOUT_MS = 10_000;
const OLDEST_SERVER = 150_000;
/** Any fixed number; servers that start at the same time wait for each other on it. */
export const LOCK = 7_262_747;

/**
 * The longest that others wait behind a lock that a migration waits for; then the migration releases everything and starts
 * over.
 */
const LOCK_WITHIN_MS = 3_000;
const PAUSE_S = 1;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

export type Migration = {
  version: number;
  name: string;
  sql: string;
  checksum: string;
  /** Code of an older schema must not run beside it; null: the migration removes nothing. */
  needs: number | null;
};
export type Outstanding = {
  /** The last migration in the database. */
  from: LedgerRow;
  /** Of the database. */
  now: Date;
};
export type MigrateOptions = {
  dir?: string;
  atWork?: () => void;
  /** Runs before a database that is not new is changed, while no other server migrates; if it throws, nothing is changed. */
  before?: (outstanding: Outstanding) => Promise<void>;
  lookEveryMs?: number;
  connectWithinMs?: number;
  lockWithinMs?: number;
};
export type LedgerRow = { version: number; name: string; checksum: string };

/**
 * Brings the database to the newest schema and returns the names of the files it applied. Throws a sentence for the operator if
 * the server is older than PostgreSQL 15, if the database is newer than this code, if an applied file was changed afterwards,
 * or if a file fails; then nothing is changed. Calls `atWork` from time to time while PostgreSQL works, or while it waits for
 * another server that starts.
 */
export async function migrate(url: string, log: Log, options: MigrateOptions = {}): Promise<string[]> {
  const { dir = MIGRATIONS_DIR, atWork = () => undefined, lookEveryMs } = options;
  const { connectWithinMs = CONNECTION_TIMEOUT_MS, lockWithinMs = LOCK_WITHIN_MS } = options;
  const migrations = await readMigrations(dir);
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tocsin migrate',
    connectionTimeoutMillis: connectWithinMs,
  });
  client.on('error', () => undefined);
  await connect(client);
  let stopWatching: (() => void) | null = null;
  try {
    await checkServer(client);
    if (pending(migrations, await ledger(client)).length === 0) return [];
    stopWatching = watchBackend(client, url, { log, atWork, everyMs: lookEveryMs });
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const applied = await ledger(client);
    const todo = pending(migrations, applied);
    if (todo.length === 0) return [];
    const from = applied.at(-1);
    if (from) await options.before?.({ from, now: await readNow(client) });
    await makeLedger(client);
    while (!(await applyAll(client, todo, { log, lockWithinMs })))
      await client.query('SELECT pg_sleep($1)', [PAUSE_S]);
    return todo.map(({ name }) => name);
  } finally {
    stopWatching?.();
    await client.end().catch(() => undefined);
  }
}

/** The migrations of a folder in order. Throws if a name is not `0001_theme.sql` or a number is missing or duplicate. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
      if (Number(number) !== index + 1) {
        throw new Error(
          `migrations/${name} is out of line: files are called 0001_theme.sql, 0002_theme.sql and so on, and number ` +
            `${String(index + 1).padStart(4, '0')} comes next here.`,
        );
      }
      const sql = await readFile(join(dir, name), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { version: index + 1, name, sql, checksum, needs: needsOf(sql) };
    }),
  );
}

/** The number in `-- contracts: since 0056 …` (docs/rules/upgrades.md#what-a-migration-may-do); null without such a line. */
export function needsOf(sql: string): number | null {
  const number = /^-- contracts: since (\d{4}) \S/m.exec(sql)?.[1];
  return number === undefined ? null : Number(number);
}

/** A newer version than this one migrated the database. */
export class NewerSchema extends Error {}

/** The migrations still to apply. Throws if ledger and files disagree: `NewerSchema` if this version lacks one of the ledger. */
export function pending(migrations: readonly Migration[], applied: readonly LedgerRow[]): Migration[] {
  for (const row of applied) {
    const file = migrations[row.version - 1];
    if (!file) {
      throw new NewerSchema(
        `The database was migrated by a newer version of Tocsin (it has ${row.name}, this version ends at ` +
          `${migrations.at(-1)?.name ?? 'nothing'}). Start that version or a later one; nothing was changed.`,
      );
    }
    if (file.checksum !== row.checksum) {
      throw new Error(
        `migrations/${file.name} was changed after this database had applied it (then ${row.name}). Put the file back ` +
          'as it was and write a new migration for the change; nothing was changed.',
      );
    }
  }
  const known = new Set(applied.map(({ version }) => version));
  return migrations.filter(({ version }) => !known.has(version));
}

/** Creates the table of applied migrations if it is missing. */
export async function makeLedger(client: pg.Client): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
  // A server of another version may be reading the ledger, so it is locked only if something is missing.
  await client.query(`DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass AND attname = 'needs') THEN
      ALTER TABLE schema_migrations ADD COLUMN needs integer;
    END IF;
  END $$`);
}

/** Applies one migration and writes its row in the ledger, inside the caller's transaction. */
export async function applyInside(client: pg.Client, migration: Migration): Promise<void> {
  // The row comes first: if another server has applied the file after all, this insert fails before any harm is done.
  await client.query(
    'INSERT INTO schema_migrations (version, name, checksum, needs) VALUES ($1, $2, $3, $4)',
    [migration.version, migration.name, migration.checksum, migration.needs],
  );
  await client.query(migration.sql);
}

/** Applies all of them or none; false if a lock was not available for now. */
async function applyAll(
  client: pg.Client,
  todo: readonly Migration[],
  { log, lockWithinMs }: { log: Log; lockWithinMs: number },
): Promise<boolean> {
  let current: Migration | undefined;
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockWithinMs}`);
    for (current of todo) {
      await applyInside(client, current);
      log.debug({ migration: current.name }, 'migration applied');
    }
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const { code = '' } = error as { code?: string };
    if (current && [LOCK_NOT_AVAILABLE, DEADLOCK].includes(code)) {
      log.info({ migration: current.name }, 'a table is in use; the migrations start over');
      return false;
    }
    throw new Error(failureOf(current ?? todo[0], error), { cause: error });
  }
}

const failureOf = (migration: Migration | undefined, error: unknown) =>
  `migrations/${migration?.name} failed and was rolled back: ${describe(error, migration?.sql ?? '')}. Nothing was changed: the ` +
  'migrations of an upgrade are applied together or not at all. Go on with the version that you had, which runs on this ' +
  'database as before; or remove the cause, and start this version again. If the reason names nothing that you can ' +
  'change, report it with this message.';

/** The database's clock. */
export async function readNow(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT now() AS now');
  return rows[0]!.now;
}

/** Message of a database error, with the line of the file if PostgreSQL gives a position. */
function describe(error: unknown, sql: string): string {
  const { message, position } = error as { message: string; position?: string };
  return position ? `${message} (line ${sql.slice(0, Number(position)).split('\n').length})` : message;
}

/** The applied migrations in order; none if the database has no schema yet. Not for use inside a transaction. */
export async function ledger(client: Pick<pg.Client, 'query'>): Promise<LedgerRow[]> {
  try {
    const { rows } = await client.query<LedgerRow>(
      'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
    );
    return rows;
  } catch (error) {
    const undefinedTable = '42P01';
    if ((error as { code?: string }).code === undefinedTable) return [];
    throw error;
  }
}

/** Connects, or throws a sentence for the operator. */
export async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    throw new Error(
      `The database at ${placeOf(client)} does not answer: ${message || code}. Check that PostgreSQL runs and that DATABASE_URL names its ` +
        'address, user, password and database.',
      { cause: error },
    );
  }
}

/** Never the user or the password. */
const placeOf = ({ host, port }: pg.Client) =>
  host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
  );
  const { number, version } = rows[0]!;
  if (number < OLDEST_SERVER) {
    throw new Error(
      `Tocsin needs PostgreSQL 15 or newer; the server of DATABASE_URL is ${version}. Upgrade it, or leave DATABASE_URL ` +
        'unset to use the bundled one.',
    );
  }
}
