// Browser tests need a Chromium; on a Debian machine where we may install one, we do, once.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { findBrowser, noBrowser } from './browser.ts';

const run = promisify(execFile);
const PATIENCE_MS = 5 * 60_000;

/** Makes a browser available where that is possible, and says what it does; without one the tests are skipped by name. */
export async function provideBrowser(): Promise<void> {
  if (findBrowser() || process.env.CHROMIUM_PATH) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall) {
    say(`${noBrowser()}; browser tests are skipped`);
    return;
  }
  say('no Chromium found; installing it for the browser tests (apt-get install chromium), once');
  try {
    const options = { timeout: PATIENCE_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    await run('/usr/bin/apt-get', ['update'], options);
    await run('/usr/bin/apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
    say(`installed ${findBrowser() ?? 'nothing that can be found'}`);
  } catch (error) {
    const reason = (error as Error & { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    say(`Chromium could not be installed (${reason}); browser tests are skipped`);
  }
}

function say(sentence: string): void {
  process.stderr.write(`tests: ${sentence}\n`);
}
