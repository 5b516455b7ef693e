// How old sources and builds are: what is built is built again when a source is newer.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files below a folder whose path is wanted; none where there is no such folder. Tests are no sources. */
export async function sourcesIn(
  dir: string,
  wanted: (path: string) => boolean = () => true,
): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(wanted);
}

/** Milliseconds of the newest of the files; 0 where there are none. */
export async function newestMs(paths: readonly string[]): Promise<number> {
  return Math.max(0, ...(await Promise.all(paths.map(changedAtMs))));
}

/** Milliseconds of the last change of a file; 0 where there is none. */
export async function changedAtMs(path: string): Promise<number> {
  const status = await stat(path).catch(() => null);
  return status?.mtimeMs ?? 0;
}
