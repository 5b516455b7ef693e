// Restores a backup into a new installation: everything in one transaction, checked before it is committed.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Static, type TSchema, Type } from 'typebox';
import { applyInside, connect, ledger, MIGRATIONS_DIR, readMigrations } from '../platform/db/migrate.ts';
import type { Partitioned } from '../platform/db/partitions.ts';
import { PLAIN_SESSION } from '../platform/db/snapshot.ts';
import { problemOf } from '../platform/http/validate.ts';
import { keysIn } from '../platform/secret-key-file.ts';
import { type Opening, openedFile } from './encryption.ts';
import { BackupDamaged, type Entries, openEntries } from './entries.ts';
import {
  CHECKSUMS_ENTRY,
  Checksums,
  FORMAT,
  HEADER_ENTRY,
  Header,
  KEY_ENTRY,
  type Summary,
} from './format.ts';
import { keysToSave } from './key.ts';
import { removeLeftOut, removeLeftovers } from './leftovers.ts';
import { migrationsOf, prepareSchema, prepareTables } from './prepare.ts';

export type RestoreOptions = {
  url: string;
  source: Readable;
  /** The key or passphrase of an encrypted one. */
  opening: Opening;
  /** SECRET_KEY and those before it; none where neither the environment nor DATA_DIR has one. */
  secretKeys: readonly string[];
  /** Puts the backup's keys in their place, the one in force first, and answers how to take them away again. */
  saveKeys: (keys: readonly string[]) => Promise<() => Promise<void>>;
  partitioned: readonly Partitioned[];
  /** The migrations of this version. */
  migrationsDir?: string;
  progress?: (table: string, bytes: number) => void;
  signal?: AbortSignal;
};

export type Restored = Summary & {
  madeAt: string;
  version: string;
  savedKeys: boolean;
  /** Counts of the ways into the restored installation. */
  back: Back;
};
export type Back = { people: number; members: number; invitations: number; keys: number; tokens: number };

/**
 * Restores a backup. Throws a sentence for the operator where the installation is not new, is in use or has another
 * key, and where the file is locked, newer, damaged or cut off; the database is then as it was before.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const client = new pg.Client({ connectionString: options.url, application_name: 'tocsin restore' });
  client.on('error', () => undefined);
  // A stop does not wait for the current statement: it cuts the connection, which rolls the transaction back.
  const stop = () => {
    options.source.destroy(new Error('interrupted'));
    void client.end().catch(() => undefined);
  };
  options.signal?.throwIfAborted();
  options.signal?.addEventListener('abort', stop);
  let entries: Entries | null = null;
  try {
    entries = openEntries(await openedFile(options.source, options.opening));
    const header = await readHeader(entries);
    const files = await readMigrations(options.migrationsDir ?? MIGRATIONS_DIR);
    const wanted = migrationsOf(header, files);
    const keys = keysToSave({
      fingerprint: header.secret_key_fingerprint,
      given: options.secretKeys,
      inBackup: (await entries.peek())?.name === KEY_ENTRY ? keysIn(await entries.text(KEY_ENTRY)) : [],
    });

    await connect(client);
    await client.query(PLAIN_SESSION);
    const applied = await ledger(client);
    await client.query('BEGIN');
    await prepareSchema(client, applied, wanted);
    await prepareTables(client, header, options.partitioned);
    // The backup already holds the effects of the triggers.
    await setTriggers(client, header, 'DISABLE');
    const summary = await load(client, header, entries, options);
    await setTriggers(client, header, 'ENABLE');
    await setSequences(client, header);
    for (const migration of files.slice(wanted.length)) await applyInside(client, migration);
    await removeLeftOut(client);
    await removeLeftovers(client);
    // Probes that outlive this hold revisions of another database.
    await client.query('UPDATE installation SET incarnation = gen_random_uuid()::text');
    const back = await countBack(client);
    await commit(client, keys === null ? null : () => options.saveKeys(keys));
    await client.query('ANALYZE');
    return {
      ...summary,
      madeAt: header.made_at,
      version: header.tocsin_version,
      savedKeys: keys !== null,
      back,
    };
  } finally {
    options.signal?.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
    await entries?.close();
  }
}

async function countBack(client: pg.Client): Promise<Back> {
  const { rows } = await client.query<Back>(`
    SELECT (SELECT count(*)::int FROM users) AS people, (SELECT count(*)::int FROM members) AS members,
      (SELECT count(*)::int FROM invitations) AS invitations, (SELECT count(*)::int FROM api_keys) AS keys,
      (SELECT count(*)::int FROM probe_tokens) AS tokens`);
  return rows[0]!;
}

/** Saves the key before the commit: an installation without its key would have unreadable secrets. */
async function commit(
  client: pg.Client,
  saveKey: (() => Promise<() => Promise<void>>) | null,
): Promise<void> {
  const takeBack = await saveKey?.();
  try {
    await client.query('COMMIT');
  } catch (error) {
    await takeBack?.();
    throw error;
  }
}

async function readHeader(entries: Entries): Promise<Header> {
  const text = await entries.text(HEADER_ENTRY);
  const { format } = parse(Type.Object({ format: Type.Integer() }), text, HEADER_ENTRY);
  if (format > FORMAT)
    throw new Error(
      `The backup was made by a newer Tocsin in a format (${format}) that this one does not know. Restore it with that ` +
        'version or a later one. Nothing was changed.',
    );
  return parse(Header, text, HEADER_ENTRY);
}

async function load(
  client: pg.Client,
  header: Header,
  entries: Entries,
  { progress }: RestoreOptions,
): Promise<Summary> {
  let bytes = 0;
  const found: Checksums = { tables: {} };
  for (const { name, columns } of header.tables) {
    const hash = createHash('sha256');
    const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const into = client.query(copyFrom(`COPY public.${pg.escapeIdentifier(name)} (${names}) FROM STDIN`));
    await pipeline(async function* () {
      for await (const chunk of partsOf(entries, `tables/${name}/`)) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
        progress?.(name, bytes);
      }
    }, into).catch(refuseBadRows);
    found.tables[name] = { rows: into.rowCount, sha256: hash.digest('hex') };
  }
  const written = parse(Checksums, await entries.text(CHECKSUMS_ENTRY), CHECKSUMS_ENTRY);
  for (const [name, { rows, sha256 }] of Object.entries(found.tables))
    if (written.tables[name]?.rows !== rows || written.tables[name].sha256 !== sha256)
      throw new BackupDamaged(`the checksum of its table ${name} does not hold`);
  if ((await entries.peek()) !== null) throw new BackupDamaged('something follows its checksums');
  const rows = Object.values(found.tables).reduce((sum, table) => sum + table.rows, 0);
  return { tables: header.tables.length, rows };
}

async function* partsOf(entries: Entries, prefix: string): AsyncIterable<Buffer> {
  for (;;) {
    const entry = await entries.peek();
    if (!entry?.name.startsWith(prefix)) return;
    try {
      yield* entry.content;
    } catch (error) {
      throw new BackupDamaged(`it is cut off or damaged (${(error as Error).message})`);
    }
    entries.consumed();
  }
}

/** Rows that PostgreSQL does not take were not written by it: class 22 (data), 23 (constraints). */
function refuseBadRows(error: Error & { code?: string; detail?: string }): never {
  if (/^2[23]/.test(error.code ?? ''))
    throw new BackupDamaged(`the database does not take its rows (${error.message})`);
  throw error;
}

async function setTriggers(client: pg.Client, { tables }: Header, how: 'ENABLE' | 'DISABLE'): Promise<void> {
  for (const { name } of tables)
    await client.query(`ALTER TABLE public.${pg.escapeIdentifier(name)} ${how} TRIGGER USER`);
}

async function setSequences(client: pg.Client, { sequences }: Header): Promise<void> {
  for (const { name, last_value } of sequences)
    await client.query('SELECT setval($1::regclass, $2)', [
      `public.${pg.escapeIdentifier(name)}`,
      last_value,
    ]);
}

function parse<T extends TSchema>(schema: T, text: string, name: string): Static<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupDamaged(`${name} in it is no JSON`);
  }
  const problem = problemOf(schema, value);
  if (problem) throw new BackupDamaged(`${name} in it is not what it should be: ${problem}`);
  return value as Static<T>;
}
