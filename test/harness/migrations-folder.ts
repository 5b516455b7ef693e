// A folder of migrations for a test.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of `files` by name; the folder is removed with `await using`. */
export async function migrationsFolder(
  files: Record<string, string>,
): Promise<AsyncDisposable & { path: string; add(name: string, sql: string): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tocsin-migrations-'));
  const add = (name: string, sql: string) => writeFile(join(path, name), sql);
  for (const [name, sql] of Object.entries(files)) await add(name, sql);
  return { path, add, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
