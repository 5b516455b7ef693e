// Data directories whose PostgreSQL was created and migrated before: creating one costs an installation more than the rest of
// its start. Tests of a real first start ask for a `fresh` one.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbedded } from '#src/platform/db/embedded.ts';
import { migrateDatabase, quickFolder, silent } from './cluster.ts';

/** Set by the global set-up of `npm test`; absent if a file runs alone: then each directory begins empty. */
const VARIABLE = 'TOCSIN_TEST_DATA_DIR';

/** Creates the one that is copied, for this process and its children; returns a function that removes it. */
export async function prepareData(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await quickFolder(), 'tocsin-prepared-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const settings = { fsync: 'off', full_page_writes: 'off' };
    const database = await startEmbedded({ dataDir, log: silent, settings });
    try {
      await migrateDatabase(database.url);
    } finally {
      await database.stop();
    }
    process.env[VARIABLE] = dataDir;
    return remove;
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A new DATA_DIR in a temporary folder. */
export async function newDataDir({ fresh = false } = {}): Promise<string> {
  const dataDir = await mkdtemp(join(await quickFolder(), 'tocsin-installation-'));
  const prepared = process.env[VARIABLE];
  // With the owner of its files: root's PostgreSQL runs as another user.
  if (prepared && !fresh) await promisify(execFile)('cp', ['-a', join(prepared, 'postgres'), dataDir]);
  return dataDir;
}
