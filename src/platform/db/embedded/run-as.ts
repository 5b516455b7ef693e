// Chooses the user that PostgreSQL runs as. PostgreSQL refuses uid 0, so a server started as root uses an unprivileged user.
import { execFile } from 'node:child_process';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SETPRIV = '/usr/bin/setpriv';
const NOBODY = 65534;

/** PostgreSQL sees none of the server's environment (secrets). Windows needs its own variables to start a program. */
export const CHILD_ENVIRONMENT =
  process.platform === 'win32'
    ? undefined
    : { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

export type User = { uid: number; gid: number };

/** How to start one of PostgreSQL's programs; `user` is null if it is our own user. */
export type RunAs = {
  user: User | null;
  command(
    program: string,
    args: readonly string[],
  ): { file: string; args: string[]; options: { uid?: number; gid?: number } };
};

/** The unprivileged user for a cluster: its current owner, else `postgres` if that exists, else nobody. */
export async function unprivilegedUser(clusterDir: string): Promise<User | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(clusterDir).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const entry = /^postgres:[^:]*:(\d+):(\d+):/m.exec(passwd);
  return entry ? { uid: Number(entry[1]), gid: Number(entry[2]) } : { uid: NOBODY, gid: NOBODY };
}

/**
 * Decides how to run the programs so that they reach `paths` (the binaries, the data directory).
 * Started as root with a closed folder on the way (typically a checkout under /root), it gives the unprivileged user
 * the one capability that reads past the folder, instead of opening the folder to everybody.
 */
export async function runAs(user: User | null, paths: readonly string[], program: string): Promise<RunAs> {
  const setpriv = await hasSetpriv();
  // If the server is killed with -9, the kernel sends PostgreSQL SIGINT (fast shutdown).
  const withParent = setpriv ? ['--pdeathsig', 'INT'] : [];
  if (!user) return wrapped(user, withParent);
  const blocked = await firstBlocked(user, paths);
  const drop = ['--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups'];
  if (!blocked) {
    if (setpriv) return wrapped(user, [...drop, ...withParent]);
    return { user, command: (file, args) => ({ file, args: [...args], options: user }) };
  }
  const past = ['--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search'];
  // initdb checks its own programs with access(2), which needs this bit to see past closed folders.
  past.push('--securebits', '+no_setuid_fixup');
  const result = wrapped(user, [...drop, ...past, ...withParent]);
  if (setpriv) {
    const { file, args } = result.command(program, ['--version']);
    if (await run(file, args, { cwd: '/', env: CHILD_ENVIRONMENT }).catch(() => null)) return result;
  }
  throw new Error(
    `PostgreSQL does not run as root, and the user it would run as (uid ${user.uid}) may not enter ${blocked}. ` +
      'Start Tocsin as an ordinary user, or move the installation and DATA_DIR to a folder that others may enter ' +
      `(for example /opt, or: chmod o+x ${blocked}). With DATABASE_URL set, no PostgreSQL is started at all.`,
  );
}

function wrapped(user: User | null, flags: readonly string[]): RunAs {
  return {
    user,
    command: (program, args) =>
      flags.length === 0
        ? { file: program, args: [...args], options: {} }
        : { file: SETPRIV, args: [...flags, program, ...args], options: {} },
  };
}

/** util-linux 2.33 or newer; BusyBox's program of that name knows none of the flags. */
async function hasSetpriv(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { stdout } = await run(SETPRIV, ['--version']).catch(() => ({ stdout: '' }));
  const [, major, minor] = /util-linux (\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) * 1000 + Number(minor) >= 2033;
}

/** The outermost folder on the way to one of `paths` that `user` may not enter, or the file it may not read. */
async function firstBlocked(user: User, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const way = [path];
    for (let parent = dirname(path); parent !== way[0]; parent = dirname(parent)) way.unshift(parent);
    for (const step of way) {
      const status = await stat(step).catch(() => null);
      if (!status) continue; // does not exist yet: we create it, with its owner
      const shift = status.uid === user.uid ? 6 : status.gid === user.gid ? 3 : 0;
      const needed = status.isDirectory() && step !== path ? constants.X_OK : constants.R_OK | constants.X_OK;
      if (((status.mode >> shift) & needed) !== needed) return step;
    }
  }
  return null;
}

/** Whether this process may use a folder (it is not root, and the cluster belongs to another user). */
export async function usable(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
