// Writes files that contain secrets: readable by their owner only, and present only once complete.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/** Throws a sentence if the file exists and `force` is not set, or if the path is not a regular file. */
export async function refuseExisting(path: string, force: boolean): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && !found.isFile())
    throw new Error(
      `${path} is ${found.isDirectory() ? 'a folder' : 'not a regular file'}. Name a file to create.`,
    );
  if (found && !force)
    throw new Error(`${path} already exists. Choose another name, or replace it with --force.`);
}

/** Creates a missing folder, open to its owner only. Throws a sentence. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const isBlocked = error.code === 'EEXIST' || error.code === 'ENOTDIR';
    const why = isBlocked ? 'a file is in its place' : whyOf(error);
    throw new Error(`The folder ${path} cannot be created: ${why}.`, { cause: error });
  });
}

/**
 * Calls `write` with a stream to `path.partial` (mode 0600). The file is renamed to `path` once everything is on disk, and
 * removed if something fails. `write` must have ended the stream when it resolves.
 */
export async function writePrivateFile<T>(path: string, write: (out: Writable) => Promise<T>): Promise<T> {
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  const out = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  // Once closed, it is on disk.
  const closed = once(out, 'close');
  closed.catch(() => undefined);
  try {
    await once(out, 'open');
    const result = await write(out);
    await closed;
    await rename(partial, path);
    return result;
  } catch (error) {
    out.destroy();
    await rm(partial, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall && code)
      throw new Error(`${partial} cannot be written: ${whyOf(error as Error)}.`, { cause: error });
    throw error;
  }
}

const WHY: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
};
const whyOf = ({ code = '', syscall = '' }: NodeJS.ErrnoException) => WHY[code] ?? `${syscall}: ${code}`;
