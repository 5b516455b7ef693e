// The backup of an organization with history, and a fingerprint to compare a restored one with.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { readTables } from '#src/installation-backup/catalog.ts';
import { LEFT_OUT } from '#src/installation-backup/left-out.ts';
import { type Restored, type RestoreOptions, restoreBackup } from '#src/installation-backup/restore.ts';
import { type BackupOptions, writeBackup } from '#src/installation-backup/write.ts';
import { PARTITIONED } from '#src/retention.ts';
import { SECRET_KEY, startAppOfFile, type TestApp } from './app.ts';
import { type LivedIn, liveIn } from './lived-in.ts';

/** Cheap to open repeatedly; the real work factor costs a second each. */
export const ENCRYPTION = { passphrase: 'correct horse battery staple', workFactor: 10 };

export type BackedUp = {
  app: TestApp;
  lived: LivedIn;
  /** Not encrypted, without the key. */
  file: Buffer;
  plain: () => BackupOptions;
  backup: (options?: Partial<BackupOptions>) => Promise<Buffer>;
  restore: (url: string, options?: Partial<RestoreOptions>, bytes?: Buffer) => Promise<Restored>;
  /** All but the incarnation: probes that outlive a restore must not confuse the two databases. */
  assertAsBefore: (restored: Record<string, string>) => void;
  rowsBefore: Record<string, string>;
};

/** Shared by all tests of a file. Nothing changes any more, so the backup can be compared with the database. */
export async function backedUp(): Promise<BackedUp> {
  const app = await startAppOfFile();
  const lived = await liveIn(app);
  await app.app.stop();
  const plain = (): BackupOptions => ({
    url: app.databaseUrl,
    secretKey: SECRET_KEY,
    earlierSecretKeys: [],
    includeKey: false,
    encryption: null,
    version: '0.0.0',
    now: app.clock.now(),
  });
  const backup = (options: Partial<BackupOptions> = {}) => bytesOf({ ...plain(), ...options });
  const file = await backup();
  const rowsBefore = await everyRow(app.databaseUrl);
  return {
    app,
    lived,
    file,
    plain,
    backup,
    restore: (url, options = {}, bytes = file) =>
      restoreBackup({
        url,
        source: Readable.from([bytes]),
        opening: { passphrase: null, identities: [] },
        secretKeys: [SECRET_KEY],
        saveKeys: async () => assert.fail('there is a key already'),
        partitioned: PARTITIONED,
        ...options,
      }),
    assertAsBefore(restored) {
      assert.notEqual(restored.installation, rowsBefore.installation);
      assert.deepEqual({ ...restored, installation: '' }, { ...rowsBefore, installation: '' });
    },
    rowsBefore,
  };
}

/** A backup in memory. */
export async function bytesOf(options: BackupOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await writeBackup(options, sink);
  return Buffer.concat(chunks);
}

/** A hash of the rows of every table that goes into a backup. */
export async function everyRow(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const hashes: Record<string, string> = {};
    for (const { name } of await readTables(client)) {
      if (LEFT_OUT.includes(name)) continue;
      const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
      const hash = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
      hashes[name] = `${rows.length} rows ${hash}`;
    }
    return hashes;
  } finally {
    await client.end();
  }
}

export const tablesOf = (url: string) => everyRow(url).then((rows) => Object.keys(rows).length);

/** Removes the keys of a backup, and returns their names. */
export function keeper(): { saved: string[]; saveKeys: RestoreOptions['saveKeys'] } {
  const saved: string[] = [];
  return {
    saved,
    async saveKeys(keys) {
      saved.push(...keys);
      return async () => undefined;
    },
  };
}
