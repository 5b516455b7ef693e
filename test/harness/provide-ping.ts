// Checks of type ping run the system's `ping`; on a Debian machine where we may install packages, this installs it, once.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { findServer } from './provide-servers.ts';

const run = promisify(execFile);
const PATIENCE_MS = 2 * 60_000;

/** Whether `ping` reaches this machine itself. */
export const canPing = (): boolean =>
  spawnSync('ping', ['-c', '1', '127.0.0.1'], { timeout: 5_000, stdio: 'ignore' }).status === 0;

/** Installs `ping` if possible; without it the tests that need it are skipped by name. */
export async function providePing(): Promise<void> {
  if (canPing()) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall || findServer('ping') !== null)
    return say('no ping that may send here; the tests that need it are skipped');
  say('no ping found; installing it (apt-get install iputils-ping), once');
  try {
    const options = { timeout: PATIENCE_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    await run('/usr/bin/apt-get', ['update'], options);
    await run('/usr/bin/apt-get', ['install', '-y', '--no-install-recommends', 'iputils-ping'], options);
  } catch (error) {
    say(`ping could not be installed (${String(error).split('\n')[0]}); the tests that need it are skipped`);
  }
}

function say(sentence: string): void {
  process.stderr.write(`tests: ${sentence}\n`);
}
