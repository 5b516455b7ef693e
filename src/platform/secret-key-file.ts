// DATA_DIR/secret-key: the SECRET_KEY of an installation without a configured one, readable by its owner only.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demandDataDir } from './data-dir.ts';

/** A new SECRET_KEY: base64 of 32 random bytes. */
export const makeSecretKey = (): string => randomBytes(32).toString('base64');

/** Reads DATA_DIR/secret-key, which the first start creates (32 random bytes, readable by its owner only). */
export function readOrMakeSecretKey(dataDir: string): string {
  const known = readSecretKey(dataDir);
  if (known !== null) return known;
  saveSecretKey(dataDir, makeSecretKey());
  return readFileSync(keyPath(dataDir), 'utf8').trim();
}

/** The key in DATA_DIR/secret-key; null if there is none. Throws if the file is too short to be one. */
export function readSecretKey(dataDir: string): string | null {
  const path = keyPath(dataDir);
  const known = readIfThere(path);
  if (known === null || known.length >= 32) return known;
  throw new Error(
    `${path} holds fewer than 32 characters. Put the key back from a backup; without it the stored secrets are lost.`,
  );
}

/** Writes a key to DATA_DIR/secret-key unless one is there; returns a function that removes it again. */
export function saveSecretKey(dataDir: string, key: string): () => Promise<void> {
  const path = keyPath(dataDir);
  demandDataDir(dataDir);
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${key}\n`, { mode: 0o600, flush: true });
  try {
    // A link does not overwrite: of two first starts one wins, and both read the same key.
    linkSync(fresh, path);
    return async () => rmSync(path, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return async () => undefined;
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** The keys in DATA_DIR/secret-key.previous, newest first: the earlier ones, during a rotation. */
export function readEarlierKeys(dataDir: string): string[] {
  return keysIn(readIfThere(earlierPath(dataDir)) ?? '');
}

/** One key per line. */
export const keysIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Makes a new key the current one from the next start on, and keeps the earlier ones beside it. Wherever the process dies on
 * the way, the current key is still there.
 */
export function renewSecretKey(dataDir: string, former: string): string {
  const key = makeSecretKey();
  saveEarlierKeys(dataDir, [former, ...readEarlierKeys(dataDir)]);
  replaceFile(keyPath(dataDir), `${key}\n`);
  return key;
}

/** Replaces the earlier keys; an empty list removes the file. */
export function saveEarlierKeys(dataDir: string, keys: readonly string[]): void {
  if (keys.length === 0) rmSync(earlierPath(dataDir), { force: true });
  else replaceFile(earlierPath(dataDir), `${[...new Set(keys)].join('\n')}\n`);
}

/** Replaces the file atomically: readers see the old file or the new one, never a part. */
function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600, flush: true });
  renameSync(fresh, path);
}

const keyPath = (dataDir: string) => join(dataDir, 'secret-key');
const earlierPath = (dataDir: string) => join(dataDir, 'secret-key.previous');

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ENOTDIR: DATA_DIR is a file; the code that wants to write there reports it.
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'EACCES' || code === 'EPERM')
      throw new Error(
        `${path} may not be read by this user (was Tocsin started as another one before?). Start it as that user again, or give the file to this one (chown).`,
        { cause: error },
      );
    throw error;
  }
}
