// The doctor's checks of DATA_DIR: whether this user can write to it and others cannot, and who may read the key in it.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirTrouble } from '../platform/data-dir.ts';
import { type Finding, finding } from './finding.ts';

const KEY_FILES = ['secret-key', 'secret-key.previous', 'postgres-password'];
const OTHERS_WRITE = 0o002;
const OTHERS = 0o077;

export async function checkFolder(dataDir: string): Promise<Finding[]> {
  const reason = dataDirTrouble(dataDir);
  if (reason !== null) return [finding('fail', 'folder', 'folder_unusable', { reason })];
  const mode = await modeOf(dataDir);
  const folder =
    mode !== null && mode & OTHERS_WRITE
      ? finding('fail', 'folder', 'folder_open', { path: dataDir, mode: octal(mode) })
      : finding('ok', 'folder', 'folder_fine', { path: dataDir });
  return [folder, ...(await checkKeyFiles(dataDir))];
}

/** The key files that are there. */
export async function checkKeyFiles(dataDir: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of KEY_FILES.map((name) => join(dataDir, name))) {
    const mode = await modeOf(path);
    if (mode === null) continue;
    findings.push(
      mode & OTHERS
        ? finding('fail', 'folder', 'key_file_open', { path, mode: octal(mode) })
        : finding('ok', 'folder', 'key_file_private', { path }),
    );
  }
  return findings;
}

/** Permission bits; null where there is no such file, and on Windows, which has none. */
async function modeOf(path: string): Promise<number | null> {
  if (process.platform === 'win32') return null;
  const status = await lstat(path).catch(() => null);
  return status === null ? null : status.mode & 0o777;
}

const octal = (mode: number) => mode.toString(8).padStart(4, '0');
