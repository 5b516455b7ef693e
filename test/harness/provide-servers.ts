// Database checks, the edge and ways to install are tested with real programs; on a Debian machine where we may install
// packages, this installs them, once.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PATIENCE_MS = 5 * 60_000;
const PLACES = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const PACKAGES = {
  mariadbd: 'mariadb-server',
  'redis-server': 'redis-server',
  caddy: 'caddy',
  nginx: 'nginx',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'systemd-analyze': 'systemd',
} as const;

/** Path of a server's program, in the usual places or on the PATH; null if there is none. */
export function findServer(program: string): string | null {
  const places = [...PLACES, ...(process.env.PATH ?? '').split(delimiter)];
  return places.map((place) => join(place, program)).find((path) => existsSync(path)) ?? null;
}

/** Installs them if possible; tests that need a missing one are skipped by name. */
export const provideServers = (): Promise<void> => providePrograms(PACKAGES);

/** Installs the packages (by program) whose programs are missing, if possible, and reports the missing ones. */
export async function providePrograms(needed: Readonly<Record<string, string>>): Promise<void> {
  const missing = Object.entries(needed).filter(([program]) => findServer(program) === null);
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    say(`there is no ${packages.join(' and no ')} here; tests that need it are skipped`);
    return;
  }
  say(`installing ${packages.join(' and ')} for the tests, once`);
  try {
    // Run level 1, and a systemd that only records: the packages start nothing by themselves.
    const offline = { RUNLEVEL: '1', SYSTEMD_OFFLINE: '1' };
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...offline };
    const options = { timeout: PATIENCE_MS, env };
    await run('/usr/bin/apt-get', ['update'], options);
    await run('/usr/bin/apt-get', ['install', '-y', '--no-install-recommends', ...packages], options);
    // Nor at the next start of the machine: they would use ports that others need.
    const served = packages.filter((name) => ['caddy', 'nginx', 'haproxy', 'pgbouncer'].includes(name));
    if (served.length > 0 && existsSync('/usr/bin/systemctl'))
      await run('/usr/bin/systemctl', ['disable', ...served], options);
  } catch (error) {
    const reason = (error as Error & { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    say(`${packages.join(' and ')} could not be installed (${reason}); tests that need it are skipped`);
  }
}

function say(sentence: string): void {
  process.stderr.write(`tests: ${sentence}\n`);
}
