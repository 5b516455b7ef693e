// Prepares the database for a backup: the backup's schema, empty. All of it happens inside the restore's one transaction.
import pg from 'pg';
import { applyInside, type LedgerRow, type Migration, makeLedger } from '../platform/db/migrate.ts';
import { type Partitioned, partitionOf } from '../platform/db/partitions.ts';
import { readTables } from './catalog.ts';
import { BackupDamaged } from './entries.ts';
import type { Header } from './format.ts';

/** The migrations that the backup has seen. Throws where it was made by a newer or a different Tocsin. */
export function migrationsOf(header: Header, files: readonly Migration[]): readonly Migration[] {
  const newest = header.migrations.at(-1);
  if (!newest) throw new BackupDamaged('it names no schema');
  if (newest.version > files.length)
    throw new Error(
      `The backup was made by a newer Tocsin (${header.tocsin_version}, schema ${newest.name}; this one ends at ` +
        `${files.at(-1)?.name ?? 'nothing'}). Restore it with that version or a later one. Nothing was changed.`,
    );
  const seen = files.slice(0, newest.version);
  const other = seen.find(
    (file, index) =>
      header.migrations[index]?.checksum !== file.checksum ||
      header.migrations[index]?.version !== file.version,
  );
  if (other || header.migrations.length !== seen.length)
    throw new Error(
      `The backup was made by a Tocsin whose schema is not that of this one (${other?.name ?? newest.name}). Restore it ` +
        'with the version that made it. Nothing was changed.',
    );
  return seen;
}

/**
 * Brings the database to the schema of the backup and empties it. Refuses one with people in it, one that is in use,
 * and one that has a newer schema than the backup.
 */
export async function prepareSchema(
  client: pg.Client,
  applied: readonly LedgerRow[],
  wanted: readonly Migration[],
): Promise<void> {
  await makeLedger(client);
  if (applied.length > 0) await refuseUnlessNew(client);
  if (applied.length > wanted.length)
    throw new Error(
      `The backup is of an older Tocsin (schema ${wanted.at(-1)?.name}), and this database has a newer one already ` +
        `(${applied.at(-1)?.name}). Restore into a DATA_DIR or database that no server has been started on yet; the ` +
        'schema is brought up to date afterwards. Nothing was changed.',
    );
  for (const migration of wanted.slice(applied.length)) await applyInside(client, migration);
}

async function refuseUnlessNew(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ users: boolean; served: boolean }>(`
    SELECT EXISTS (SELECT FROM users) AS users, EXISTS (
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'tocsin' AND pid <> pg_backend_pid()) AS served`);
  if (rows[0]?.users)
    throw new Error(
      'This installation has people in it already. A backup is restored into a new one only: take another DATA_DIR, or ' +
        'a new database in DATABASE_URL. Nothing was changed.',
    );
  if (rows[0]?.served)
    throw new Error('A Tocsin server is running on this database. Stop it first. Nothing was changed.');
}

/** Checks that backup and database have the same tables, empties them and makes the partitions of the backup. */
export async function prepareTables(
  client: pg.Client,
  header: Header,
  spans: readonly Partitioned[],
): Promise<void> {
  const describe = (tables: readonly { name: string; columns: readonly string[] }[]) =>
    tables.map(({ name, columns }) => `${name}(${[...columns].sort().join(',')})`).sort();
  const existing = await readTables(client);
  const known = new Set(describe(existing));
  const stranger = describe(header.tables).find((table) => !known.has(table));
  if (stranger || header.tables.length !== existing.length)
    throw new BackupDamaged(`its tables are not those of its schema${stranger ? ` (${stranger})` : ''}`);

  await client.query(`TRUNCATE ${header.tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
  for (const { name, partitions } of header.tables)
    for (const suffix of partitions ?? []) await client.query(partitionStatement(name, suffix, spans));
}

function partitionStatement(table: string, suffix: string, spans: readonly Partitioned[]): string {
  const partitioned = spans.find((entry) => entry.table === table);
  const [year, month, day] = [suffix.slice(0, 4), suffix.slice(4, 6), suffix.slice(6) || '01'];
  const from = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (partitioned && !Number.isNaN(from.getTime())) {
    const { name, create } = partitionOf(partitioned, from);
    if (name === `${table}_${suffix}`) return create;
  }
  throw new BackupDamaged(`it names a partition ${suffix} of ${table}, which there cannot be`);
}
