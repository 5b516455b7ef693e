// Monitors of every sort in the dashboard: a real installation with its probe, a real browser, servers to watch. Forms
// refuse at their fields, a test shows what the probe saw, and the page of a monitor follows by itself.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import { MONITOR_TYPES } from '#src/domain/names.ts';
import type { Region } from '#src/regions/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import {
  choose,
  fits,
  follow,
  heading,
  openFirstOrganization,
  press,
  signedInPage,
  stepsOf,
  watch,
} from '#test/harness/page.ts';
import { startProbeProcess } from '#test/harness/probe-process.ts';
import { startTarget } from '#test/harness/target.ts';
import { until } from '#test/harness/until.ts';

const PHONE = { width: 390, height: 844 };

/** A port of this machine on which nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

/** The field is marked as wrong, and says why. */
async function refusedWith(field: Locator, sentence: RegExp): Promise<void> {
  const page = field.page();
  await field.and(page.locator('[aria-invalid="true"]')).waitFor();
  await page.locator('.mantine-InputWrapper-error').getByText(sentence).first().waitFor();
}

const line = (page: Page, list: string, text: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Test now' });

test('monitors in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const target = await startTarget();
  stack.defer(() => target.stop());
  const port = Number(new URL(target.url).port);
  const nobody = await deadPort();
  const { url, app, admin, browser, probeToken } = await startDashboard(stack);
  await startProbeProcess(t, { url, token: probeToken });
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const base = `${url}/app/o/${await openFirstOrganization(page, url)}`;
  const addresses: string[] = [];

  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));

  /** Opens the form of a type by way of the picker. */
  async function start(type: string): Promise<void> {
    await follow(page, `${base}/monitors/new`);
    await heading(page, 'New monitor').waitFor();
    await page.getByRole('link', { name: type, exact: true }).click();
    await heading(page, `New monitor: ${type}`).waitFor();
  }

  await step('every type has its line', async () => {
    await follow(page, `${base}/monitors/new`);
    await page.getByText('For backups and cron jobs').waitFor();
    const offered = await page.getByRole('main').getByRole('listitem').getByRole('link').allTextContents();
    assert.equal(offered.length, MONITOR_TYPES.length);
    assert.ok(offered.includes('Host reading'));
  });

  await step('an invalid TCP monitor is refused at its fields during typing, and then created', async () => {
    await start('TCP port');
    const host = page.getByRole('textbox', { name: 'Host', exact: true });
    await host.fill('http://127.0.0.1');
    await page.getByLabel('Port').fill('70000');
    await refusedWith(host, /without http:\/\//);
    await page.getByLabel('Name', { exact: true }).fill('Front door');
    await refusedWith(page.getByLabel('Port'), /between 1 and 65535/);
    await host.fill('127.0.0.1');
    assert.equal(await host.getAttribute('aria-invalid'), null);
    await page.getByLabel('Port').fill(String(port));
    await choose(page, 'Check every', '5 seconds');
    assert.deepEqual(seen.refused, [], 'the server was not asked for what the form could tell');
    await press(page, 'Create monitor');
    await heading(page, 'Front door').waitFor();
    addresses.push(page.url());
  });

  await step('the page shows the region’s view, and the source of each alarm value', async () => {
    const local = line(page, 'Last check', 'Passing');
    await local.getByText('Passing').waitFor();
    await local.getByText(/\d ms/).waitFor();
    await page.getByText('An incident opens after 2 failing results in a row.').waitFor();
    const alarm = page.getByRole('region', { name: 'When to alarm' });
    await alarm.getByRole('button', { name: /^Where each value comes from/ }).press('Enter');
    await until(
      async () => (await alarm.getByText('platform default').count()) === 4,
      'one region has no quorum',
    );
  });

  await step('a test from the page shows the verdict, the phases and the judgements', async () => {
    await press(page, 'Test now');
    await dialog(page).getByText('Passed', { exact: true }).waitFor();
    await dialog(page)
      .getByRole('row', { name: /Passed: Connection/ })
      .waitFor();
    await dialog(page).getByText('Total').waitFor();
    await dialog(page)
      .getByText(/Checked once from Local by probe \S+/)
      .waitFor();
    await press(page, 'Close');
  });

  await step('a test starts although the regions were last read while their probe was away', async () => {
    const isListOfRegions = (address: URL) => address.pathname.endsWith('/regions');
    const withoutProbes = async (route: Route) => {
      const response = await route.fetch();
      const regions = (await response.json()) as Region[];
      await route.fulfill({ response, json: regions.map((region) => ({ ...region, online: false })) });
    };
    await page.route(isListOfRegions, withoutProbes);
    const monitorPage = page.url();
    await page.goto(`${monitorPage}/edit`);
    await page.getByText('offline at the moment').waitFor();
    await page.unroute(isListOfRegions, withoutProbes);
    await press(page, 'Cancel');
    await press(page, 'Test now');
    await dialog(page).getByText('Passed', { exact: true }).waitFor();
    await press(page, 'Close');
  });

  await step('a test from the form uses the typed values, not the stored ones', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('Type: TCP port.').waitFor();
    await page.getByLabel('Port').fill(String(nobody));
    await press(page, 'Test now');
    await dialog(page).getByText('Failed', { exact: true }).waitFor();
    await dialog(page)
      .getByText(/Connection refused/)
      .first()
      .waitFor();
    await dialog(page).getByText('Failed at: connection').waitFor();
    await dialog(page)
      .getByRole('row', { name: /Failed: Connection/ })
      .waitFor();
    await press(page, 'Close');
    // The port that was typed would be lost.
    await press(page, 'Cancel');
    await press(page, 'Leave');
    await line(page, 'Last check', 'Passing').getByText('Passing').waitFor();
  });

  await step('a test in another region asks for a stored secret again, at its field', async () => {
    await (await app.region('elsewhere')).assignments();
    const { id } = await admin.ok<{ id: string }>('POST', `/projects/${app.home.projectId}/monitors`, {
      name: 'With a token',
      type: 'http',
      config: { url: target.url, auth: { kind: 'bearer', token: 'open sesame' } },
      enabled: false,
    });
    await page.goto(`${base}/monitors/${id}`);
    await press(page, 'Test now');
    await dialog(page).getByText('Passed', { exact: true }).waitFor();
    await choose(page, 'From', 'elsewhere');
    await press(page, 'Test again');
    const why = /Stored secrets go only to the regions the monitor is checked from/;
    await dialog(page).getByRole('alert').getByText(why).waitFor();
    await press(page, 'Close');
    await page.getByRole('link', { name: 'Edit' }).click();
    await press(page, 'Test now');
    await dialog(page).getByText('Passed', { exact: true }).waitFor();
    await choose(page, 'From', 'elsewhere');
    await press(page, 'Test again');
    await page.locator('.mantine-PasswordInput-root', { hasText: 'Token' }).getByText(why).waitFor();
    assert.deepEqual(seen.refused.splice(0), ['400 POST monitor-tests', '400 POST monitor-tests']);
    await press(page, 'Cancel');
  });

  await step('a refusal by the server appears at the field it names, in its section', async () => {
    await start('Website or API');
    await page.getByLabel('URL', { exact: true }).fill(target.url);
    await page.getByRole('button', { name: /^Request/ }).click();
    await press(page, 'Add header');
    await page.getByLabel('Header 1: name').fill('Connection');
    await page.getByLabel('Header 1: value').fill('close');
    await page.getByRole('button', { name: /^Request/ }).click();
    await press(page, 'Create monitor');
    await refusedWith(page.getByLabel('Header 1: name'), /belongs to the connection/i);
    assert.deepEqual(seen.refused.splice(0), ['400 POST monitors']);
    await press(page, 'Remove line 1');
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await choose(page, 'Check every', '5 seconds');
    await press(page, 'Create monitor');
    await heading(page, 'Shop').waitFor();
    addresses.push(page.url());
  });

  await step(
    'a certificate warning that comes too late, and invalid bytes, never leave the form',
    async () => {
      await start('TLS certificate');
      await page.getByRole('textbox', { name: 'Host', exact: true }).fill('127.0.0.1');
      await page.getByLabel('Degraded with fewer than').fill('2');
      await press(page, 'Create monitor');
      await refusedWith(page.getByLabel('Degraded with fewer than'), /at least 3 days/);
      await start('UDP service');
      await page.getByRole('textbox', { name: 'Host', exact: true }).fill('127.0.0.1');
      await page.getByLabel('Port').fill('27015');
      await page.getByText('Hex', { exact: true }).click();
      await page.getByLabel('Send', { exact: true }).fill('ff f');
      await press(page, 'Create monitor');
      await refusedWith(page.getByLabel('Send', { exact: true }), /Pairs of hexadecimal digits/);
      assert.deepEqual(seen.refused, []);
    },
  );

  await step('a stored password stays unless another is typed', async () => {
    await start('Database');
    await page.getByRole('textbox', { name: 'Host', exact: true }).fill('127.0.0.1');
    await page.getByLabel('Port').fill(String(nobody));
    await page.getByLabel('Password', { exact: true }).fill('hunter2 hunter2');
    await page.getByLabel('Name', { exact: true }).fill('Orders');
    await press(page, 'Create monitor');
    await heading(page, 'Orders').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Database', { exact: true }).fill('orders');
    assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), '••••');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save');
    assert.deepEqual((await sent).postDataJSON(), { config: { database: 'orders' } });
    await page.getByRole('link', { name: 'Edit' }).waitFor();
  });

  await step('a heartbeat shows its schedule in words, then its address and lines for the job', async () => {
    await start('Heartbeat');
    await page.getByText('On a schedule').click();
    const expression = page.getByLabel('Cron expression');
    await expression.fill('30 4 * *');
    const refusal = page.getByText('Five fields are needed');
    await refusal.waitFor();
    await press(page, 'Create monitor');
    await refusedWith(expression, /Five fields are needed/);
    assert.equal(await refusal.count(), 1, 'said once');
    await expression.fill('30 4 *');
    await refusal.waitFor();
    await expression.fill('30 4 * * 1-5');
    await page.getByText('At 04:30, Monday through Friday').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Nightly backup');
    await press(page, 'Create monitor');
    await heading(page, 'Nightly backup').waitFor();
    addresses.push(page.url());
    await page.getByText('No ping yet').waitFor();
    const address = await page.getByRole('textbox', { name: 'Ping URL' }).inputValue();
    const token = /\/heartbeat\/([\w-]+)$/.exec(address)?.[1];
    assert.ok(token, address);
    await page.getByText(new RegExp(`^30 4 .*&& curl -fsS .*${token}$`)).waitFor();
    await page.getByText('PowerShell', { exact: true }).click();
    await page.getByText(/Invoke-RestMethod/).waitFor();
    assert.equal((await fetch(`${url}/heartbeat/${token}`)).status, 200);
    await page.getByText('Last ping').waitFor();
    await page.getByRole('main').locator('header [aria-live]').getByText('Up', { exact: true }).waitFor();
  });

  await step('a group lists its members with their state', async () => {
    await start('Group');
    const members = page.getByRole('combobox', { name: 'Monitors of the group' });
    await press(page, 'Create monitor');
    await refusedWith(members, /Required/);
    await members.click();
    for (const name of ['Front door', 'Shop']) await page.getByRole('option', { name }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Name', { exact: true }).fill('Everything');
    await press(page, 'Create monitor');
    await heading(page, 'Everything').waitFor();
    addresses.push(page.url());
    await line(page, 'Monitors of this group', 'Shop').getByText('Up').waitFor();
    await page.getByText('An incident opens as soon as the rule of the group is met.').waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Last check' }).count(), 0);
  });

  await step('a change can be announced once its kind is allowed', async () => {
    await follow(page, addresses[1] ?? '');
    await page.getByRole('link', { name: 'Turn it on in the settings' }).click();
    await page.getByLabel('Deployment').check();
    const depends = page.getByRole('combobox', { name: 'Depends on' });
    await depends.click();
    await page.getByRole('option', { name: 'Front door' }).click();
    await page.keyboard.press('Escape');
    await press(page, 'Save');
    await heading(page, 'Shop').waitFor();
    await page.getByLabel('Minutes').fill('3');
    await page.getByLabel('Changed by').fill('release 42');
    await press(page, 'Announce');
    await page.getByText(/Alarms are held until .*\d\d:\d\d/).waitFor();
    await page
      .getByRole('region', { name: 'When to alarm' })
      .getByRole('link', { name: 'Front door' })
      .waitFor();
  });

  await step('nothing is wider than a phone, in either language', async () => {
    await page.setViewportSize(PHONE);
    for (const language of ['en', 'de']) {
      await page.evaluate(`localStorage.setItem('tocsin-language', '${language}')`);
      const types = ['http', 'tcp', 'dns', 'mail', 'database', 'udp', 'heartbeat', 'group', 'tls'];
      const forms = types.map((type) => `${base}/monitors/new?type=${type}`);
      await fits(page, `${base}/monitors`, `${base}/monitors/new`, ...forms, ...addresses);
      assert.equal(await page.evaluate('document.documentElement.lang'), language);
    }
    await page.evaluate('localStorage.clear()');
  });

  await step('only the expected requests were refused', async () => {
    assert.deepEqual(seen.refused, []);
  });
});
