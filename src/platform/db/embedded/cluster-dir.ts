// The cluster's folders: DATA_DIR/postgres with the data, and a private one in the temporary folder for its socket.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demandDataDir } from '#src/platform/data-dir.ts';
import { randomToken } from '#src/platform/secrets.ts';
import type { Binaries } from './binaries.ts';
import { CHILD_ENVIRONMENT, type RunAs, type User, usable } from './run-as.ts';

const run = promisify(execFile);

/** Creates the data directory if it is missing and returns its real path. */
export async function openDataDir(dataDir: string): Promise<string> {
  // Others may pass through (PostgreSQL's user, if the server is root) but not list; each folder in it is private.
  demandDataDir(dataDir);
  return realpath(dataDir);
}

/** Major version of the cluster in `clusterDir`; null if there is none yet. */
export async function clusterMajor(clusterDir: string): Promise<number | null> {
  const text = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw new Error(
        `The database in ${clusterDir} belongs to another user (was Tocsin started as root before?). Start it as that ` +
          `user again, or give the folder to this one: chown -R "$(id -u)" ${clusterDir}`,
      );
    },
  );
  return text === null ? null : Number.parseInt(text, 10);
}

/** Refuses a cluster of another PostgreSQL major version, or one that this user cannot use. */
export async function checkCluster(
  clusterDir: string,
  binaries: Binaries,
  user: User | null,
): Promise<boolean> {
  const major = await clusterMajor(clusterDir);
  if (major === null) return false;
  if (major !== binaries.major) {
    throw new Error(
      `The data in ${clusterDir} was written by PostgreSQL ${major}; this version of Tocsin brings PostgreSQL ` +
        `${binaries.major}, which cannot read it. Start the Tocsin version that wrote it, or move the data over with ` +
        'pg_dump and pg_restore to a server of your own and set DATABASE_URL.',
    );
  }
  if (!user && process.platform !== 'win32' && !(await usable(clusterDir))) {
    throw new Error(`The database folder ${clusterDir} is not readable and writable for this user.`);
  }
  if (user) await own(clusterDir, user);
  return true;
}

/**
 * Creates a new cluster in a temporary place and moves it once it is complete, so that an interrupted start leaves no half-made
 * one. UTF-8 with PostgreSQL's own C.UTF-8 locale: the same sort order on every system.
 */
export async function initCluster(
  clusterDir: string,
  binaries: Binaries,
  runAs: RunAs,
  password: string | null,
) {
  const fresh = `${clusterDir}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  if (runAs.user) await chown(fresh, runAs.user.uid, runAs.user.gid);
  const passwordFile = `${clusterDir}.password`;
  if (password) await writeFile(passwordFile, password, { mode: 0o600 });
  const { file, args, options } = runAs.command(binaries.initdb, [
    `--pgdata=${fresh}`,
    '--username=tocsin',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // On Unix the socket lies in a folder only this user can enter: the folder is the lock.
    ...(password ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`] : ['--auth=trust']),
    ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
    '--no-instructions',
  ]);
  try {
    await run(file, args, { ...options, cwd: '/', env: CHILD_ENVIRONMENT, windowsHide: true });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`PostgreSQL could not make a new database in ${clusterDir}:\n${stderr || message}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(fresh, clusterDir);
}

/** Gives a cluster that root copied (from a backup, say) to the user that PostgreSQL runs as. */
async function own(path: string, user: User): Promise<void> {
  const status = await lstat(path);
  if (status.uid === user.uid) return;
  await chown(path, user.uid, user.gid);
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
}

/**
 * The private folder of the sockets, mode 0700. It lies in the temporary folder because a socket's path has at most
 * 107 bytes, and the data directory's path may be longer.
 */
export async function openSocketDir(dataDir: string, user: User | null): Promise<string> {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const base = tmpdir().length <= 60 ? tmpdir() : '/tmp';
  const path = join(base, `tocsin-${hash}`);
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const status = await lstat(path);
  const ours = [process.getuid?.() ?? 0, user?.uid];
  if (process.platform !== 'win32' && (!status.isDirectory() || !ours.includes(status.uid))) {
    throw new Error(
      `The folder ${path}, which Tocsin needs for its database socket, belongs to another user (uid ${status.uid}). ` +
        'Remove it, or set TMPDIR to a folder of your own.',
    );
  }
  if (user) await chown(path, user.uid, user.gid);
  if (process.platform !== 'win32') await chmod(path, 0o700);
  return path;
}

/** The password of the TCP listener that Windows needs, stored beside the cluster; created at the first start. */
export async function clusterPassword(dataDir: string): Promise<string> {
  const path = join(dataDir, 'postgres-password');
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known) return known;
  const made = randomToken(24);
  await writeFile(path, made, { mode: 0o600 });
  return made;
}
