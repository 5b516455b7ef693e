// The common steps of browser tests on a page: finding its heading, pressing its buttons, and watching for errors.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Cookie, Locator, Page, Route } from 'playwright-core';
import { giveBack, openBrowser, type TestBrowser } from './browser.ts';
import { ADMIN, type Installation, startInstallation } from './installation.ts';
import { until } from './until.ts';

/** An installation and a browser, started side by side; both end with `stack`. */
export async function startWithBrowser(
  stack: AsyncDisposableStack,
  options: Parameters<typeof startInstallation>[0] = {},
): Promise<{ installation: Installation; browser: TestBrowser }> {
  const starting = startInstallation(options).then((installation) => {
    stack.defer(() => installation.remove());
    return installation;
  });
  const opening = openBrowser().then((browser) => {
    stack.defer(() => browser.close());
    return browser;
  });
  // If one of the two fails, the other is ended too.
  await Promise.allSettled([starting, opening]);
  return { installation: await starting, browser: await opening };
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/**
 * Turns a switch with the keyboard, once its state is known. Its box has no size, so a click could only be forced at a point,
 * and misses if content above has just loaded and moved it.
 */
export async function flip(within: Page | Locator, name: string): Promise<void> {
  const found = within.getByRole('switch', { name });
  await until(() => found.isEnabled(), `the switch "${name}" is ready`);
  await found.press('Space');
}

/**
 * Follows a link of the navigation. While the code of a page loads, the previous page stays: an element on both, such as a
 * monitor's name, would be pressed on the wrong one.
 */
export async function goTo(page: Page, place: string | RegExp, title: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: place }).click();
  await heading(page, title).waitFor();
}

/**
 * Opens addresses at the width of the window, each until it has loaded; fails if one is wider than that. They are reached by
 * navigation within the page, which costs a quarter of loading it; the first is loaded where the page is not the dashboard yet,
 * or its language was changed in the storage.
 */
export async function fits(page: Page, ...addresses: readonly string[]): Promise<void> {
  const isShown =
    "'__TSR_ROUTER__' in window && [document.documentElement.lang, null].includes(localStorage.getItem('tocsin-language'))";
  for (const [i, address] of addresses.entries()) {
    await (i > 0 || (await page.evaluate<boolean>(isShown)) ? follow(page, address) : page.goto(address));
    await loaded(page);
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(beyond <= 0, `${page.url()} is ${beyond} px too wide`);
  }
}

/**
 * Waits until a page has its heading, and nothing of it is still loading. Where that does not come, the error says what
 * the page shows at which address.
 */
export async function loaded(page: Page): Promise<void> {
  // What a page had before stays until the next has come, dimmed.
  const loading = page
    .getByRole('status', { name: /^(Loading|Lädt)$/ })
    .or(page.locator('[aria-busy="true"]'));
  try {
    await heading(page, /./).waitFor();
    await until(async () => (await loading.count()) === 0, `${page.url()} has loaded`);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new Error(`${why}\n${await shownOn(page)}`, { cause: error });
  }
}

/**
 * Navigates to an address of the dashboard within the page, until its own page is shown and no longer the previous one. As when an
 * address is typed, nobody is asked about what they have not saved.
 */
export async function follow(page: Page, address: string): Promise<void> {
  const { pathname, search } = new URL(address);
  await page.evaluate(
    `__TSR_ROUTER__.history.push(${JSON.stringify(pathname + search)}, undefined, { ignoreBlocker: true })`,
  );
  // The router considers a location resolved once its page is rendered.
  const shown = `(({ location, resolvedLocation }) =>
    location === resolvedLocation && location.publicHref === document.location.pathname + document.location.search
      ? document.location.pathname : null)(__TSR_ROUTER__.state)`;
  await until(async () => (await page.evaluate(shown)) === pathname, `${address} is shown`);
}

/**
 * Opens the dashboard, which leads to its first organization; answers that organization's id. Where it does not get
 * there, the error says what the page shows and which requests were refused.
 */
export async function openFirstOrganization(page: Page, url: string): Promise<string> {
  const seen = watch(page);
  await page.goto(`${url}/app/`);
  try {
    await page.waitForURL(/\/o\/org_/);
  } catch (error) {
    const shown = await page.locator('body').innerText();
    throw new Error(`${page.url()} shows "${shown}" after ${JSON.stringify(seen)}`, { cause: error });
  }
  return /\/o\/([^/]+)/.exec(page.url())?.[1] ?? '';
}

/** Answers the next write to this path only when `answer` is called; with `instead`, not by the server. */
export async function holdWrite(page: Page, path: string, instead?: Parameters<Route['fulfill']>[0]) {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    asked.resolve();
    await answer.promise;
    return instead ? route.fulfill(instead) : route.continue();
  });
  return { asked: asked.promise, answer: answer.resolve };
}

/** Chooses an option of a select by its text. */
export async function choose(page: Page, field: string | RegExp, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** What a person would see on a page: its address, and its text with the words of fields and buttons left as they are. */
async function shownOn(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2_000 })
    .catch((error: Error) => error.message);
  return `${page.url()} shows:\n${text}`;
}

/**
 * Steps of one journey through the dashboard: each is a test, after which `check` looks at what happened beside; what follows
 * one that failed is skipped. The error of a step says what `page` shows.
 */
export function stepsOf(t: TestContext, page: Page, check: () => void) {
  let failed = false;
  return (behaviour: string, run: () => Promise<void>): Promise<void> =>
    t.test(behaviour, { skip: failed && 'an earlier step failed' }, async () => {
      try {
        await run();
        check();
      } catch (error) {
        failed = true;
        throw new Error(`${error instanceof Error ? error.message : error}\n${await shownOn(page)}`, {
          cause: error,
        });
      }
    });
}

/** Ends the use of a page after a test (`giveBack`); one that failed says what the page showed. */
export function closeAfter(t: TestContext, page: Page): void {
  t.after(async () => {
    if (!t.passed) t.diagnostic(await shownOn(page));
    await giveBack(page);
  });
}

/** Records errors on a page, and refused requests with their status. */
export function watch(page: Page) {
  const seen = { refused: [] as string[], broken: [] as string[] };
  page.on('pageerror', (error) => seen.broken.push(error.message));
  page.on('console', (message) => {
    // Includes violations of the content security policy. Refused requests are recorded below.
    if (!['error', 'warning'].includes(message.type())) return;
    // A browser plays no sound before the first click; the loud alarm tries anyway, which is no error.
    if (/^Failed to load resource|^The AudioContext was not allowed/.test(message.text())) return;
    seen.broken.push(message.text());
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // A parallel test that creates a network namespace changes the machine's network; the read is then repeated.
    const isReadAgain = why === 'net::ERR_NETWORK_CHANGED' && ['GET', 'HEAD'].includes(request.method());
    // Leaving a page ends its live stream and its unfinished requests.
    if (why !== 'net::ERR_ABORTED' && !isReadAgain)
      seen.broken.push(`${request.method()} ${request.url()}: ${why}`);
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const kind = pathname.split('/').at(-1);
    if (response.status() >= 400)
      seen.refused.push(`${response.status()} ${response.request().method()} ${kind}`);
  });
  return seen;
}

/** Sessions by the e-mail address of their people, of those who have a browser. */
const sessions = new WeakMap<TestBrowser, Map<string, Cookie[]>>();

/**
 * A page of a signed-in person, with the password that everybody has in tests. They sign in once for all tests of a browser:
 * checking a password takes long on purpose.
 */
export async function signedInPage(browser: TestBrowser, url: string, email: string): Promise<Page> {
  const page = await browser.desktopPage();
  const context = page.context();
  const known = sessions.get(browser) ?? new Map<string, Cookie[]>();
  sessions.set(browser, known);
  const cookies = known.get(email);
  if (cookies) {
    await context.addCookies(cookies);
    return page;
  }
  const answer = await context.request.post(`${url}/auth/sign-in/email`, {
    data: { email, password: ADMIN.password },
    headers: { origin: url },
  });
  assert.equal(answer.status(), 200);
  known.set(email, await context.cookies());
  return page;
}
