// What comes late: answers after their dialog was closed or their page was left close no other one, and a refusal is said; what is
// already being deleted is not deleted again.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, follow, heading, holdWrite, press, signedInPage } from '#test/harness/page.ts';

const skip = noBrowser();
const REFUSED = { status: 409, json: { error: 'conflict', message: 'Somebody else was quicker.' } };
const MISSING = { status: 404, json: { error: 'not_found', message: 'No such passkey.' } };
let dashboard: Dashboard;
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
  },
  { timeout: 120_000 },
);

async function opened(t: Parameters<typeof closeAfter>[0], place: string): Promise<Page> {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(`${dashboard.url}/app/${place}`);
  await heading(page, /./).waitFor();
  return page;
}

const settled = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
const note = (page: Page) => page.getByRole('alert');

test('a refusal that comes after its dialog was closed is said', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const keys = [{ id: 'laptop', name: 'Laptop', createdAt: null, backedUp: false }];
  await page.route('**/auth/passkey/list-user-passkeys', (route) => route.fulfill({ json: keys }));
  await page.goto(`${dashboard.url}/app/account`);
  await press(page, 'Remove Laptop');
  const dialog = page.getByRole('dialog');
  const write = await holdWrite(page, '**/auth/passkey/delete-passkey', MISSING);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await write.asked;
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await note(page).count(), 0);
  write.answer();
  await note(page).filter({ hasText: 'This does not exist' }).waitFor({ timeout: 5_000 });
});

test('a refusal that comes after its page was left is said', { skip }, async (t) => {
  const home = `o/${dashboard.orgId}`;
  const page = await opened(t, `${home}/settings/general`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
  const write = await holdWrite(page, `**/organizations/${dashboard.orgId}`, REFUSED);
  await page.keyboard.press('Enter');
  await write.asked;
  await follow(page, `${dashboard.url}/app/${home}/on-call`);
  await heading(page, 'On-call').waitFor();
  assert.equal(await note(page).count(), 0);
  write.answer();
  await note(page).filter({ hasText: 'Somebody else was quicker.' }).waitFor({ timeout: 5_000 });
});

test('the late answer of a region that was saved or created closes no form that was opened since', {
  skip,
}, async (t) => {
  const page = await opened(t, 'operator/regions/local');
  const dialog = page.getByRole('dialog');
  const name = dialog.getByRole('textbox', { name: 'Name' });
  /** Sends a form, closes it, begins the next, and lets the answer to the first come. */
  const quick = async (open: string, submit: string, path: string, method: string) => {
    await press(page, open);
    await name.fill(`First of ${open}`);
    const write = await holdWrite(page, path);
    await dialog.getByRole('button', { name: submit }).click();
    await write.asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await press(page, open);
    await name.fill('Second');
    const answered = page.waitForResponse((response) => response.request().method() === method);
    const read = page.waitForResponse(
      (response) =>
        response.url().endsWith('/admin/regions') && response.request().method() === 'GET' && response.ok(),
    );
    write.answer();
    await (await answered).finished();
    await (await read).finished();
    await settled(page);
    assert.equal(await name.inputValue({ timeout: 2_000 }), 'Second');
    await page.unroute(path);
  };
  await quick('Edit', 'Save', '**/admin/regions/local', 'PATCH');
  await page.goto(`${dashboard.url}/app/operator/regions`);
  const regions = await dashboard.admin.ok<AdministeredRegion[]>('GET', '/admin/regions');
  assert.ok(regions.some((region) => region.name === 'First of Edit'));
  await quick('New region', 'Create region', '**/admin/regions', 'POST');
  assert.match(page.url(), /\/operator\/regions$/);
});

test('a target that is deleted again from its page in the history is deleted once', { skip }, async (t) => {
  const { id } = await dashboard.admin.ok<{ id: string }>('POST', `${dashboard.orgPath}/webhooks`, {
    ...{ name: 'Chat', kind: 'webhook', url: 'https://hook.example.com/', events: ['opened'] },
  });
  const page = await opened(t, `o/${dashboard.orgId}/notifications/${id}`);
  const remove = async () => {
    await heading(page, 'Chat').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete target' }).click();
    await heading(page, 'Notifications').waitFor();
  };
  await page.clock.install();
  await remove();
  await page.goBack();
  await remove();
  await settled(page);
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 1);
  await press(page, 'Undo');
  await page.getByRole('link', { name: 'Chat' }).waitFor();
});
