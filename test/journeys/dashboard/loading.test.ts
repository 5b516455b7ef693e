// What a page does while the way to its server is bad: nothing on it may wait for ever, and nothing may be missed.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, heading, signedInPage } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: true });
let dashboard: Dashboard;
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
  },
  { timeout: 120_000 },
);

const base = () => `${dashboard.url}/app/o/${dashboard.orgId}`;
const declare = (cause: string) =>
  dashboard.admin.ok<{ id: string }>('POST', `${dashboard.orgPath}/incidents`, {
    cause,
    severity: 'critical',
  });

async function anotherTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  return page;
}

// A browser opens six connections to a server.
test('a seventh tab loads and is live like the first', { skip }, async (t) => {
  const first = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  const context = first.context();
  closeAfter(t, first);
  const tabs = [first];
  while (tabs.length < 7) tabs.push(await anotherTab(context));
  for (const tab of tabs) {
    await tab.goto(`${base()}/incidents`);
    await live(tab).waitFor();
  }
  await declare('All seven tell it');
  for (const tab of tabs)
    await tab.getByRole('main').getByRole('link', { name: 'All seven tell it' }).waitFor();
  // Who closes a tab takes nothing from the others.
  await first.close();
  await declare('The other six too');
  for (const tab of tabs.slice(1))
    await tab.getByRole('main').getByRole('link', { name: 'The other six too' }).waitFor();
});

test('changes between the first reads and the opening of the stream are not missed', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  const context = page.context();
  closeAfter(t, page);
  const { promise: happened, resolve: happens } = Promise.withResolvers<void>();
  await context.route('**/events?*', (route) => happened.then(() => route.continue()));
  await page.goto(`${base()}/incidents?text=Between`);
  await page.getByText('No incident matches').waitFor();
  await declare('Between the two');
  happens();
  await page.getByRole('main').getByRole('link', { name: 'Between the two' }).waitFor();
});

test('a page of something that does not exist keeps saying so while it is asked for again', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const { promise: isOpen, resolve: opens } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answers } = Promise.withResolvers<void>();
  let asked = 0;
  // The stream is then this page's own, which can be held.
  await page.addInitScript('delete window.SharedWorker');
  await page.route('**/events?*', (route) => isOpen.then(() => route.continue()));
  await page.route('**/monitors/mon_none', async (route) => {
    if (route.request().isNavigationRequest()) return route.continue();
    asked += 1;
    if (asked > 1) await answered;
    return route.continue();
  });
  await page.goto(`${base()}/monitors/mon_none`);
  const back = page.getByRole('main').getByRole('link', { name: 'Monitors' }).last();
  await page.getByText('This monitor does not exist').waitFor();
  await back.focus();
  // What was read before the stream was open is read again.
  opens();
  await until(() => asked === 2, 'it is asked for again');
  await page.keyboard.press('Enter');
  await heading(page, 'Monitors').waitFor();
  answers();
});

/** A router before the dashboard that can lose the live streams that are open, without a word to either side. */
async function startRouter(): Promise<{ url: string; loseStreams: () => number; stop: () => void }> {
  const streams = new Map<IncomingMessage, ServerResponse>();
  const server = createServer((asked, answer) => {
    const { method, headers } = asked;
    const forwarded = request(`${dashboard.url}${asked.url}`, { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
      if (asked.url?.includes('/events?')) streams.set(answered, answer);
    });
    forwarded.on('error', () => answer.destroy());
    answer.on('close', () => forwarded.destroy());
    asked.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    loseStreams() {
      for (const [answered, answer] of streams) answered.unpipe(answer).resume();
      return streams.size;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('a live stream that was lost without a word is opened anew', { skip }, async (t) => {
  const router = await startRouter();
  t.after(() => router.stop());
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  // Its stream is then this page's own, and keeps time by the page's clock.
  await page.addInitScript('delete window.SharedWorker');
  await page.clock.install();
  await page.goto(`${router.url}/app/o/${dashboard.orgId}/incidents`);
  await live(page).waitFor();
  assert.equal(router.loseStreams(), 1);
  await declare('Lost on the way');
  // Time stands still from here, or the list would be read again anyway, once a minute. In steps: the server is asked whether it is
  // there, and must be left time to answer.
  await page.clock.pauseAt(Date.now() + 10_000);
  for (let seconds = 0; seconds < 22; seconds += 2) {
    await page.clock.runFor(2_000);
    await page.evaluate("fetch('/readyz').then((answer) => answer.text())");
  }
  const link = page.getByRole('main').getByRole('link', { name: 'Lost on the way' });
  await until(async () => {
    await page.clock.runFor(1);
    return (await link.count()) === 1;
  }, 'the incident is listed');
});

test('a browser that believes it is offline still reads from a reachable server', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(`${base()}/monitors`);
  await live(page).waitFor();
  await page.evaluate("dispatchEvent(new Event('offline'))");
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Maintenance' }).click();
  await page.getByText('No maintenance planned').waitFor();
});

test('a read whose answer was lost is retried', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.clock.install();
  await page.goto(`${base()}/monitors`);
  await live(page).waitFor();
  const { promise: first, resolve: asks } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/maintenance-windows*', (route) => {
    asked += 1;
    // The first one is never answered: not now, and not later.
    if (asked > 1) return route.continue();
    asks();
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Maintenance' }).click();
  await first;
  await page.clock.runFor(20_000);
  await page.getByText('No maintenance planned').waitFor();
  assert.ok(asked > 1);
});

test('a dashboard whose first script did not arrive reloads itself, but not again and again', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.clock.install();
  let asked = 0;
  let isBack = false;
  await page.route('**/app/assets/app-*.js', (route) => {
    asked += 1;
    return isBack ? route.continue() : route.fulfill({ status: 404 });
  });
  await page.goto(`${base()}/on-call`);
  await until(() => asked === 2, 'it was reloaded');
  await page.clock.runFor(20_000);
  assert.equal(asked, 2);
  isBack = true;
  await page.clock.runFor(15_000);
  await heading(page, 'On-call').waitFor();
  assert.equal(asked, 3);
});

test('a page whose styles or script failed to load once recovers by itself', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  for (const [file, address, title] of [
    ['DeclarePage*.css', 'incidents/new', 'Declare an incident'],
    ['MaintenancePage*.js', 'maintenance', 'Maintenance'],
  ] as const) {
    let cut = 0;
    await page.route(`**/assets/${file}`, (route) => {
      cut += 1;
      return cut > 1 ? route.continue() : route.abort('internetdisconnected');
    });
    await page.goto(`${base()}/${address}`);
    await heading(page, title).waitFor();
    assert.ok(cut > 1, file);
  }
});

test('a page whose code does not load is named so in the title of its tab', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.route('**/assets/ReportsPage*.js', (route) => route.abort('internetdisconnected'));
  // An alarm of the tests above would stand in its place.
  await page.route('**/on-call/ringing', (route) => route.fulfill({ json: [] }));
  await page.goto(`${base()}/reports`);
  await heading(page, 'This page couldn’t be loaded').waitFor();
  await until(
    async () => /This page couldn’t be loaded · Tocsin$/.test(await page.title()),
    'the tab is named so',
  );
});

test('a page whose code loads slowly does not leave the previous page on screen', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const { promise: arrived, resolve: arrives } = Promise.withResolvers<void>();
  await page.route('**/assets/MaintenancePage*.js', (route) => arrived.then(() => route.continue()));
  await page.goto(`${base()}/on-call`);
  await heading(page, 'On-call').waitFor();
  const loading = page.getByRole('main').getByRole('status', { name: 'Loading' });
  await until(async () => (await loading.count()) === 0, 'what the page before shows is there');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Maintenance' }).click();
  await loading.waitFor();
  assert.equal(await heading(page, 'On-call').count(), 0);
  arrives();
  await heading(page, 'Maintenance').waitFor();
});

test('the API reference works from installed files, under a policy without foreign hosts', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const foreign: string[] = [];
  const broken: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== dashboard.url) foreign.push(request.url());
  });
  page.on('pageerror', (error) => broken.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') broken.push(message.text());
  });
  // Two operations are enough: showing all of them takes seconds of processor time.
  await page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    const { paths, ...rest } = (await response.json()) as { paths: Record<string, unknown> };
    const few = Object.entries(paths).filter(([path]) => /^\/me(\/organizations)?$/.test(path));
    await route.fulfill({ response, json: { ...rest, paths: Object.fromEntries(few) } });
  });
  await page.goto(`${dashboard.url}/docs`);
  const operation = page.locator('.opblock').filter({ hasText: '/me/organizations' }).first();
  await operation.getByRole('button').first().click();
  await operation.getByText('Responses').first().waitFor();
  assert.deepEqual({ foreign, broken }, { foreign: [], broken: [] });
});
