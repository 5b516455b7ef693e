// The dashboard never shows an old green: neither of a monitor that nobody reports on, nor while its server is away.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { BrowserContext, Page } from 'playwright-core';
import type { Monitor } from '#src/monitors/contract.ts';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { fits, follow, heading, loaded, signedInPage, watch } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
let dashboard: Dashboard;
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
  },
  { timeout: 120_000 },
);

const base = () => `${dashboard.url}/app/o/${dashboard.orgId}`;
const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'Not connected' });
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

async function monitorNamed(name: string, given: Record<string, unknown> = {}): Promise<Monitor> {
  return dashboard.admin.ok<Monitor>('POST', `/projects/${dashboard.app.home.projectId}/monitors`, {
    name,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    ...given,
  });
}

/** As if it had all been an hour ago. */
async function longAgo(monitor: Monitor): Promise<void> {
  const { db } = dashboard.app;
  await sql`UPDATE monitors SET created_at = created_at - interval '1 hour' WHERE id = ${monitor.id}`.execute(
    db,
  );
}

test('a monitor without data says so in list and page, instead of its last state', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  t.after(() => giveBack(page));
  const fresh = await monitorNamed('Fresh');
  const silent = await monitorNamed('Silent');
  await longAgo(silent);
  const unable = await monitorNamed('Unable', { type: 'ping', config: { host: 'router.example.com' } });
  await dashboard.app.probe().says(unable.id, {
    status: 'down',
    failure_class: 'ping_unavailable',
    cause_layer: 'probe',
  });
  await page.goto(`${base()}/monitors`);
  await row(page, 'Fresh').getByText('Waiting').waitFor();
  await row(page, 'Silent').getByText('No data').waitFor();
  await row(page, 'Silent')
    .getByText(/since .*\d\d:\d\d/)
    .waitFor();
  await row(page, 'Unable').getByText('Can’t check').waitFor();
  await page.getByRole('radio', { name: 'Can’t check 1' }).waitFor({ state: 'attached' });
  await follow(page, `${base()}/monitors/${silent.id}`);
  await page
    .getByRole('region', { name: /^No data since / })
    .getByText('nobody knows whether it is up')
    .waitFor();
  await follow(page, `${base()}/monitors/${unable.id}`);
  await page
    .getByRole('region', { name: 'This monitor cannot be checked' })
    .getByText('iputils-ping')
    .waitFor();
  await page.getByRole('list', { name: 'Last check' }).getByText('Cannot be checked').waitFor();
  // Its region cannot tell: the head does not go on waiting.
  await dashboard.app
    .probe()
    .says(fresh.id, { status: 'down', failure_class: 'probe_busy', cause_layer: 'probe' });
  await follow(page, `${base()}/monitors/${fresh.id}`);
  await page.getByRole('list', { name: 'Last check' }).getByText('Unknown').waitFor();
  await page
    .getByRole('banner')
    .or(page.getByRole('main'))
    .getByText('No data', { exact: true })
    .first()
    .waitFor();
  assert.equal(await page.getByText('Waiting', { exact: true }).count(), 0);
});

/** The server is away: nothing is answered, and what was open breaks off. */
async function serverGoes(context: BrowserContext): Promise<void> {
  await context.route('**/*', (route) => route.abort());
}
const serverReturns = (context: BrowserContext) => context.unroute('**/*');

test('the page of a monitor that somebody deletes says so, and asks nothing more of it', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  t.after(() => giveBack(page));
  const monitor = await monitorNamed('Doomed');
  await page.goto(`${base()}/monitors/${monitor.id}`);
  await loaded(page);
  await live(page).waitFor();
  const seen = watch(page);
  // What an event makes stale is read again together, a moment later.
  const isReadAgain = page.waitForResponse((response) => response.url().endsWith('/blind-spots'));
  await dashboard.admin.ok('DELETE', `/monitors/${monitor.id}`);
  await page.getByText('This monitor does not exist').waitFor();
  assert.equal(await page.getByText('Doomed').count(), 0);
  await isReadAgain;
  assert.deepEqual(seen, { refused: [], broken: [] });
});

test('without its server the dashboard says so, greys out the states and recovers by itself', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  const context = page.context();
  t.after(() => context.close());
  const up = await monitorNamed('Up until then');
  await dashboard.app.probe().says(up.id, 'up');
  await page.clock.install();
  await page.goto(`${base()}/monitors`);
  await live(page).waitFor();
  await row(page, 'Up until then').getByText('Up', { exact: true }).waitFor();
  const colour = () =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('li[data-state="passed"] svg')).color`);
  const green = await colour();
  await serverGoes(context);
  await page.clock.runFor(20_000);
  await bar(page)
    .getByText(/^Not connected since .*\d\d:\d\d\.$/)
    .waitFor();
  await bar(page).getByText('This page is out of date.').waitFor();
  const { width = 0 } = (await bar(page).boundingBox()) ?? {};
  assert.equal(width, 1440, 'over the whole width');
  assert.notEqual(await colour(), green);
  // A page that was never opened: its code cannot be fetched now.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'On-call' }).click();
  await page.clock.runFor(10_000);
  assert.equal(await page.getByText('This page couldn’t be loaded').count(), 0);
  await serverReturns(context);
  await page.clock.runFor(10_000);
  await bar(page).waitFor({ state: 'detached' });
  await heading(page, 'On-call').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Monitors' }).click();
  await row(page, 'Up until then').getByText('Up', { exact: true }).waitFor();
  assert.equal(await colour(), green);
});

test('on a phone the notice covers nothing and fits the screen', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  const context = page.context();
  t.after(() => context.close());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.clock.install();
  await fits(page, `${base()}/monitors`);
  await serverGoes(context);
  await page.clock.runFor(20_000);
  await bar(page).waitFor();
  const { width = 0 } = (await bar(page).boundingBox()) ?? {};
  assert.equal(width, 390);
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.equal(overflow, 390);
});

test('the operator sees problems of the installation on every page', { skip }, async (t) => {
  const { db } = dashboard.app;
  await sql`INSERT INTO troubles (kind, subject, data, began_at)
    VALUES ('region_offline', 'far', '{"name": "Far away", "monitors": 3}', now() - interval '5 minutes')`.execute(
    db,
  );
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  t.after(() => giveBack(page));
  await page.goto(`${base()}/incidents`);
  const banner = page.getByRole('region', { name: 'Something is wrong with this installation' });
  await banner.getByText('Region Far away has been offline since').waitFor();
  await banner.getByText('3 monitors are not checked from there').waitFor();
  await sql`UPDATE troubles SET ended_at = now()`.execute(db);
  await page.reload();
  await heading(page, 'Incidents').waitFor();
  assert.equal(await banner.count(), 0);
});

test('after midnight the times of a page that stays open have a date', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  t.after(() => giveBack(page));
  await dashboard.admin.ok('POST', `${dashboard.orgPath}/incidents`, {
    cause: 'The shop is slow',
    severity: 'degraded',
  });
  const evening = new Date();
  evening.setHours(23, 59, 55);
  await page.clock.install({ time: evening });
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/incidents`);
  const started = page.getByRole('row').filter({ hasText: 'The shop is slow' }).getByRole('time');
  await page.clock.runFor(1_000);
  await started.waitFor();
  assert.match(await started.innerText(), /^\d\d:\d\d:\d\d$/);
  await page.clock.runFor(20_000);
  await until(async () => /^\d+ \w{3},/.test(await started.innerText()), 'it has a date');
});
