// A small file system that tests can fill.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small disk in memory, of this many MiB; null if this user may not mount one. */
export async function smallDisk(sizeMib: number) {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=755`, 'tmpfs', dir], {
      stdio: 'ignore',
    });
  } catch {
    await rmdir(dir);
    return null;
  }
  return {
    dir,
    async [Symbol.asyncDispose]() {
      execFileSync('umount', ['-l', dir]);
      await rmdir(dir);
    },
  };
}
