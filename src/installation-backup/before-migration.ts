// Backs the installation up before migrations change its database (docs/rules/upgrades.md#the-backup).
import { readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { connect, type MigrateOptions, type Outstanding } from '../platform/db/migrate.ts';
import type { Log } from '../platform/log.ts';
import { makePrivateFolder, writePrivateFile } from '../platform/private-file.ts';

/** The newest of as many schemas. */
const KEPT = 3;
/** Left for everything else. */
const RESERVE_BYTES = 256 * 1024 ** 2;
/** Rows as compressed text take less than this part of tables with their indexes. */
const SHARE = 0.5;
const NAME = /^before-upgrade-from-(\d{4})-(\d{8}T\d{6}Z)\.tar\.gz(\.age)?$/;

/** Of the configuration. */
export type BackupSettings = {
  backupBeforeMigration: boolean;
  dataDir: string;
  secretKey: string;
  earlierSecretKeys: readonly string[];
  backupPassphrase: string | null;
};
export type BackupOptions = {
  url: string;
  log: Log;
  /** Of this Tocsin. */
  version: string;
  /** Called after every part that is written. */
  progress?: () => void;
  signal?: AbortSignal;
  freeBytes?: (dir: string) => Promise<number>;
};

/** Runs before `migrate` changes anything; throws a sentence for the operator where the backup cannot be made. */
export function backupBeforeMigration(
  settings: BackupSettings,
  options: BackupOptions,
): NonNullable<MigrateOptions['before']> {
  const { log } = options;
  return async (outstanding) => {
    if (!settings.backupBeforeMigration) {
      log.warn(
        'the database is brought to a newer schema without a backup by Tocsin (BACKUP_BEFORE_MIGRATION is off)',
      );
      return;
    }
    const path = await backUp(outstanding, settings, options);
    log.info({ path }, 'the installation was backed up before its database is brought to a newer schema');
  };
}

async function backUp(
  { from, now }: Outstanding,
  settings: BackupSettings,
  { url, version, progress, signal, freeBytes = freeBytesOf }: BackupOptions,
): Promise<string> {
  const { dataDir, secretKey, earlierSecretKeys, backupPassphrase: passphrase } = settings;
  const dir = join(dataDir, 'backups');
  await makePrivateFolder(dir);
  await removeHalves(dir);
  await demandRoom(dir, url, freeBytes);
  const schema = String(from.version).padStart(4, '0');
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const name = `before-upgrade-from-${schema}-${time}.tar.gz${passphrase === null ? '' : '.age'}`;
  const path = join(dir, name);
  const options = {
    ...{ url, secretKey, earlierSecretKeys, version, now },
    includeKey: false,
    encryption: passphrase === null ? null : { passphrase },
    beforeMigration: true,
    progress: () => progress?.(),
    ...(signal ? { signal } : {}),
  };
  // Loaded when it is needed: every server would keep the writers of archives in memory.
  const { writeBackup } = await import('./write.ts');
  await writePrivateFile(path, (out) => writeBackup(options, out)).catch((error: Error) => {
    throw new Error(
      `The database was not upgraded, because it could not be backed up before: ${error.message} ${REMEDY}`,
      { cause: error },
    );
  });
  await removeOld(dir);
  return path;
}

const REMEDY =
  'Nothing was changed. Remove the cause; or back the installation up elsewhere with the version that you had (tocsin backup ' +
  'FILE), and start this one with BACKUP_BEFORE_MIGRATION=off.';

async function demandRoom(
  dir: string,
  url: string,
  freeBytes: (dir: string) => Promise<number>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'tocsin backup' });
  client.on('error', () => undefined);
  await connect(client);
  try {
    const { rows } = await client.query<{ bytes: number }>(
      'SELECT pg_database_size(current_database())::float8 AS bytes',
    );
    const needed = (rows[0]?.bytes ?? 0) * SHARE + RESERVE_BYTES;
    const free = await freeBytes(dir);
    if (free < needed)
      throw new Error(
        `The database was not upgraded, because the backup before may take ${inMb(needed)}, and the disk of ${dir} has ` +
          `${inMb(free)} free. ${REMEDY}`,
      );
  } finally {
    await client.end().catch(() => undefined);
  }
}

const inMb = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;

async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** Keeps the newest backup of a schema, and the newest three of those: tries that failed put none of them out. */
async function removeOld(dir: string): Promise<void> {
  const backups = (await readdir(dir)).flatMap((name) => {
    const [, schema = '', time = ''] = NAME.exec(name) ?? [];
    return time === '' ? [] : [{ name, schema, time }];
  });
  backups.sort((a, b) => b.time.localeCompare(a.time));
  const newest = backups.filter(
    ({ schema }, index) => backups.findIndex((other) => other.schema === schema) === index,
  );
  const kept = newest.slice(0, KEPT);
  for (const backup of backups) if (!kept.includes(backup)) await rm(join(dir, backup.name), { force: true });
}

/** Removes files that a killed process left. */
async function removeHalves(dir: string): Promise<void> {
  for (const name of await readdir(dir))
    if (name.endsWith('.partial') && NAME.test(name.slice(0, -'.partial'.length)))
      await rm(join(dir, name), { force: true });
}
