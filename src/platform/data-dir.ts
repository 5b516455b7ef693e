// Whether DATA_DIR can be used, and if not, why: a sentence instead of the code of a failed system call.
import { chmodSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Others may pass through (PostgreSQL's user, if the server is root) but not list. */
const MODE = 0o711;
/** As much as the smallest files of a start take; a full disk refuses it. */
const TRIED_BYTES = 64 * 1024;

/**
 * Creates DATA_DIR if it is missing, and writes a file to it as a test. Throws a sentence for the operator if it is no folder,
 * read-only, another user's, or on a full disk.
 */
export function demandDataDir(dataDir: string): void {
  try {
    const made = mkdirSync(dataDir, { recursive: true });
    if (made !== undefined) chmodSync(dataDir, MODE);
  } catch (error) {
    throw unusable(dataDir, error);
  }
  const trouble = dataDirTrouble(dataDir);
  if (trouble !== null) throw new Error(trouble);
}

/** Why an existing DATA_DIR cannot be used, in a sentence that says what to do; null if it can. Leaves nothing behind. */
export function dataDirTrouble(dataDir: string): string | null {
  const path = join(dataDir, `.write-test-${process.pid}`);
  try {
    if (!statSync(dataDir).isDirectory())
      return `DATA_DIR (${dataDir}) is a file, and not a folder. Remove it, or set DATA_DIR to a folder.`;
    try {
      writeFileSync(path, Buffer.alloc(TRIED_BYTES), { mode: 0o600 });
    } finally {
      rmSync(path, { force: true });
    }
    return null;
  } catch (error) {
    return unusable(dataDir, error).message;
  }
}

function unusable(dataDir: string, cause: unknown): Error {
  const { code } = cause as NodeJS.ErrnoException;
  return new Error(`DATA_DIR (${dataDir}) cannot be used: ${WHY[code ?? '']?.(dataDir) ?? String(cause)}`, {
    cause,
  });
}

const WHY: Record<string, (dataDir: string) => string> = {
  ENOENT: () => 'it does not exist. Start the server once, or set DATA_DIR to the folder of yours.',
  EEXIST: () => 'there is a file of that name, and not a folder. Remove it, or set DATA_DIR to a folder.',
  ENOTDIR: (dataDir) =>
    `${dirname(dataDir)}, or a part of that path, is a file and not a folder. Set DATA_DIR to a folder.`,
  EROFS: () => 'its disk is mounted read-only. Mount it for writing, or set DATA_DIR to a folder elsewhere.',
  ENOSPC: () => 'its disk is full. Make room, or set DATA_DIR to a folder on another disk.',
  EDQUOT: () => 'the quota of this user is used up. Make room, or set DATA_DIR to a folder elsewhere.',
  EACCES: forbidden,
  EPERM: forbidden,
};

/** The owner of the nearest existing folder: an operator can hand over one that belongs to another user. */
function forbidden(dataDir: string): string {
  for (let path = dataDir; ; path = dirname(path)) {
    const owner = ownerOf(path);
    if (owner === null && path !== dirname(path)) continue;
    const user = process.getuid?.();
    const whose = owner === null || owner === user ? '' : ` belongs to another user (uid ${owner}) and`;
    return (
      `${path}${whose} may not be written to by this one${user === undefined ? '' : ` (uid ${user})`}. ` +
      `Give it to this user (chown), or set DATA_DIR to a folder of its own.`
    );
  }
}

function ownerOf(path: string): number | null {
  try {
    return lstatSync(path).uid;
  } catch {
    return null;
  }
}
