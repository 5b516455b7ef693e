// The overview and its wall display in a browser, by keyboard alone: what happens shows by itself, and a wall ends with its link.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Monitor } from '#src/monitors/contract.ts';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, heading, signedInPage, watch } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
let dashboard: Dashboard;
const monitors: Monitor[] = [];
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
    const { admin, app } = dashboard;
    for (const name of ['Blog', 'Mail', 'Shop'])
      monitors.push(
        await admin.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
          ...{ name, type: 'http', config: { url: `https://${name}.example.com/` } },
          policy: { alarm_consecutive: 1, recovery_consecutive: 1 },
        }),
      );
    for (const { id } of monitors) await app.probe().says(id, 'up');
  },
  { timeout: 120_000 },
);

const base = () => `${dashboard.url}/app/o/${dashboard.orgId}`;
const tile = (page: Page, name: RegExp) => page.getByRole('link', { name });

/** Presses a key until an element has the focus. */
async function pressUntil(page: Page, key: string, focused: () => Promise<boolean>): Promise<void> {
  for (let pressed = 0; pressed < 60; pressed++) {
    if (await focused()) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not lead there`);
}

const hasFocus = (page: Page, name: RegExp) =>
  page.evaluate<boolean>(
    `((it) => ${name}.test(it?.getAttribute('aria-label') ?? it?.labels?.[0]?.textContent ?? it?.textContent ?? ''))(document.activeElement)`,
  );

test('the overview shows an outage, its responder and its end, without reloading', {
  skip,
}, async (t) => {
  const { admin, app, orgPath, url } = dashboard;
  const page = await signedInPage(dashboard.browser, url, ADMIN.email);
  closeAfter(t, page);
  const seen = watch(page);
  await page.goto(`${url}/app/`);
  await heading(page, 'All 3 monitors are up').waitFor();
  assert.match(page.url(), /\/overview$/);
  assert.deepEqual(await violations(page), []);

  const [, , shop] = monitors;
  const reads: string[] = [];
  page.on('request', (request) => {
    if (/\/overview(\?|$)/.test(request.url()) && request.resourceType() === 'fetch')
      reads.push(request.url());
  });
  await app.probe().says(shop!.id, 'down');
  await heading(page, /^2 of 3 up, 1 down since \d\d:\d\d, nobody has it yet$/).waitFor();
  await tile(page, /^Shop: Down$/).waitFor();
  const [incident] = await admin.ok<{ id: string }[]>('GET', `${orgPath}/incidents`);
  await admin.ok('POST', `${orgPath}/incidents/${incident?.id}/ack`);
  await heading(page, /, \S.* has it$/).waitFor();
  assert.ok(reads.length > 0);
  assert.deepEqual(
    reads.filter((address) => !address.endsWith('monitors=false')),
    [],
    'the monitors are not read again for an event',
  );
  assert.deepEqual(await violations(page), []);

  await app.probe().says(shop!.id, 'up');
  await heading(page, 'All 3 monitors are up').waitFor();
  await page.getByRole('region', { name: 'Recent incidents' }).getByRole('link', { name: 'Shop' }).waitFor();

  await pressUntil(page, 'Tab', () => hasFocus(page, /^Blog: Up/));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.ok(await hasFocus(page, /^Shop: Up/));
  await page.keyboard.press('Enter');
  await heading(page, 'Shop').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('v');
  await heading(page, 'All 3 monitors are up').waitFor();
  assert.deepEqual(seen.broken, []);
});

test('a wall display is created, shown, warned when its server is down, and revoked', { skip }, async (t) => {
  const { app, url } = dashboard;
  const page = await signedInPage(dashboard.browser, url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(`${base()}/overview/wall`);
  await heading(page, 'Wall display').waitFor();
  await page.getByText('No links yet').waitFor();
  assert.deepEqual(await violations(page), []);
  await pressUntil(page, 'Tab', () => hasFocus(page, /^Location$/));
  await page.keyboard.type('Office');
  await page.keyboard.press('Enter');
  const address = await page.getByLabel('Address of the wall display').inputValue();
  assert.match(address, /\/app\/wall#tcw_/);

  const wall = await dashboard.browser.desktopPage();
  closeAfter(t, wall);
  const seen = watch(wall);
  // The application is served under another address than its own.
  await wall.goto(url + new URL(address).pathname + new URL(address).hash);
  await heading(wall, 'All 3 monitors are up').waitFor();
  assert.equal(await wall.evaluate('document.documentElement.dataset.mantineColorScheme'), 'dark');
  assert.deepEqual(await violations(wall), []);
  await app.probe().says(monitors[1]!.id, 'down');
  await heading(wall, /^2 of 3 up, 1 down since/).waitFor();
  await app.probe().says(monitors[1]!.id, 'up');
  await heading(wall, 'All 3 monitors are up').waitFor();
  assert.deepEqual(seen.broken, []);

  const isServer = (address: URL) => ['/wall', '/readyz'].includes(address.pathname);
  await wall.route(isServer, (route) => route.abort());
  await wall
    .getByRole('alert')
    .getByText(/^Not connected since \d\d:\d\d\./)
    .waitFor();
  await wall.unroute(isServer);
  await until(async () => (await wall.getByRole('alert').count()) === 0, 'it has its server again');

  const revoke = page.getByRole('button', { name: 'Revoke: Office' });
  await revoke.waitFor();
  await pressUntil(page, 'Tab', () => hasFocus(page, /^Revoke: Office/));
  await page.keyboard.press('Enter');
  const asked = page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true });
  await asked.waitFor();
  await asked.press('Enter');
  await heading(wall, 'This link was revoked').waitFor();
  await page.getByText('No links yet').waitFor();
});

test('a wall display that may not ask for a while says how old it is', { skip }, async (t) => {
  const { admin, url } = dashboard;
  const { url: address } = await admin.ok<{ url: string }>('POST', `${dashboard.orgPath}/wall-links`, {
    name: 'Hall',
  });
  const wall = await dashboard.browser.desktopPage();
  closeAfter(t, wall);
  await wall.clock.install();
  await wall.goto(url + new URL(address).pathname + new URL(address).hash);
  await heading(wall, 'All 3 monitors are up').waitFor();
  await wall.route(
    (asked) => asked.pathname === '/wall',
    (route) => route.fulfill({ status: 429, headers: { 'retry-after': '60' } }),
  );
  // In steps: the server is asked whether it is there, and must be left time to answer.
  for (let seconds = 0; seconds < 26; seconds += 2) {
    await wall.clock.runFor(2_000);
    await wall.evaluate("fetch('/readyz').then((answer) => answer.text())");
  }
  await wall.getByRole('alert').waitFor();
});
