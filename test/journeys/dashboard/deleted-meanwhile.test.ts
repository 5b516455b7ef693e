// Something is deleted while a page of it is open, by the reader or by somebody else: the page says so, asks nothing more of it,
// and loses no form without a word. With a real browser.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { makeAgent } from '#test/harness/agents.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, follow, heading, loaded, press, signedInPage, watch } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
const NOTHING = { refused: [], broken: [] };
const LOST = 'Your unsaved changes are lost.';
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
const monitorNamed = (name: string) =>
  dashboard.admin.ok<Monitor>('POST', `/projects/${dashboard.app.home.projectId}/monitors`, {
    name,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
  });
const windowNamed = (title: string) => {
  const from = Math.floor(Date.now() / 1_000) + 86_400;
  return dashboard.admin.ok<MaintenanceWindow>('POST', `${dashboard.orgPath}/maintenance-windows`, {
    title,
    scheduled_start: from,
    scheduled_end: from + 3_600,
  });
};

/** The code of the next page does not come before the test says so. */
async function holdCode(page: Page, name: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const isOfPage = (address: string) => address.includes(`/${name}-`);
  const asked = page.waitForRequest((request) => isOfPage(request.url()));
  await page.route(
    ({ pathname }) => isOfPage(pathname),
    async (route) => {
      await released;
      await route.continue();
    },
  );
  return { asked, release };
}

test('a host is removed once the page that follows is there: nothing is read of it afterwards', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  t.after(() => page.context().close());
  const { id } = await makeAgent(dashboard.app, dashboard.app.home, 'web-1');
  await page.clock.install();
  const code = await holdCode(page, 'HostsPage');
  await page.goto(`${base()}/hosts/${id}`);
  await heading(page, 'web-1').waitFor();
  await loaded(page);
  const seen = watch(page);
  await press(page, 'Remove host');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await code.asked;
  // Everything that the page reads again by itself.
  const reading = new Set<unknown>();
  page.on('request', (request) => request.url().includes('/agents') && reading.add(request));
  page.on('requestfinished', (request) => reading.delete(request));
  const isReadAgain = page.waitForResponse((response) => response.url().endsWith(`/agents/${id}`));
  await page.clock.fastForward(60_000);
  await isReadAgain;
  await until(() => reading.size === 0, 'what was read again has come');
  code.release();
  await heading(page, 'Hosts').waitFor();
  assert.deepEqual(seen, NOTHING);
});

test('a maintenance window is not said to be missing while its own deletion leads away', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const window = await windowNamed('Upgrade');
  const code = await holdCode(page, 'MaintenancePage');
  await page.goto(`${base()}/maintenance/${window.id}`);
  await heading(page, 'Upgrade').waitFor();
  await live(page).waitFor();
  await press(page, 'Delete');
  const isRead = page.waitForResponse((response) => response.url().includes('/maintenance-windows?'));
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await code.asked;
  // The answer would announce the deletion to this page as well.
  await dashboard.admin.ok('PATCH', `${dashboard.orgPath}/maintenance-windows/${window.id}`, {
    title: 'Database upgrade',
  });
  await isRead;
  await heading(page, 'Database upgrade').waitFor();
  code.release();
  await heading(page, 'Maintenance').waitFor();
});

test('the form of a monitor that somebody deletes says so, and that its changes are lost', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const [monitor, other] = [await monitorNamed('Doomed'), await monitorNamed('Doomed too')];
  const remove = ({ id }: Monitor) => dashboard.admin.ok('DELETE', `/monitors/${id}`);
  await page.goto(`${base()}/monitors/${monitor.id}/edit`);
  await page.getByLabel('Name', { exact: true }).fill('Saved');
  await live(page).waitFor();
  const seen = watch(page);
  await remove(monitor);
  await page.getByText('This monitor does not exist').waitFor();
  await page.getByText(LOST).waitFor();
  await follow(page, `${base()}/monitors/${other.id}/edit`);
  await page.getByLabel('Name', { exact: true }).waitFor();
  await remove(other);
  await page.getByText('This monitor does not exist').waitFor();
  await page.getByText('It may have been deleted').waitFor();
  assert.deepEqual(seen, NOTHING);
});

test('the page of an incident whose monitor is deleted says so, and asks nothing more of it', {
  skip,
}, async (t) => {
  const { admin, orgPath } = dashboard;
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const monitor = await monitorNamed('Doomed');
  const declare = (cause: string) =>
    admin.ok<{ id: string }>('POST', `${orgPath}/incidents`, {
      ...{ monitor_id: monitor.id, severity: 'critical', cause },
    });
  const closed = await declare('Nobody can pay');
  await admin.ok('POST', `${orgPath}/incidents/${closed.id}/resolve`);
  await page.goto(`${base()}/incidents/${closed.id}`);
  await loaded(page);
  await live(page).waitFor();
  const seen = watch(page);
  const isReadAgain = page.waitForResponse((response) => response.url().endsWith('/blind-spots'));
  await admin.ok('DELETE', `/monitors/${monitor.id}`);
  await page.getByText('This incident does not exist').waitFor();
  await isReadAgain;
  assert.deepEqual(seen, NOTHING);
  await follow(page, `${base()}/incidents`);
  await loaded(page);
  assert.equal(await page.getByText('Nobody can pay').count(), 0);
});

test('a status page that somebody archives is said to be gone by the first part that is opened', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const { id } = await dashboard.admin.ok<StatusPage>('POST', `${dashboard.orgPath}/status-pages`, {
    name: 'Our services',
  });
  await page.goto(`${base()}/status-pages/${id}`);
  await page.getByLabel('Headline').fill('All our services');
  await dashboard.admin.ok('DELETE', `/status-pages/${id}`);
  const parts = page.getByRole('navigation', { name: 'Parts of the page' });
  await parts.getByRole('link', { name: 'Subscribers' }).press('Enter');
  await page.getByText('This status page does not exist, or it was archived').waitFor();
  await page.getByText(LOST).waitFor();
});

test('a status page is archived only once its editor is left', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const { id } = await dashboard.admin.ok<StatusPage>('POST', `${dashboard.orgPath}/status-pages`, {
    name: 'Their services',
  });
  await page.goto(`${base()}/status-pages/${id}`);
  await page.getByLabel('Headline').fill('All of them');
  const archive = async () => {
    await press(page, 'More actions');
    await page.getByRole('menuitem', { name: 'Archive status page' }).click();
  };
  const removing = page.getByText('Removing “Their services”');
  await archive();
  await press(page, 'Stay here');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await removing.count(), 0);
  await archive();
  await press(page, 'Leave');
  await heading(page, 'Status pages').waitFor();
  await removing.waitFor();
  await press(page, 'Undo');
  await page.getByText('“Their services” stays.').waitFor();
  await page.getByRole('link', { name: 'Their services' }).waitFor();
});

test('a notification target that somebody deletes is said to be gone by the next read of its deliveries', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  t.after(() => page.context().close());
  const path = `${dashboard.orgPath}/webhooks`;
  const { id } = await dashboard.admin.ok<{ id: string }>('POST', path, {
    ...{ name: 'Pager', kind: 'webhook', url: 'https://hooks.example.com/', events: ['opened'] },
  });
  await page.clock.install();
  await page.goto(`${base()}/notifications/${id}`);
  await loaded(page);
  await press(page, 'Edit');
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Night pager');
  await dashboard.admin.ok('DELETE', `${path}/${id}`);
  // The deliveries are read again sooner than the target.
  await page.clock.runFor(15_000);
  await page.getByText('This target does not exist').waitFor();
  await page.getByText(LOST).waitFor();
});

test('an alert profile that somebody deletes is said to be gone when it is saved, and is not sent', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const profile = await dashboard.admin.ok<AlertProfile>('POST', `${dashboard.orgPath}/alert-profiles`, {
    name: 'Night',
  });
  await page.goto(`${base()}/settings/alarm-policy/profiles/${profile.id}`);
  await page.getByLabel('Name', { exact: true }).fill('Night shift');
  const seen = watch(page);
  await dashboard.admin.ok('DELETE', `/alert-profiles/${profile.id}`);
  await press(page, 'Save');
  await page.getByText('This profile does not exist').waitFor();
  await page.getByText(LOST).waitFor();
  assert.deepEqual(seen, NOTHING);
});

test('a name that is being changed is not lost without a word when its project or view is deleted', {
  skip,
}, async (t) => {
  const { admin, orgPath } = dashboard;
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const seen = watch(page);
  const project = await admin.ok<{ id: string }>('POST', `${orgPath}/projects`, { name: 'Side project' });
  await page.goto(`${base()}/projects`);
  await press(page, 'Rename Side project');
  await page.getByRole('textbox', { name: 'Name' }).fill('Main project');
  await admin.ok('DELETE', `/projects/${project.id}`);
  await press(page, 'Save');
  await page.getByText('“Side project” has been deleted meanwhile.').waitFor();
  await monitorNamed('Shop');
  const view = await admin.ok<{ id: string }>('POST', `${orgPath}/monitor-views`, {
    ...{ name: 'Down', shared: false, search: {} },
  });
  await follow(page, `${base()}/monitors/all`);
  await press(page, 'Change Down');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the view').fill('Broken');
  await admin.ok('DELETE', `${orgPath}/monitor-views/${view.id}`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('“Down” has been deleted meanwhile.').waitFor();
  await until(async () => (await dialog.count()) === 0, 'the dialog of the view is closed');
  assert.deepEqual(seen, NOTHING);
});
