// `tocsin restore FILE`: a backup becomes a new installation.
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { restoreBackup } from './backup/restore.ts';
import { type GivenConfig, readConfig } from './config.ts';
import { withDatabase } from './open-installation.ts';
import { readSecretKey, saveSecretKey } from './platform/secret-key-file.ts';
import { counted, inBytes, progressLines } from './progress.ts';
import { PARTITIONED } from './retention.ts';

/** Answers the exit code. `-` reads standard input. */
export async function runRestore(file: string): Promise<number> {
  const config = readConfig();
  const path = resolve(file);
  if (file !== '-')
    await access(path).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`${path} cannot be read (${error.code}).`);
    });
  return withDatabase(config, 'own', async ({ url, stop }) => {
    const tell = progressLines();
    const restored = await restoreBackup({
      url,
      source: file === '-' ? process.stdin : createReadStream(path),
      secretKey: keyInForce(config),
      saveKey: async (key) => saveSecretKey(config.dataDir, key),
      partitioned: PARTITIONED,
      progress: (table, bytes) => tell(() => `… ${table}, ${inBytes(bytes)} so far`),
      signal: stop,
    });
    const what = `${counted(restored.rows, 'row')} of ${counted(restored.tables, 'table')}`;
    const key = restored.savedKey ? `, and its secret key to ${config.dataDir}` : '';
    process.stderr.write(
      `Restored ${what}, as they were at ${restored.madeAt}${key}. Start it: tocsin serve\n`,
    );
    return 0;
  });
}

const keyInForce = ({ secretKey, databaseUrl, dataDir }: GivenConfig): string | null =>
  secretKey ?? (databaseUrl === null ? readSecretKey(dataDir) : null);
