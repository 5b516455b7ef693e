// Documents of status pages in a real browser, served as the application serves them: accessible in every state, legible on
// every screen, and made better by their script.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { renderEmbed } from '#src/status-pages/public/embed.ts';
import { renderChoosePassword, renderForgotPassword, renderLocked } from '#src/status-pages/public/locked.ts';
import { renderNotFound } from '#src/status-pages/public/not-found.ts';
import {
  EMBED_HEADERS,
  PAGE_HEADERS,
  renderHistory,
  renderIncident,
  renderPage,
} from '#src/status-pages/public/page.ts';
import { huge, operational, outage, SCENES } from '#src/status-pages/public/scenes.testing.ts';
import { AT, shownAs } from '#src/status-pages/public/snapshot.testing.ts';
import type { Snapshot } from '#src/status-pages/public/snapshot.ts';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser, openBrowser, type TestBrowser } from '#test/harness/browser.ts';
import { httpServer } from '#test/harness/listeners.ts';

const OPTIONS = { skip: noBrowser(), timeout: 120_000 };
const PHONE = { width: 390, height: 844 };
const EXTRA = { asOf: false, subscribe: true };

/** Serves what `documentOf` answers, with a tag; counts what was sent whole and what was not. */
async function served(t: TestContext, documentOf: (path: string) => string | null) {
  const answers = { whole: 0, unchanged: 0, away: false };
  const port = await httpServer(t, (request, response) => {
    const body = documentOf(request.url ?? '/');
    if (answers.away) return void request.socket.destroy();
    if (body === null) return void response.writeHead(404).end();
    const etag = `"${Buffer.from(body).length}-${body.includes('Major outage')}"`;
    for (const [name, value] of Object.entries(request.url === '/embed' ? EMBED_HEADERS : PAGE_HEADERS))
      response.setHeader(name, value);
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) {
      answers.unchanged++;
      return void response.writeHead(304).end();
    }
    answers.whole++;
    response.end(body);
  });
  return { base: `http://127.0.0.1:${port}`, answers };
}

async function open(t: TestContext, address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const browser: TestBrowser = await openBrowser();
  t.after(() => browser.close());
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: PHONE,
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/net::ERR/.test(message.text())) problems.push(message.text());
  });
  t.after(() => assert.deepEqual(problems, [], 'no error, and nothing that the policy blocks'));
  await page.clock.install({ time: AT });
  await page.goto(address);
  return page;
}

const openAll = (page: Page) =>
  page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true;');

const months = [
  {
    month: '2026-11',
    monitors: [{ id: 'mon_1', label: 'Website', uptimePct: 99.95, downtimeSeconds: 1260 }],
  },
];
const LOCKED = { language: 'en', action: '/unlock', forgotHref: '/forgot' } as const;
const SMALL: Readonly<Record<string, () => string>> = {
  '/embed': () => renderEmbed(outage(), shownAs(), { asOf: false }),
  '/embed-old': () => renderEmbed(outage(), shownAs(), { asOf: true }),
  '/password': () => renderLocked({ ...LOCKED, kind: 'password', problem: 'wrong' }),
  '/viewer': () => renderLocked({ ...LOCKED, kind: 'viewer', problem: null }),
  '/forgot': () =>
    renderForgotPassword({ language: 'de', action: '/', backHref: '/', sent: false, problem: null }),
  '/choose': () =>
    renderChoosePassword({ language: 'de', action: '/', token: 'x', problem: 'too_short', forgotHref: null }),
  '/not-found': () => renderNotFound('en'),
  '/history': () => renderHistory(operational(), shownAs('de'), months),
  '/incident': () => renderIncident(outage(), shownAs(), outage().incidents.at(1)!.id)!,
};

test('every document is accessible, in light and dark mode, with everything expanded', OPTIONS, async (t) => {
  const { base } = await served(t, (path) => {
    const scene = SCENES[path.slice(1)];
    return scene ? renderPage(scene(), shownAs(), { ...EXTRA, asOf: true }) : (SMALL[path]?.() ?? null);
  });
  // Of the page with hundreds of monitors, every part is on another one too.
  const paths = [
    ...Object.keys(SCENES)
      .filter((name) => name !== 'huge')
      .map((name) => `/${name}`),
    ...Object.keys(SMALL),
  ];
  const page = await open(t, `${base}/operational`);
  for (const path of paths) {
    await page.goto(base + path);
    await openAll(page);
    assert.deepEqual(await violations(page), [], path);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await violations(page, ['color-contrast']), [], `${path} in the dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
});

test('no document is wider than its screen, from 320 px on', OPTIONS, async (t) => {
  const { base } = await served(t, (path) => {
    const scene = SCENES[path.slice(1)];
    return scene ? renderPage(scene(), shownAs('de'), EXTRA) : (SMALL[path]?.() ?? null);
  });
  const page = await open(t, `${base}/huge`);
  for (const path of [...Object.keys(SCENES).map((name) => `/${name}`), ...Object.keys(SMALL)]) {
    await page.goto(base + path);
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
      assert.ok(wide <= width, `${path} is ${wide} px wide on ${width}`);
    }
  }
});

test('on a phone both ends of the days stand in one line, in German too', OPTIONS, async (t) => {
  const { base } = await served(t, () => renderPage(outage(), shownAs('de'), EXTRA));
  const page = await open(t, base);
  const left = await page.getByText('vor 44 Tagen').filter({ visible: true }).first().boundingBox();
  const right = await page
    .getByText('Heute', { exact: true })
    .filter({ visible: true })
    .first()
    .boundingBox();
  assert.ok(left && right);
  assert.ok(Math.abs(right.y - left.y) < left.height / 2, `${left.y} and ${right.y}`);
});

test(
  'without JavaScript the page is complete: groups collapse, days and times are shown',
  OPTIONS,
  async (t) => {
    const { base } = await served(t, () => renderPage(outage(), shownAs(), EXTRA));
    const page = await open(t, base, { javaScriptEnabled: false });
    await page.getByRole('heading', { name: 'Partial outage', level: 1 }).waitFor();
    await page.getByText('Since 23 Nov, 14:23 CET (42 mins)').waitFor();
    assert.equal(await page.getByText('Warehouse', { exact: true }).isVisible(), false);
    await page.getByText('Internal tools').click();
    await page.getByText('Warehouse', { exact: true }).waitFor();
    await page.getByRole('img', { name: 'Last 90 days: downtime on 4 days' }).waitFor();
  },
);

test(
  'the script shows times in the visitor’s time zone, and keeps those of the page in the title',
  OPTIONS,
  async (t) => {
    const { base } = await served(t, () => renderPage(outage(), shownAs(), EXTRA));
    const page = await open(t, base, { timezoneId: 'America/New_York', locale: 'en-US' });
    await page.getByText('Since Nov 23, 08:23 AM (42 mins)').waitFor();
    assert.equal(
      await page.locator('.incident time').first().getAttribute('title'),
      '23 Nov 2026, 14:23 CET',
    );
    await page.getByText('Times are in your time zone, America/New_York.').waitFor();
  },
);

test(
  'the page refreshes itself: expanded and focused elements stay, the new state is announced',
  OPTIONS,
  async (t) => {
    let snapshot: Snapshot = operational();
    const { base, answers } = await served(t, () => renderPage(snapshot, shownAs(), EXTRA));
    const page = await open(t, base);
    const tools = page.locator('summary', { hasText: 'Internal tools' });
    await tools.press('Enter');
    await page.locator('summary', { hasText: 'Shop' }).press('Enter');
    await tools.focus();

    const answered = page.waitForResponse(base);
    await page.clock.runFor(36_000);
    await answered;
    snapshot = { ...snapshot, state: 'major_outage' };
    await page.clock.runFor(36_000);
    await page.getByRole('heading', { name: 'Major outage', level: 1 }).waitFor();
    assert.equal(await page.locator('#live').textContent(), 'Major outage');
    assert.equal(await page.title(), 'Major outage · Acme');
    assert.equal(await page.getByText('Warehouse', { exact: true }).isVisible(), true);
    assert.equal(
      await page.getByText('Website', { exact: true }).nth(1).isVisible(),
      false,
      'Shop stays folded',
    );
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /Internal tools/);

    const { whole } = answers;
    const unchanged = page.waitForResponse((response) => response.status() === 304);
    await page.clock.runFor(36_000);
    await unchanged;
    assert.equal(answers.whole, whole, 'what has not changed is not sent again');
  },
);

/** Lets more than three minutes pass, in which each refresh of the page fails. */
async function refreshInVain(page: Page): Promise<void> {
  for (let tries = 0; tries < 6; tries++) {
    const failed = page.waitForEvent('requestfailed');
    await page.clock.runFor(36_000);
    await failed;
  }
}

test('a page that cannot refresh says so, until it can', OPTIONS, async (t) => {
  const { base, answers } = await served(t, () => renderPage(operational(), shownAs(), EXTRA));
  const page = await open(t, base);
  answers.away = true;
  await refreshInVain(page);
  await page.getByText('This page has not been updated since 14:05').waitFor();
  answers.away = false;
  await page.clock.runFor(36_000);
  await page.getByText('This page has not been updated').waitFor({ state: 'hidden' });
});

test('a widget that cannot refresh says so in place of the name, until it can', OPTIONS, async (t) => {
  const { base, answers } = await served(t, SMALL['/embed']!);
  const page = await open(t, `${base}/embed`);
  await page.getByText('Acme').waitFor();
  answers.away = true;
  await refreshInVain(page);
  await page.getByText('Not updated since 14:05').waitFor();
  assert.equal(await page.getByText('Acme').isVisible(), false);
  assert.deepEqual(await violations(page), []);
  answers.away = false;
  await page.clock.runFor(36_000);
  await page.getByText('Acme').waitFor();
  await page.getByText('Not updated since').waitFor({ state: 'hidden' });
});

test('a page that waits for a selection to be copied says how old it is', OPTIONS, async (t) => {
  const { base } = await served(t, () => renderPage(operational(), shownAs(), EXTRA));
  const page = await open(t, base);
  await page.evaluate('getSelection().selectAllChildren(document.querySelector("h1"))');
  await page.clock.runFor(216_000);
  await page.getByText('This page has not been updated since 14:05').waitFor();
  const answered = page.waitForResponse(base);
  await page.evaluate('getSelection().removeAllRanges()');
  await page.clock.runFor(36_000);
  await answered;
  await page.getByText('This page has not been updated').waitFor({ state: 'hidden' });
});

test('days can be read by keyboard, pointer and touch; a phone shows the last 45', OPTIONS, async (t) => {
  const { base } = await served(t, () => renderPage(outage(), shownAs(), EXTRA));
  const page = await open(t, base, { hasTouch: true });
  const days = page.getByRole('slider', { name: 'Checkout: Last 90 days: downtime on 4 days' });
  await days.press('End');
  const hint = page.locator('.tip');
  assert.equal(await hint.textContent(), 'Mon, 23 Nov 202697%\n42 mins of downtime\nOutage: Checkout');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await days.getAttribute('aria-valuetext'), 'Sun, 22 Nov 2026: 100% · No downtime');
  await page.keyboard.press('Home');
  assert.match((await hint.textContent()) ?? '', /^Sat, 10 Oct 2026/);
  await page.keyboard.press('Escape');
  assert.equal(await hint.count(), 0);

  const box = (await days.boundingBox())!;
  await page.touchscreen.tap(box.x + box.width - 3, box.y + 10);
  assert.match((await hint.textContent()) ?? '', /^Mon, 23 Nov 2026/);
  await page.touchscreen.tap(200, 20);
  assert.equal(await hint.count(), 0);

  await page.mouse.move(box.x + 2, box.y + 10);
  assert.match((await hint.textContent()) ?? '', /^Sat, 10 Oct 2026/);
});

test('a link to a monitor expands its group', OPTIONS, async (t) => {
  const snapshot = huge();
  const { base } = await served(t, () => renderPage(snapshot, shownAs(), EXTRA));
  const { id } = snapshot.groups.at(-1)!.monitors.at(-1)!;
  const page = await open(t, `${base}/#${id}`);
  await page.locator(`#${id}`).waitFor({ state: 'visible' });
});
