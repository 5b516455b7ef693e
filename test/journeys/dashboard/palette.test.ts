// The command palette and the shortcuts, by keyboard alone.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboard } from '#test/harness/dashboard.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, heading, signedInPage } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
let dashboard: Dashboard;
let payroll: Monitor;
let incidentId: string;
before(
  async () => {
    if (skip) return;
    const stack = new AsyncDisposableStack();
    closeAfterTests(() => stack.disposeAsync());
    dashboard = await startDashboard(stack);
    const { admin, orgPath, app } = dashboard;
    const other = await admin.ok<{ id: string }>('POST', `${orgPath}/projects`, { name: 'Back office' });
    const create = (projectId: string, name: string, host: string) =>
      admin.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
        name,
        type: 'http',
        config: { url: `https://${host}.example.com/` },
      });
    await create(app.home.projectId, 'Shop front', 'shop');
    await create(app.home.projectId, 'Checkout', 'pay');
    payroll = await create(other.id, 'Payroll', 'wages');
    const declared = { severity: 'critical', cause: 'Printer on fire' };
    incidentId = (await admin.ok<IncidentDetail>('POST', `${orgPath}/incidents`, declared)).id;
  },
  { timeout: 120_000 },
);

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const options = (page: Page) => dialog(page).getByRole('option');
const active = (page: Page) => dialog(page).getByRole('option', { selected: true });
const labels = async (page: Page) => (await options(page).allInnerTexts()).map((text) => text.split('\n')[0]);

async function opened(t: Parameters<typeof closeAfter>[0], path: string, email: string = ADMIN.email) {
  const page = await signedInPage(dashboard.browser, dashboard.url, email);
  closeAfter(t, page);
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/${path}`);
  await heading(page, /./).waitFor();
  // Keys lead to pages of an organization once it is known.
  await page.getByRole('button', { name: /^Switch organization or project: Example / }).waitFor();
  return page;
}

/** Opens the palette, types, and waits until the line that Enter would do is the wanted one. */
async function search(page: Page, typed: string, wanted: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await dialog(page).waitFor();
  await page.keyboard.type(typed);
  await until(async () => wanted.test((await active(page).allInnerTexts()).join()), `${wanted} is the first`);
}

test('a monitor of any project is found by a word of its address, opened, and paused', {
  skip,
}, async (t) => {
  const page = await opened(t, 'incidents');
  await search(page, 'wages', /^Payroll/);
  await page.keyboard.press('Enter');
  await heading(page, 'Payroll').waitFor();
  assert.equal(await dialog(page).count(), 0);
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await search(page, 'pause', /^Pause Payroll/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  const enabled = async () => (await dashboard.admin.ok<Monitor>('GET', `/monitors/${payroll.id}`)).enabled;
  await until(async () => !(await enabled()), 'it is paused');
  // What is shown at once can be taken back.
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await until(enabled, 'it is checked again');
});

test('the incident on screen is acknowledged', { skip }, async (t) => {
  const page = await opened(t, `incidents/${incidentId}`);
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).first().waitFor();
  await search(page, 'ackn', /^Acknowledge Printer on fire/);
  await page.keyboard.press('Enter');
  await until(async () => {
    const path = `${dashboard.orgPath}/incidents/${incidentId}`;
    return (await dashboard.admin.ok<IncidentDetail>('GET', path)).acknowledged_at_unix !== null;
  }, 'it is acknowledged');
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).first().waitFor({ state: 'detached' });
});

test('arrows move the selection, Escape closes, and the focus returns', { skip }, async (t) => {
  const page = await opened(t, 'monitors/all');
  const field = page.getByRole('main').getByRole('searchbox');
  await field.focus();
  await search(page, 'monitors', /^Monitors/);
  await page.keyboard.press('ArrowDown');
  assert.match(await active(page).innerText(), /^All monitors/);
  await page.keyboard.press('ArrowUp');
  assert.match(await active(page).innerText(), /^Monitors/);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await until(
    () => page.evaluate<boolean>("document.activeElement.type === 'search'"),
    'the field has the focus',
  );
});

test('a member is offered only permitted actions', { skip }, async (t) => {
  const member = await dashboard.app.person('mia', { [dashboard.orgId]: 'member' });
  const page = await opened(t, `monitors/${payroll.id}`, member.email);
  await page.keyboard.press('Control+k');
  await options(page).first().waitFor();
  const offered = await labels(page);
  for (const withheld of ['Pause Payroll', 'Resume Payroll', 'New monitor', 'Notifications', 'API keys'])
    assert.ok(!offered.includes(withheld), withheld);
  assert.ok(offered.includes('Declare an incident'));
});

test('single keys open pages, focus the search and move through a list, but not in a field', {
  skip,
}, async (t) => {
  const page = await opened(t, 'incidents');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await heading(page, 'All monitors').waitFor();
  const rows = page.getByRole('list', { name: 'All monitors' }).getByRole('link');
  await rows.first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Checkout');
  await page.keyboard.press('/');
  await page.keyboard.type('gi?');
  assert.equal(await page.getByRole('main').getByRole('searchbox').inputValue(), 'gi?');
  await heading(page, 'All monitors').waitFor();
});

test('the help lists the shortcuts, and turns single keys off for this browser', { skip }, async (t) => {
  const page = await opened(t, 'incidents');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('?');
  await help.getByText('Search on the page').waitFor();
  await help.getByRole('switch', { name: 'Shortcuts of single keys' }).press('Space');
  await help.getByText('Search on the page').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.reload();
  await heading(page, 'Incidents').waitFor();
  await page.keyboard.press('?');
  // What has its modifier held stays, and shows that the key before it opened nothing.
  await search(page, 'keyboard', /^Keyboard shortcuts/);
  assert.equal(await help.count(), 0);
});
