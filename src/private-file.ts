// Files that hold secrets: readable by their owner only, and there only when they are whole.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/** Throws a sentence where the file is there already and `force` was not said. */
export async function refuseExisting(path: string, force: boolean): Promise<void> {
  if (force) return;
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new Error(`${path} is there already. Choose another name, or say --force to replace it.`);
}

/**
 * Has `write` write to `path.partial` (mode 0600), which takes its name when everything is on the disk and is removed
 * when something fails. `write` must have ended the stream when it resolves.
 */
export async function writePrivateFile<T>(path: string, write: (out: Writable) => Promise<T>): Promise<T> {
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  const out = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  // Closed, it is on the disk.
  const closed = once(out, 'close');
  closed.catch(() => undefined);
  try {
    const result = await write(out);
    await closed;
    await rename(partial, path);
    return result;
  } catch (error) {
    out.destroy();
    await rm(partial, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall && code)
      throw new Error(`${partial} cannot be written (${syscall}: ${code}).`, { cause: error });
    throw error;
  }
}
