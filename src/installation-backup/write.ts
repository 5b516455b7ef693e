// Writes a backup: every table of one snapshot, streamed, while the server goes on.
import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Pack, pack as tarPack } from 'tar-stream';
import { ledger } from '../platform/db/migrate.ts';
import { openSnapshot, type Snapshot } from '../platform/db/snapshot.ts';
import { secretKeyId } from '../platform/secrets.ts';
import { readSequences, readTables, type Table } from './catalog.ts';
import { type Encryption, encrypterFor } from './encryption.ts';
import {
  CHECKSUMS_ENTRY,
  type Checksums,
  FORMAT,
  HEADER_ENTRY,
  type Header,
  KEY_ENTRY,
  PART_BYTES,
  partEntry,
  type Summary,
} from './format.ts';

import { BLANKED, LEFT_OUT } from './left-out.ts';

export type BackupOptions = {
  url: string;
  /** The key in force; the file contains its fingerprint. */
  secretKey: string;
  /** The keys before it, while it is rotated. */
  earlierSecretKeys: readonly string[];
  includeKey: boolean;
  /** null: it is written as it is. The key goes into an encrypted one only. */
  encryption: Encryption | null;
  version: string;
  now: Date;
  /** Told after every part, with the bytes of table data so far. */
  progress?: (table: string, bytes: number) => void;
  signal?: AbortSignal;
  /** Whether a migration waits for this backup: it holds the lock that a backup takes otherwise. */
  beforeMigration?: boolean;
};

/**
 * Writes the whole installation to `out`, as it is at one instant, without what left-out.ts names. Memory stays bounded
 * whatever its size.
 */
export async function writeBackup(options: BackupOptions, out: Writable): Promise<Summary> {
  if (options.includeKey && !options.encryption)
    throw new Error('The secret key goes into an encrypted backup only.');
  const encrypt = options.encryption && encrypterFor(options.encryption);
  const snapshot = await openSnapshot(options.url, 'tocsin backup', options.beforeMigration);
  const tar = tarPack();
  // `written` reports errors; an unhandled error event would end the process.
  tar.on('error', () => undefined);
  const written = pipeline(
    async function* () {
      yield* tar;
    },
    createGzip(),
    async function* (compressed: AsyncIterable<Uint8Array>) {
      yield* encrypt ? encrypt(compressed) : compressed;
    },
    out,
    options.signal ? { signal: options.signal } : {},
  );
  try {
    const [summary] = await Promise.all([
      fill(tar, snapshot, options),
      written.catch((error: Error) => {
        // On a full disk, a writer that waits for room must not wait for ever.
        tar.destroy(error);
        throw error;
      }),
    ]);
    return summary;
  } catch (error) {
    tar.destroy(error as Error);
    // Reports a full disk itself, not the aborted archive that follows from it.
    const cause = await written.then(
      () => error,
      (why: unknown) => why,
    );
    throw cause;
  } finally {
    await snapshot.close();
  }
}

async function fill(tar: Pack, snapshot: Snapshot, options: BackupOptions): Promise<Summary> {
  const { header, tables } = await snapshot.read(async (client) => {
    const found = await readTables(client);
    return { tables: found, header: await describe(client, found, options) };
  });
  const add = (name: string, content: Buffer) => addEntry(tar, name, content, options.now);
  await add(HEADER_ENTRY, asJson(header));
  if (options.includeKey)
    await add(KEY_ENTRY, Buffer.from([options.secretKey, ...options.earlierSecretKeys, ''].join('\n')));

  const checksums: Checksums = { tables: {} };
  let bytes = 0;
  for (const table of tables) {
    const hash = createHash('sha256');
    let part = 0;
    let rows = 0;
    const parts = gatherer(async (content) => {
      hash.update(content);
      part += 1;
      await add(partEntry(table.name, part), content);
      bytes += content.length;
      options.progress?.(table.name, bytes);
    });
    // Partition by partition: reading the parent would lock all of them at once.
    for (const source of LEFT_OUT.includes(table.name) ? [] : (table.partitions ?? [table.name]))
      rows += await snapshot.read((client) => copyOut(client, source, table, parts.take));
    await parts.flush();
    checksums.tables[table.name] = { rows, sha256: hash.digest('hex') };
  }
  await add(CHECKSUMS_ENTRY, asJson(checksums));
  tar.finalize();
  const rows = Object.values(checksums.tables).reduce((sum, table) => sum + table.rows, 0);
  return { tables: tables.length, rows };
}

async function describe(
  client: pg.Client,
  tables: readonly Table[],
  { secretKey, version, now }: BackupOptions,
): Promise<Header> {
  return {
    format: FORMAT,
    tocsin_version: version,
    made_at: now.toISOString(),
    secret_key_fingerprint: secretKeyId(secretKey),
    migrations: await ledger(client),
    tables: tables.map(({ name, columns, partitions }) => ({
      name,
      columns,
      partitions: partitions?.map((partition) => partition.slice(name.length + 1)) ?? null,
    })),
    sequences: await readSequences(client),
  };
}

/** Streams one table or partition; answers the number of rows. */
async function copyOut(
  client: pg.Client,
  source: string,
  { name, columns }: Table,
  take: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  const blanked = BLANKED[name] ?? [];
  const what = columns.map((column) => (blanked.includes(column) ? 'NULL' : pg.escapeIdentifier(column)));
  const rows = `SELECT ${what.join(', ')} FROM public.${pg.escapeIdentifier(source)}`;
  const stream = client.query(copyTo(`COPY (${rows}) TO STDOUT`));
  try {
    for await (const chunk of stream) await take(chunk as Buffer);
  } catch (error) {
    // A partition that was dropped since the snapshot: what it held had reached the end of its keeping.
    const undefinedTable = '42P01';
    if ((error as { code?: string }).code === undefinedTable) return 0;
    throw error;
  }
  return stream.rowCount;
}

/** Gathers small chunks into parts. */
function gatherer(emit: (part: Buffer) => Promise<void>) {
  let held: Buffer[] = [];
  let size = 0;
  const flush = async () => {
    if (size === 0) return;
    const part = Buffer.concat(held);
    held = [];
    size = 0;
    await emit(part);
  };
  return {
    flush,
    async take(chunk: Buffer) {
      held.push(chunk);
      size += chunk.length;
      if (size >= PART_BYTES) await flush();
    },
  };
}

function addEntry(tar: Pack, name: string, content: Buffer, mtime: Date): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = tar.entry({ name, size: content.length, mode: 0o600, mtime }, (error) =>
      error ? reject(error) : resolve(),
    );
    entry.once('error', reject);
    entry.end(content);
  });
}

const asJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
