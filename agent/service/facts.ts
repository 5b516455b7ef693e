// The facts about a machine that an installation depends on.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { SERVICE_USER } from './systemd.ts';

export type Facts = {
  platform: NodeJS.Platform;
  isRoot: boolean;
  uid: number;
  userName: string;
  home: string;
  /** The user who called sudo; null: nobody. */
  sudoUser: string | null;
  /**
   * Absolute paths of Node, as it will probably be found after its next upgrade, and as it really is; of the program's own
   * file.
   */
  node: string;
  realNode: string;
  own: string;
  /** null: the machine does not run systemd. */
  systemdVersion: number | null;
  /** Whether the service's user exists. */
  hasUser: boolean;
};

/** The facts about this machine. `own`: the file of this program. */
export function gatherFacts(
  own: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Facts {
  const { platform } = process;
  const uid = process.getuid?.() ?? -1;
  return {
    ...{ platform, uid, own, node: lastingPath(process.execPath, env.PATH), home: homedir() },
    realNode: process.execPath,
    isRoot: uid === 0,
    userName: userInfo().username,
    sudoUser: env.SUDO_USER && env.SUDO_USER !== 'root' ? env.SUDO_USER : null,
    systemdVersion: platform === 'linux' ? systemdVersion() : null,
    hasUser: platform === 'linux' && new RegExp(`^${SERVICE_USER}:`, 'm').test(passwd()),
  };
}

/**
 * Node knows the real path of its file, which may contain its version (Homebrew): a name in the PATH that leads to it is
 * better.
 */
export function lastingPath(node: string, path = ''): string {
  for (const folder of path.split(delimiter)) {
    const named = join(folder, 'node');
    try {
      if (folder.startsWith('/') && realpathSync(named) === node) return named;
    } catch {
      // Not in this folder.
    }
  }
  return node;
}

function systemdVersion(): number | null {
  if (!existsSync('/run/systemd/system')) return null;
  try {
    const said = execFileSync('systemctl', ['--version'], { encoding: 'utf8', timeout: 10_000 });
    return Number(/^systemd (\d+)/.exec(said)?.[1] ?? 0);
  } catch {
    return null;
  }
}

function passwd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}
