// Two people change the same name, labels or region: nobody's is overwritten unseen. With a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Agent } from '#src/agents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { MonitorView } from '#src/monitors/views/contract.ts';
import type { Organization } from '#src/organizations/contract.ts';
import type { Project } from '#src/projects/contract.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { makeAgent } from '#test/harness/agents.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { follow, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';

const notice = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile' });
const settle = async (page: Page, answer: 'Take theirs' | 'Keep mine') => {
  await press(page, answer);
  await notice(page).waitFor({ state: 'detached' });
};

test('two people who change the same name', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, orgPath, browser } = await startDashboard(stack);
  const base = `${url}/app/o/${orgId}`;
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen, { refused: [], broken: [] }));
  const monitor = await admin.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
  });
  const dialog = page.getByRole('dialog');
  const saveDialog = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  await step('a project', async () => {
    const { projectId } = app.home;
    const stored = async () =>
      (await admin.ok<Project[]>('GET', `${orgPath}/projects`)).find(({ id }) => id === projectId)?.name;
    await page.goto(`${base}/projects`);
    await press(page, 'Rename Default');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('My shop');
    await admin.ok('PATCH', `/projects/${projectId}`, { name: 'Their shop' });
    await press(page, 'Save');
    await notice(page).getByText('Saved now: Their shop').waitFor();
    assert.equal(await stored(), 'Their shop');
    await settle(page, 'Keep mine');
    await press(page, 'Save');
    await page.getByRole('main').getByRole('link', { name: 'My shop' }).waitFor();
    assert.equal(await stored(), 'My shop');
  });

  await step('an organization', async () => {
    const stored = async () =>
      (await admin.ok<Organization[]>('GET', '/me/organizations')).find(({ id }) => id === orgId)?.name;
    await follow(page, `${base}/settings/general`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Mine');
    await admin.ok('PATCH', orgPath, { name: 'Theirs' });
    await press(page, 'Save');
    await notice(page).getByText('Saved now: Theirs').waitFor();
    assert.equal(await stored(), 'Theirs');
    await settle(page, 'Take theirs');
    assert.equal(await name.inputValue(), 'Theirs');
  });

  await step('a saved view, whose visibility is kept', async () => {
    const path = `${orgPath}/monitor-views`;
    const { id } = await admin.ok<MonitorView>('POST', path, { name: 'Down', shared: false, search: {} });
    const change = (body: object) => admin.ok('PATCH', `${path}/${id}`, body);
    const stored = async () => (await admin.ok<MonitorView[]>('GET', path)).find((view) => view.id === id);
    await follow(page, `${base}/monitors/all`);
    await press(page, 'Change Down');
    await dialog.getByLabel('Name of the view').fill('Broken');
    await change({ shared: true });
    await saveDialog();
    assert.deepEqual([(await stored())?.name, (await stored())?.shared], ['Broken', true]);
  });

  await step('a region, whose other settings are kept', async () => {
    const stored = async () =>
      (await admin.ok<AdministeredRegion[]>('GET', '/admin/regions')).find(({ slug }) => slug === 'local');
    const change = (body: object) => admin.ok('PATCH', '/admin/regions/local', body);
    await follow(page, `${url}/app/operator/regions/local`);
    await press(page, 'Edit');
    const name = dialog.getByLabel('Name', { exact: true });
    await name.fill('Here');
    await change({ canaries: ['one.example.com:53'] });
    await saveDialog();
    assert.deepEqual([(await stored())?.name, (await stored())?.canaries], ['Here', ['one.example.com:53']]);
    await press(page, 'Edit');
    await name.fill('Mine');
    await change({ name: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await notice(page).getByText('Saved now: Theirs').waitFor();
    await settle(page, 'Take theirs');
    await saveDialog();
    assert.equal((await stored())?.name, 'Theirs');
  });

  await step('the labels of a host, which are not lost while somebody types', async () => {
    const { id } = await makeAgent(app, app.home, 'web-1');
    const path = `${orgPath}/agents/${id}`;
    const stored = async () => (await admin.ok<Agent>('GET', path)).labels;
    await follow(page, `${base}/hosts/${id}`);
    await heading(page, 'web-1').waitFor();
    const labels = page.getByRole('combobox', { name: 'Labels' });
    await labels.fill('env=mine');
    await labels.press('Enter');
    await admin.ok('PATCH', path, { labels: 'env=theirs' });
    await press(page, 'Save');
    await notice(page).getByText('Yours: env=mine').waitFor();
    await notice(page).getByText('Saved now: env=theirs').waitFor();
    assert.equal(await stored(), 'env=theirs');
    await settle(page, 'Keep mine');
    await press(page, 'Save');
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    assert.equal(await stored(), 'env=mine');
  });

  await step('a monitor that becomes one of another type', async () => {
    const stored = () => admin.ok<Monitor>('GET', `/monitors/${monitor.id}`);
    await follow(page, `${base}/monitors/${monitor.id}/edit?type=tcp`);
    await page.getByLabel('Name', { exact: true }).fill('My shop');
    await admin.ok('PATCH', `/monitors/${monitor.id}`, {
      name: 'Their shop',
      tags: ['prod'],
      interval_seconds: 120,
    });
    await press(page, 'Change to this type');
    await notice(page).getByText('Saved now: Their shop').waitFor();
    assert.equal((await stored()).type, 'http');
    await settle(page, 'Take theirs');
    await press(page, 'Change to this type');
    await heading(page, /^Their shop/).waitFor();
    const { type, tags, interval_seconds } = await stored();
    assert.deepEqual([type, tags, interval_seconds], ['tcp', ['prod'], 120]);
  });
});
