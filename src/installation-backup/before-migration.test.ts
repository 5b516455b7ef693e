import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { MIGRATIONS_DIR, migrate, readMigrations } from '#src/platform/db/migrate.ts';
import { createLog } from '#src/platform/log.ts';
import { PARTITIONED } from '#src/retention.ts';
import { emptyDatabase } from '#test/harness/database.ts';
import { migrationsFolder } from '#test/harness/migrations-folder.ts';
import { type BackupSettings, backupBeforeMigration } from './before-migration.ts';
import { restoreBackup } from './restore.ts';

const silent = createLog('silent');
const SECRET_KEY = 'k'.repeat(32);

async function inputs(t: TestContext, url: string, given: Partial<BackupSettings> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-before-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const settings = {
    ...{
      backupBeforeMigration: true,
      dataDir,
      secretKey: SECRET_KEY,
      earlierSecretKeys: [],
      backupPassphrase: null,
    },
    ...given,
  };
  const lines: string[] = [];
  const log = createLog('info', false, (line) => void lines.push(line));
  const dir = join(dataDir, 'backups');
  return {
    dir,
    lines,
    before: backupBeforeMigration(settings, { url, log, version: '1.0.0' }),
    withFree: (bytes: number) =>
      backupBeforeMigration(settings, { url, log, version: '1.0.0', freeBytes: async () => bytes }),
    backups: async () => (await readdir(dir).catch(() => [])).sort(),
  };
}

test('an installation with an older schema is backed up before its migrations, and can be restored from that', async (t) => {
  await using database = await emptyDatabase();
  await using older = await migrationsFolder({});
  const all = await readMigrations(MIGRATIONS_DIR);
  for (const { name } of all.slice(0, -1)) await cp(join(MIGRATIONS_DIR, name), join(older.path, name));
  await migrate(database.url, silent, { dir: older.path });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`UPDATE plans SET seats = 77 WHERE name = 'free'`).finally(() => client.end());
  const { before, dir, backups, lines } = await inputs(t, database.url, { backupPassphrase: null });
  await migrate(database.url, silent, { before });

  const [name = assert.fail(), ...others] = await backups();
  assert.deepEqual(others, []);
  const from = String(all.length - 1).padStart(4, '0');
  assert.match(name, new RegExp(`^before-upgrade-from-${from}-\\d{8}T\\d{6}Z\\.tar\\.gz$`));
  assert.equal((await stat(join(dir, name))).mode & 0o777, 0o600);
  assert.match(lines.join(), /was backed up before.*before-upgrade|before-upgrade.*was backed up before/);

  await using restored = await emptyDatabase();
  await restoreBackup({
    ...{ url: restored.url, source: createReadStream(join(dir, name)), secretKeys: [SECRET_KEY] },
    ...{
      opening: { passphrase: null, identities: [] },
      saveKeys: () => assert.fail(),
      partitioned: PARTITIONED,
    },
  });
  const again = new pg.Client({ connectionString: restored.url });
  await again.connect();
  const { rows } = await again
    .query(`SELECT seats FROM plans WHERE name = 'free'`)
    .finally(() => again.end());
  assert.deepEqual(rows, [{ seats: 77 }]);
});

test('the newest backup of each of the newest three schemas is kept, and no partial file', async (t) => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_a.sql': 'CREATE TABLE a (id int)' });
  await migrate(database.url, silent, { dir: files.path });
  const { before, dir, backups } = await inputs(t, database.url);
  await files.add('0002_b.sql', 'SELECT nothing');
  await assert.rejects(migrate(database.url, silent, { dir: files.path, before }), /0002_b\.sql failed/);
  const [made = assert.fail()] = await backups();
  const names = [
    'before-upgrade-from-0001-20200101T000000Z.tar.gz',
    'before-upgrade-from-0000-20200102T000000Z.tar.gz.age',
    'before-upgrade-from-0009-20200103T000000Z.tar.gz',
    'before-upgrade-from-0008-20200101T000000Z.tar.gz',
    'before-upgrade-from-0008-20200101T000000Z.tar.gz.partial',
    'mine.tar.gz',
  ];
  for (const name of names) await writeFile(join(dir, name), '');
  await files.add('0002_b.sql', 'SELECT 1');
  await migrate(database.url, silent, { dir: files.path, before });
  const left = await backups();
  const ours = left.find((name) => name.startsWith('before-upgrade-from-0001-'));
  assert.ok(ours !== undefined && ours >= made, `${ours}`);
  assert.deepEqual(left, [names[1], ours, names[2], names[5]]);
});

test('a passphrase encrypts the backup; one that is too short prevents the upgrade', async (t) => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_a.sql': 'CREATE TABLE a (id int)' });
  await migrate(database.url, silent, { dir: files.path });
  await files.add('0002_b.sql', 'DROP TABLE a');
  const short = await inputs(t, database.url, { backupPassphrase: 'short' });
  await assert.rejects(
    migrate(database.url, silent, { dir: files.path, before: short.before }),
    /was not upgraded, because it could not be backed up before: The passphrase .*Nothing was changed/s,
  );
  assert.deepEqual(await short.backups(), []);
  const long = await inputs(t, database.url, { backupPassphrase: 'four random words here' });
  await migrate(database.url, silent, { dir: files.path, before: long.before });
  assert.match((await long.backups()).join(), /^before-upgrade-from-0001-.*\.tar\.gz\.age$/);
});

test('without space nothing is upgraded, and without the setting nothing is backed up', async (t) => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_a.sql': 'CREATE TABLE a (id int)' });
  await migrate(database.url, silent, { dir: files.path });
  await files.add('0002_b.sql', 'DROP TABLE a');
  const full = await inputs(t, database.url);
  await assert.rejects(
    migrate(database.url, silent, { dir: files.path, before: full.withFree(200 * 1024 ** 2) }),
    /may take \d+ MB, and the disk of .*backups has 210 MB free\. Nothing was changed\..*BACKUP_BEFORE_MIGRATION=off/,
  );
  assert.deepEqual(await full.backups(), []);
  const off = await inputs(t, database.url, { backupBeforeMigration: false });
  assert.deepEqual(await migrate(database.url, silent, { dir: files.path, before: off.before }), [
    '0002_b.sql',
  ]);
  assert.deepEqual(await off.backups(), []);
  assert.match(off.lines.join(), /without a backup/);
});
