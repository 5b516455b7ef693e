// A Chromium for browser tests: any installed one, driven by playwright-core. Its headless shell, the same engine without
// windows, takes a third less processor time, but cannot receive push messages.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { DESKTOP, makeAsNew } from './as-new.ts';
import { closeAfterAll } from './database.ts';

const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** `whole`: a complete browser. `quick`: that, or a headless shell if there is one. */
export type BrowserKind = 'quick' | 'whole';

/** Path of a Chromium or Chrome: CHROMIUM_PATH, the usual places, the PATH, playwright's own downloads. */
export function findBrowser(kind: BrowserKind = 'quick'): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  return (kind === 'quick' ? findShell() : null) ?? find(NAMES, (path) => !isShell(path));
}

/** Path of a headless shell; null if there is none. */
export const findShell = (): string | null => find(SHELLS, isShell);

const isShell = (path: string) => /headless[-_]shell(\.exe)?$/.test(path);

function find(names: readonly string[], wanted: (path: string) => boolean): string | null {
  const folders = [...PLACES, ...(process.env.PATH ?? '').split(delimiter)];
  const candidates = folders.flatMap((place) =>
    place.endsWith('.exe') || place.includes('.app/') ? [place] : names.map((name) => join(place, name)),
  );
  return [...candidates, ...playwrightDownloads()].filter(wanted).find((path) => existsSync(path)) ?? null;
}

function playwrightDownloads(): string[] {
  const caches = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
    join(homedir(), 'AppData/Local/ms-playwright'),
  ];
  return caches.flatMap((cache) => {
    if (!cache || !existsSync(cache)) return [];
    const versions = readdirSync(cache).filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name));
    return versions.flatMap((version) =>
      [
        'chrome-linux/chrome',
        'chrome-linux64/chrome',
        'chrome-linux/headless_shell',
        'chrome-headless-shell-linux64/chrome-headless-shell',
        'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
        'chrome-win/chrome.exe',
      ].map((path) => join(cache, version, path)),
    );
  });
}

/** For the `skip` option of a browser test: false, or the reason, which the report shows beside the test's name. */
export function noBrowser(kind: BrowserKind = 'quick'): string | false {
  if (findBrowser(kind)) return false;
  const given = process.env.CHROMIUM_PATH;
  return given
    ? `CHROMIUM_PATH names ${given}, which is not there`
    : 'no Chromium or Chrome found (install one, or set CHROMIUM_PATH)';
}

/** A test's part of the browser: its own contexts, which end with it. */
export type TestBrowser = Pick<Browser, 'newContext'> & {
  /** A page in a context of its own, as on a desktop: one that an earlier test has given back, made as new, or a new one. */
  desktopPage(): Promise<Page>;
  close(): Promise<void>;
};

/** Time limit of a step: a busy machine shows the same page several times as slowly. */
const PATIENCE_MS = 90_000;

const running = new Map<BrowserKind, Promise<Browser>>();
/** Pages of `desktopPage`: those that a test has, and those that nobody uses. */
const inUse = new Map<Page, Browser>();
const free = new Map<Browser, Page[]>();

/** Ends a test's use of a page: the next test gets it if it is one of `desktopPage`, and another is closed with its context. */
export async function giveBack(page: Page): Promise<void> {
  const browser = inUse.get(page);
  inUse.delete(page);
  if (browser && (await makeAsNew(page).catch(() => false)))
    free.set(browser, [...(free.get(browser) ?? []), page]);
  else await page.context().close();
}

/**
 * Opens a headless browser: the process has one Chromium of a kind for all its tests. Each test has its own contexts, which are
 * isolated from each other. Closing closes these.
 */
export async function openBrowser(kind: BrowserKind = 'quick'): Promise<TestBrowser> {
  const browser = await runningBrowser(kind);
  const contexts: BrowserContext[] = [];
  const pages: Page[] = [];
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return {
    async newContext(options) {
      const context = await newContext(options);
      contexts.push(context);
      return context;
    },
    async desktopPage() {
      const page = free.get(browser)?.pop() ?? (await (await newContext(DESKTOP)).newPage());
      inUse.set(page, browser);
      pages.push(page);
      return page;
    },
    async close() {
      const left = pages.filter((page) => inUse.has(page));
      await Promise.all([...contexts.map((context) => context.close()), ...left.map(giveBack)]);
    },
  };
}

/** Launched at the first use, and again if it has ended. */
async function runningBrowser(kind: BrowserKind): Promise<Browser> {
  const present = await running.get(kind)?.catch(() => null);
  if (present?.isConnected()) return present;
  if (!running.has(kind)) closeAfterAll(async () => (await running.get(kind)?.catch(() => null))?.close());
  const launched = launch(kind);
  running.set(kind, launched);
  return launched;
}

async function launch(kind: BrowserKind): Promise<Browser> {
  const executablePath = findBrowser(kind);
  if (!executablePath) throw new Error(noBrowser(kind) || '');
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    headless: true,
    // Playwright would end the process before it has cleaned up. The browser ends with it in any case.
    handleSIGINT: false,
    args: [
      // Chromium's sandbox does not work for root; the tests open only our own pages.
      ...(isRoot ? ['--no-sandbox'] : []),
      // Custom domains of tests are on this machine.
      '--host-resolver-rules=MAP *.example.test 127.0.0.1',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // No function runs long enough in a test to repay its optimizing: it took 7 % of the pages' processor time.
      '--js-flags=--no-opt',
      // The pages of one context share a process, and what it has compiled.
      '--process-per-site',
    ],
  });
}
