// Browser tests need a Chromium; on a Debian machine where we may install packages, this installs one, once. Its headless
// shell, which most of them use, is a separate package.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { findBrowser, findShell, noBrowser } from './browser.ts';

const run = promisify(execFile);
const PATIENCE_MS = 5 * 60_000;
const SHELL = 'chromium-headless-shell';

/** Installs a browser if possible, and reports what it does; without one the tests are skipped by name. */
export async function provideBrowser(): Promise<void> {
  if (process.env.CHROMIUM_PATH) return;
  const isMissing = findBrowser('whole') === null;
  if (!isMissing && findShell() !== null) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall) {
    if (isMissing) say(`${noBrowser('whole')}; tests that need it are skipped`);
    return;
  }
  try {
    if (isMissing) await apt('update');
    const shells = findShell() === null && (await isOffered(SHELL)) ? [SHELL] : [];
    const packages = [...(isMissing ? ['chromium'] : []), ...shells];
    if (packages.length === 0) return;
    say(`installing ${packages.join(' and ')} for the browser tests (apt-get install), once`);
    await apt('install', '-y', '--no-install-recommends', ...packages);
  } catch (error) {
    const reason = (error as Error & { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    say(
      `not everything could be installed for the browser tests (${reason}); those that need it are skipped`,
    );
  }
}

async function apt(...words: string[]): Promise<void> {
  const options = { timeout: PATIENCE_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('/usr/bin/apt-get', words, options);
}

/** A package on Debian, but not on its derivatives. */
async function isOffered(name: string): Promise<boolean> {
  const { stdout } = await run('/usr/bin/apt-cache', ['policy', name]).catch(() => ({ stdout: '' }));
  return /Candidate: \d/.test(stdout);
}

function say(sentence: string): void {
  process.stderr.write(`tests: ${sentence}\n`);
}
