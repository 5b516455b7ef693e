// The monitors of all projects in a real browser: found, grouped, tagged, paused and taken back, by keyboard alone too.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Monitor } from '#src/monitors/contract.ts';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboard } from '#test/harness/dashboard.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, signedInPage } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
let dashboard: Dashboard;
let otherId: string;
const monitors = new Map<string, Monitor>();
before(
  async () => {
    if (skip) return;
    const stack = new AsyncDisposableStack();
    closeAfterTests(() => stack.disposeAsync());
    dashboard = await startDashboard(stack);
    const { admin, orgPath, app } = dashboard;
    otherId = (await admin.ok<{ id: string }>('POST', `${orgPath}/projects`, { name: 'Back office' })).id;
    for (const [name, projectId, tags] of [
      ['Shop front', app.home.projectId, ['prod']],
      ['Checkout', app.home.projectId, ['prod', 'payments']],
      ['Payroll', otherId, []],
    ] as const) {
      const body = { name, type: 'http', config: { url: `https://${name.slice(0, 4)}.example.com/` }, tags };
      monitors.set(name, await admin.ok('POST', `/projects/${projectId}/monitors`, body));
    }
  },
  { timeout: 120_000 },
);

const read = (name: string) => dashboard.admin.ok<Monitor>('GET', `/monitors/${monitors.get(name)?.id}`);
const rows = (page: Page) => page.getByRole('list', { name: 'All monitors' }).locator('a');
const shown = async (page: Page) => rows(page).allTextContents();

async function opened(t: Parameters<typeof closeAfter>[0], search = ''): Promise<Page> {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/monitors/all${search}`);
  await rows(page).first().waitFor();
  return page;
}

test('the monitors of all projects are found by text and tag, and the address keeps it', {
  skip,
}, async (t) => {
  const page = await opened(t);
  assert.deepEqual(await shown(page), ['Checkout', 'Payroll', 'Shop front']);
  await page.getByRole('searchbox').fill('payments');
  await until(async () => (await shown(page)).join() === 'Checkout', 'the one with the tag');
  assert.match(page.url(), /text=payments/);
  await page.reload();
  await rows(page).first().waitFor();
  assert.deepEqual(await shown(page), ['Checkout']);
});

test('groups stand under the names of their projects, and axe has nothing to say', { skip }, async (t) => {
  const page = await opened(t, '?group=project');
  const list = page.getByRole('list', { name: 'All monitors' });
  const texts = await list.getByRole('heading').allTextContents();
  assert.deepEqual(texts, ['Back office1', `${await homeName()}2`]);
  await page.getByRole('checkbox', { name: 'Select Payroll' }).check();
  assert.deepEqual(await violations(page), []);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select Payroll' }).check();
  assert.deepEqual(await violations(page, ['color-contrast']), []);
});

const homeName = async () => {
  const projects = await dashboard.admin.ok<{ id: string; name: string }[]>(
    'GET',
    `${dashboard.orgPath}/projects`,
  );
  return projects.find(({ id }) => id === dashboard.app.home.projectId)?.name;
};

test('many are picked by keyboard, paused, and the pause is taken back', { skip }, async (t) => {
  const page = await opened(t, '?tag=prod');
  await page.getByRole('checkbox', { name: 'Select all 2 monitors' }).focus();
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: 'Change the selected monitors' });
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Pause' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 monitors paused').waitFor();
  assert.deepEqual([(await read('Checkout')).enabled, (await read('Payroll')).enabled], [false, true]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(
    async () => (await read('Checkout')).enabled && (await read('Shop front')).enabled,
    'both are on',
  );
});

test('tags are given, a monitor is moved, and one that cannot be says why', { skip }, async (t) => {
  await dashboard.admin.ok('POST', `/projects/${otherId}/monitors`, {
    name: 'Shop front',
    type: 'http',
    config: { url: 'https://example.com/' },
    enabled: false,
  });
  const page = await opened(t, `?project=${dashboard.app.home.projectId}`);
  await page.getByRole('checkbox', { name: 'Select all 2 monitors' }).check();
  const bar = page.getByRole('region', { name: 'Change the selected monitors' });
  await bar.getByRole('button', { name: 'Tags' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('Q4');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByText('2 monitors tagged').waitFor();
  assert.deepEqual((await read('Checkout')).tags, ['prod', 'payments', 'q4']);

  await bar.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Move to a project' }).click();
  await dialog.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: 'Back office' }).click();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText('1 monitor was not changed').waitFor();
  await page.getByText('The project has a monitor named "Shop front" already.').waitFor();
  assert.equal((await read('Checkout')).project_id, otherId);
});

test('a monitor is cloned by keyboard, and the clone has a line with its uptime', { skip }, async (t) => {
  const page = await opened(t);
  const shop = monitors.get('Shop front') ?? assert.fail();
  await dashboard.app.probe().says(shop.id, 'up');
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/monitors/${shop.id}`);
  await page.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Clone' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Clone Shop front' });
  await dialog.getByRole('textbox', { name: 'Name of the clone' }).fill('Shop in Rome');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Shop in Rome' }).waitFor();
  const made = await dashboard.admin.ok<Monitor[]>(
    'GET',
    `/projects/${dashboard.app.home.projectId}/monitors`,
  );
  const clone = made.find(({ name }) => name === 'Shop in Rome') ?? assert.fail();
  await dashboard.app.probe().says(clone.id, 'up');
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/monitors/all`);
  await page
    .getByRole('list', { name: 'All monitors' })
    .getByRole('listitem')
    .filter({ hasText: 'Shop in Rome' })
    .getByText(/^Uptime of the last 30 days/)
    .waitFor();
});
