// The monitors of all projects in a real browser: found, grouped, tagged, paused and taken back, by keyboard alone too.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Monitor } from '#src/monitors/contract.ts';
import { violations } from '#test/harness/accessibility.ts';
import { answerTests } from '#test/harness/answering-probe.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, follow, signedInPage } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
let dashboard: Dashboard;
let otherId: string;
const monitors = new Map<string, Monitor>();
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
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

test('the monitors of all projects are found by text and tag, and the URL keeps the search', {
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

test('a project that does not exist is named as the reason of an empty list, and is cleared', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/monitors/all?project=prj_gone&tag=prod`);
  await page.getByText('The address names a project that does not exist, or no longer exists.').waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Project' }).inputValue(), 'Unknown project');
  await page.getByRole('button', { name: 'Show all projects' }).press('Enter');
  await rows(page).first().waitFor();
  assert.deepEqual(await shown(page), ['Checkout', 'Shop front']);
});

test('groups appear under the names of their projects, without accessibility violations', {
  skip,
}, async (t) => {
  const page = await opened(t, '?group=project');
  const list = page.getByRole('list', { name: 'All monitors' });
  const texts = await list.getByRole('heading').allTextContents();
  assert.deepEqual(texts, ['Back office1', `${await homeName()}2`]);
  await page.getByRole('checkbox', { name: 'Select Payroll' }).check();
  const painted = (which: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('main ${which}')).backgroundColor`);
  assert.notEqual(await painted('input:indeterminate'), await painted('li input:not(:checked)'));
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

test('several monitors are selected by keyboard and paused, and the pause is undone', { skip }, async (t) => {
  const page = await opened(t, '?tag=prod');
  await page.getByRole('checkbox', { name: 'Select all 2 monitors' }).focus();
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: 'Change the selected monitors' });
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Pause' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 monitors paused').waitFor();
  // On a phone the note keeps above the bar, wherever that stands.
  await page.setViewportSize({ width: 390, height: 844 });
  const note = page.getByRole('alert').filter({ hasText: '2 monitors paused' });
  await until(async () => {
    const [above, below] = [await note.boundingBox(), await bar.boundingBox()];
    return above !== null && below !== null && above.y + above.height <= below.y;
  }, 'the note covers nothing of the bar');
  assert.deepEqual([(await read('Checkout')).enabled, (await read('Payroll')).enabled], [false, true]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(
    async () => (await read('Checkout')).enabled && (await read('Shop front')).enabled,
    'both are on',
  );
  // A change right after another has its own note.
  await bar.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('2 monitors paused').waitFor();
  await bar.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('2 monitors resumed').waitFor();
  assert.equal((await read('Checkout')).enabled, true);
});

test('tags are added, a monitor is moved, and one that cannot be moved says why', { skip }, async (t) => {
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
  // It shows before the server has said anything, and goes where the server refuses it; the dialog is back as it was.
  const tagged = page.getByRole('list', { name: 'All monitors' }).getByText('q4', { exact: true });
  const answers = [Promise.withResolvers<'refuse'>(), Promise.withResolvers<'accept'>()] as const;
  let asked = 0;
  await page.route('**/monitors/bulk', async (route) => {
    const answer = await answers[asked++]?.promise;
    return answer === 'refuse'
      ? route.fulfill({ status: 503, json: { error: 'unavailable', message: 'Away.' } })
      : route.continue();
  });
  await dialog.getByRole('button', { name: 'Add' }).click();
  await tagged.nth(1).waitFor();
  await dialog.waitFor({ state: 'detached' });
  answers[0].resolve('refuse');
  await dialog.getByRole('alert').waitFor();
  assert.equal(await tagged.count(), 0);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await tagged.nth(1).waitFor();
  assert.deepEqual((await read('Checkout')).tags, ['prod', 'payments']);
  answers[1].resolve('accept');
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

test('a monitor is cloned by keyboard, and the clone has a row with its uptime', { skip }, async (t) => {
  const page = await opened(t);
  const shop = monitors.get('Shop front') ?? assert.fail();
  await dashboard.app.probe().says(shop.id, 'up');
  await follow(page, `${dashboard.url}/app/o/${dashboard.orgId}/monitors/${shop.id}`);
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

const open = (page: Page, path: string) =>
  page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/monitors/${path}`);

test('a domain is pasted, a probe’s findings are shown, and the selected monitors are created', {
  skip,
}, async (t) => {
  const up = (observed: object, judgements: object[] = []) => ({
    observed: { status: 'up', ...observed },
    judgements: judgements.map((each) => ({ expected: 'any', ok: true, ...each })),
  });
  const down = { observed: { status: 'down', failure_class: 'refused', cause_layer: 'target_connect' } };
  const probe = answerTests(
    dashboard.url,
    dashboard.app.probe(),
    (type, config: { record_type?: string }) => {
      if (type === 'http') return up({ response_code: 200, latency_ms: 84 });
      if (type === 'tls') return up({ metric_value: 61.4 });
      if (type === 'domain')
        return up({ metric_value: 200.2 }, [{ what: 'Registration', actual: 'example.org' }]);
      if (type === 'dns' && config.record_type === 'A')
        return up({}, [{ what: 'A records', actual: '192.0.2.1' }]);
      return down;
    },
  );
  t.after(() => probe.stop());
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await open(page, 'new');
  await page.getByRole('textbox', { name: 'Domain or URL' }).fill('example.org');
  await page.keyboard.press('Enter');
  const found = page.getByRole('list', { name: 'Found at example.org' });
  await found.getByText('HTTP 200 in 84 ms').waitFor();
  await found.getByText('Certificate valid for 61 more days').waitFor();
  await found.getByText('Registered for 200 more days').waitFor();
  assert.deepEqual(await violations(page), []);
  await found.getByRole('checkbox', { name: 'example.org · DNS A' }).uncheck();
  await page.getByRole('button', { name: 'Watch these 3' }).press('Enter');
  await page.getByText('3 monitors created').waitFor();
  await rows(page).filter({ hasText: 'example.org · TLS' }).waitFor();
});

test('a list of addresses is previewed line by line and imported; refused lines stay for correction', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await open(page, 'import');
  const many = Array.from({ length: 120 }, (_, i) => `https://host-${i}.example.net/`).join('\n');
  await page
    .getByRole('textbox', { name: 'Addresses, one per line' })
    .fill(
      `Orders, https://orders.example.net/, imported\nftp://example.net\nhttps://shop:hunter2@example.net/\nhttp://169.254.169.254/\n${many}`,
    );
  await page.getByText('121 to create').waitFor();
  await page.getByText('2 need correction').waitFor();
  await page.getByText('1 cannot be created').waitFor();
  await page.getByText('An address must not contain a user name or password.').waitFor();
  await page.getByRole('region', { name: 'Preview' }).getByText('https://orders.example.net/').waitFor();
  await page.getByRole('button', { name: 'Create 121 monitors', disabled: false }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Create 121 monitors' }).press('Enter');
  await page.getByText('121 created').waitFor();
  await page.getByRole('button', { name: 'Keep the 3 lines that were not created' }).click();
  assert.equal(
    await page.getByRole('textbox', { name: 'Addresses, one per line' }).inputValue(),
    'ftp://example.net\nhttps://shop:hunter2@example.net/\nhttp://169.254.169.254/',
  );
  const made = await dashboard.admin.ok<Monitor[]>('GET', `${dashboard.orgPath}/monitors?tag=imported`);
  assert.deepEqual(
    made.map(({ name }) => name),
    ['Orders'],
  );
});

test('a view is saved and opened again, words match in any order, and a row has its actions', {
  skip,
}, async (t) => {
  const page = await opened(t, '?type=http');
  await page.getByRole('searchbox').fill('front shop');
  await until(async () => (await shown(page)).some((name) => name === 'Shop front'), 'found');
  await page.getByRole('button', { name: 'Save this view' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name of the view' }).fill('The shop');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'The shop' }).waitFor();
  await rows(page).filter({ hasText: 'Shop front' }).first().press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Shop front' }).waitFor();
  await page.goBack();
  await until(async () => (await page.getByRole('searchbox').inputValue()) === 'front shop', 'kept');
  await open(page, 'all');
  await page.getByRole('link', { name: 'The shop' }).press('Enter');
  await page.waitForURL(/text=front/);

  const line = page.getByRole('listitem').filter({ hasText: 'Shop front' }).first();
  await line.getByRole('button', { name: /^Actions for Shop front/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Pause' }).press('Enter');
  await line.getByText('Paused').waitFor();
});

test('the type of a monitor is changed, and the dialog says before what is kept and what is lost', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const monitor = monitors.get('Payroll') ?? assert.fail();
  await open(page, `${monitor.id}/edit`);
  await page.getByRole('button', { name: 'Change type' }).press('Enter');
  await page.getByText('The settings of the check itself').waitFor();
  await page.getByRole('dialog').getByRole('combobox', { name: 'New type' }).click();
  await page.getByRole('option', { name: 'TLS certificate' }).click();
  await page.getByRole('button', { name: 'Choose its settings' }).press('Enter');
  await page.getByText('Nothing changes before you save').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Host' }).inputValue(), 'payr.example.com');
  await page.getByRole('button', { name: 'Change to this type' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Payroll', exact: true }).waitFor();
  const changed = await read('Payroll');
  assert.deepEqual(
    [changed.type, (changed.config as { host: string }).host, changed.name],
    ['tls', 'payr.example.com', 'Payroll'],
  );
});

test('the list of a project with more monitors than it shows says so, and leads to all of them', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.route('**/monitors?limit=1000', async (route) => {
    const [one] = (await (await route.fetch()).json()) as Monitor[];
    const id = (n: number) => `mon_${String(n).padStart(26, '0')}`;
    const json = Array.from({ length: 1_000 }, (_, n) => ({ ...one, id: id(n), name: `Number ${n}` }));
    await route.fulfill({ json });
  });
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/monitors?project=${otherId}`);
  const hint = page.getByText('These are the newest 1,000 monitors of the project');
  await hint.getByRole('link', { name: 'Monitors of all projects' }).click();
  await page.waitForURL(new RegExp(`monitors/all\\?project=${otherId}`));
});
