// `tocsin restore FILE`: a backup becomes a new installation.
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { earlierKeysOf, type GivenConfig, readConfig } from '#src/config/config.ts';
import { type Restored, restoreBackup } from '#src/installation-backup/restore.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { readSecretKey, saveEarlierKeys, saveSecretKey } from '#src/platform/secret-key-file.ts';
import { PARTITIONED } from '#src/retention.ts';
import { openingOf } from '../backup-encryption.ts';
import { OPERATOR, withDatabase } from '../open-installation.ts';
import { counted, inBytes, progressLines } from '../progress.ts';
import { revokeAllKeys } from '../revoke-keys.ts';
import { revokedWords } from './revoke-keys.ts';

type RestoreOptions = { identity?: string[]; passphraseFile?: string; revokeKeys?: true };

/** Returns the exit code. `-` reads standard input. */
export async function run(file: string, options: RestoreOptions): Promise<number> {
  const { revokeKeys = false } = options;
  const config = readConfig();
  const path = resolve(file);
  if (file !== '-')
    await access(path).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`${path} cannot be read (${error.code}).`);
    });
  const opening = await openingOf(options, config.backupPassphrase);
  return withDatabase(config, 'own', async ({ url, log, now, stop }) => {
    const printProgress = progressLines();
    const restored = await restoreBackup({
      url,
      source: file === '-' ? process.stdin : createReadStream(path),
      opening,
      secretKeys: keysInForce(config),
      saveKeys: async (keys) => saveKeys(config.dataDir, keys),
      partitioned: PARTITIONED,
      progress: (table, bytes) => printProgress(() => `… ${table}, ${inBytes(bytes)} so far`),
      signal: stop,
    });
    const what = `${counted(restored.rows, 'row')} of ${counted(restored.tables, 'table')}`;
    const key = restored.savedKeys ? `, and its secret key to ${config.dataDir}` : '';
    process.stderr.write(`Restored ${what}, as they were at ${restored.madeAt}${key}.\n`);
    if (revokeKeys) {
      const { db, close } = openPool({ url, log, size: 2, name: 'tocsin restore' });
      const revoked = await revokeAllKeys(db, now, OPERATOR)
        .catch((error: unknown) => {
          throw new Error(
            'The backup is restored, but its API keys and probe tokens could not be revoked. Before anything else: ' +
              'tocsin revoke-keys',
            { cause: error },
          );
        })
        .finally(close);
      process.stderr.write(revokedWords(revoked));
    }
    process.stderr.write(`${whatIsBack(restored, revokeKeys)}Start it: tocsin serve\n`);
    return 0;
  });
}

/** Rights that were revoked after the backup are valid again: only this message says so. */
function whatIsBack({ madeAt, back }: Restored, keysAreRevoked: boolean): string {
  const keys = keysAreRevoked
    ? ''
    : `  ${counted(back.keys, 'API key')} and ${counted(back.tokens, 'probe token')}: those revoked since then work again. ` +
      'Revoke all of them with tocsin revoke-keys\n';
  return (
    `Everything revoked or removed after ${madeAt} is back. Check:\n` +
    `  ${counted(back.members, 'membership')} of ${counted(back.people, 'person', 'people')}, and ` +
    `${counted(back.invitations, 'invitation')}: people removed since then have access again\n${keys}` +
    '  passwords, second factors and passkeys: as they were at that time\n' +
    'Nobody is signed in, and no link in an earlier mail works.\n'
  );
}

function keysInForce(config: GivenConfig): string[] {
  const { secretKey, databaseUrl, dataDir } = config;
  const inForce = secretKey ?? (databaseUrl === null ? readSecretKey(dataDir) : null);
  return [...(inForce === null ? [] : [inForce]), ...earlierKeysOf(config)];
}

function saveKeys(dataDir: string, [key = '', ...earlier]: readonly string[]): () => Promise<void> {
  const takeBack = saveSecretKey(dataDir, key);
  saveEarlierKeys(dataDir, earlier);
  return async () => {
    saveEarlierKeys(dataDir, []);
    await takeBack();
  };
}
