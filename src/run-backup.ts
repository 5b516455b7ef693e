// `tocsin backup FILE`: the whole installation in one file, while the server runs.
import { resolve } from 'node:path';
import { writeBackup } from './backup/write.ts';
import { withInstallation } from './open-installation.ts';
import { refuseExisting, writePrivateFile } from './private-file.ts';
import { counted, inBytes, progressLines } from './progress.ts';
import { refuseOtherKey } from './refuse-other-key.ts';
import { readVersion } from './version.ts';

export type BackupWords = { file: string; force: boolean; withoutSecretKey: boolean };

/** Answers the exit code. `-` writes to standard output; everything said goes to standard error. */
export async function runBackup({ file, force, withoutSecretKey }: BackupWords): Promise<number> {
  const toOutput = file === '-';
  if (toOutput && process.stdout.isTTY)
    throw new Error('A backup is no text for a terminal. Name a file, or send the output somewhere.');
  const path = resolve(file);
  if (!toOutput) await refuseExisting(path, force);
  return withInstallation(async (opened) => {
    await refuseOtherKey(opened.database.db, opened.vault);
    // A key from the environment is kept somewhere by whoever gives it: then the file needs none.
    const includeKey = !withoutSecretKey && !opened.keyIsGiven;
    const tell = progressLines();
    const options = {
      url: opened.url,
      secretKey: opened.config.secretKey,
      includeKey,
      version: await readVersion(),
      now: opened.now,
      progress: (table: string, bytes: number) => tell(() => `… ${table}, ${inBytes(bytes)} so far`),
      signal: opened.stop,
    };
    const { tables, rows } = toOutput
      ? await writeBackup(options, process.stdout)
      : await writePrivateFile(path, (out) => writeBackup(options, out));
    const key = includeKey
      ? 'It holds the secret key of this installation: keep it as you would keep a password.'
      : 'It does not hold the secret key: keep SECRET_KEY as well, without it the stored secrets cannot be read.';
    const what = `${counted(rows, 'row')} of ${counted(tables, 'table')}`;
    process.stderr.write(`Backed up ${what}${toOutput ? '' : ` to ${path}`}.\n${key}\n`);
    return 0;
  });
}
