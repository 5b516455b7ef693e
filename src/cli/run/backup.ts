// `tocsin backup FILE`: the whole installation in one file, while the server runs.
import { resolve } from 'node:path';
import { readConfig } from '#src/config/config.ts';
import { encrypterFor } from '#src/installation-backup/encryption.ts';
import { writeBackup } from '#src/installation-backup/write.ts';
import { refuseExisting, writePrivateFile } from '#src/platform/private-file.ts';
import { readVersion } from '#src/platform/version.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { type EncryptionOptions, encryptionOf } from '../backup-encryption.ts';
import { InvalidCommandLine } from '../invalid-command-line.ts';
import { withInstallation } from '../open-installation.ts';
import { counted, inBytes, progressLines } from '../progress.ts';

type BackupOptions = EncryptionOptions & { force?: true; withKey?: true };

/** Returns the exit code. `-` writes to standard output; all messages go to standard error. */
export async function run(file: string, options: BackupOptions): Promise<number> {
  const { force = false, withKey = false } = options;
  const toOutput = file === '-';
  if (toOutput && process.stdout.isTTY)
    throw new Error(
      'A backup is binary and cannot be printed to a terminal. Name a file, or redirect the output.',
    );
  const encryption = await encryptionOf(options, readConfig().backupPassphrase);
  if (withKey && !encryption)
    throw new InvalidCommandLine(
      '--with-key needs an encrypted backup: without encryption, the file and its key give away every secret.',
    );
  // An invalid recipient or a passphrase that is too short is refused first.
  if (encryption) encrypterFor(encryption);
  const path = resolve(file);
  if (!toOutput) await refuseExisting(path, force);
  return withInstallation(async (opened) => {
    await checkSecretKey(opened.database.db, opened.vault);
    const printProgress = progressLines();
    const asked = {
      url: opened.url,
      secretKey: opened.config.secretKey,
      earlierSecretKeys: opened.config.earlierSecretKeys,
      includeKey: withKey,
      encryption,
      version: await readVersion(),
      now: opened.now,
      progress: (table: string, bytes: number) => printProgress(() => `… ${table}, ${inBytes(bytes)} so far`),
      signal: opened.stop,
    };
    const { tables, rows } = toOutput
      ? await writeBackup(asked, process.stdout)
      : await writePrivateFile(path, (out) => writeBackup(asked, out));
    const what = `${counted(rows, 'row')} of ${counted(tables, 'table')}`;
    const where = toOutput ? '' : ` to ${path}`;
    const how = encryption ? '' : '\nIt is not encrypted: keep it where nobody else can read it.';
    process.stderr.write(`Backed up ${what}${where}.${how}\n${aboutKey(withKey, opened)}\n`);
    return 0;
  });
}

function aboutKey(
  withKey: boolean,
  { keyIsGiven, config }: { keyIsGiven: boolean; config: { dataDir: string } },
): string {
  if (withKey)
    return 'It includes the secret key of this installation: anybody who can open it has every stored secret.';
  const key = keyIsGiven ? 'SECRET_KEY' : `${config.dataDir}/secret-key`;
  return `It does not include the secret key: keep ${key} apart from it. Without the key the backup cannot be restored.`;
}
