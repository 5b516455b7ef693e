// Two people edit the same thing: nothing that one of them saved is overwritten by the other unseen. With a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AlarmStandard, AlertProfile } from '#src/alarm-policy/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { OnCallSettings } from '#src/on-call/contract.ts';
import type { StatusPageDetail } from '#src/status-pages/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { follow, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';

const notice = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile' });
const settled = (page: Page) => notice(page).waitFor({ state: 'detached' });

test('two people who edit the same thing', { skip: noBrowser() }, async (t) => {
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
  const readMonitor = () => admin.ok<Monitor>('GET', `/monitors/${monitor.id}`);
  const edit = () => follow(page, `${base}/monitors/${monitor.id}/edit`);

  const isSaved = (name: string) => heading(page, new RegExp(`^${name}`)).waitFor();

  await step('changes of different fields of a monitor are both kept', async () => {
    await page.goto(`${base}/monitors/${monitor.id}/edit`);
    await page.getByLabel('Name', { exact: true }).fill('Web shop');
    await admin.ok('PATCH', `/monitors/${monitor.id}`, { tags: ['prod'], config: { timeout_ms: 5_000 } });
    await press(page, 'Save');
    await isSaved('Web shop');
    const { name, tags, config } = await readMonitor();
    assert.deepEqual(
      [name, tags, (config as { timeout_ms: number }).timeout_ms],
      ['Web shop', ['prod'], 5_000],
    );
  });

  await step('the same field of a monitor is not overwritten before somebody says so', async () => {
    await edit();
    await page.getByLabel('Name', { exact: true }).fill('My shop');
    await admin.ok('PATCH', `/monitors/${monitor.id}`, { name: 'Their shop' });
    await press(page, 'Save');
    await notice(page).getByText('Saved now: Their shop').waitFor();
    await notice(page).getByText('Yours: My shop').waitFor();
    assert.equal((await readMonitor()).name, 'Their shop');
    await press(page, 'Keep mine');
    await settled(page);
    await press(page, 'Save');
    await isSaved('My shop');
    assert.equal((await readMonitor()).name, 'My shop');
  });

  await step('the other change can be taken, and the rest of the form stays', async () => {
    await edit();
    await page.getByLabel('Name', { exact: true }).fill('Again my shop');
    await page.getByLabel('URL').fill('https://mine.example.com/');
    await admin.ok('PATCH', `/monitors/${monitor.id}`, { name: 'Again their shop' });
    await notice(page).getByText('Saved now: Again their shop').waitFor();
    await press(page, 'Take theirs');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Again their shop');
    await press(page, 'Save');
    await isSaved('Again their shop');
    const { name, config } = await readMonitor();
    assert.deepEqual(
      [name, (config as { url: string }).url],
      ['Again their shop', 'https://mine.example.com/'],
    );
  });

  await step('an alert profile keeps what somebody else has changed', async () => {
    const made = await admin.ok<AlertProfile>('POST', `${orgPath}/alert-profiles`, { name: 'Night' });
    const change = (body: object) => admin.ok('PATCH', `/alert-profiles/${made.id}`, body);
    const stored = async () =>
      (await admin.ok<AlertProfile[]>('GET', `${orgPath}/alert-profiles`)).find(({ id }) => id === made.id);
    const address = `${base}/settings/alarm-policy/profiles/${made.id}`;
    await page.goto(address);
    await page.getByLabel('Name', { exact: true }).fill('Night shift');
    await change({ alarm_consecutive: 4 });
    await press(page, 'Save');
    await heading(page, 'Alarm policy').waitFor();
    assert.deepEqual([(await stored())?.name, (await stored())?.alarm_consecutive], ['Night shift', 4]);
    await page.goto(address);
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await change({ name: 'Theirs' });
    await press(page, 'Save');
    await notice(page).getByText('Saved now: Theirs').waitFor();
    await press(page, 'Take theirs');
    await press(page, 'Save');
    await heading(page, 'Alarm policy').waitFor();
    assert.equal((await stored())?.name, 'Theirs');
  });

  await step('the alarm standard keeps what somebody else has changed', async () => {
    const put = (body: object) => admin.ok('PUT', `${orgPath}/alarm-standard`, body);
    await put({ min_regions: 1, alarm_consecutive: 2 });
    await page.goto(`${base}/settings/alarm-policy/standard`);
    await page.getByLabel('Minimum regions').fill('2');
    await put({ min_regions: 1, alarm_consecutive: 5 });
    await press(page, 'Save');
    await heading(page, 'Alarm policy').waitFor();
    const standard = await admin.ok<AlarmStandard>('GET', `${orgPath}/alarm-standard`);
    assert.deepEqual([standard.min_regions, standard.alarm_consecutive], [2, 5]);
    await admin.ok('PUT', `${orgPath}/alarm-standard`, null);
  });

  await step('on-call rules follow, keep other changes, and ask about the same one', async () => {
    const path = `${orgPath}/on-call/settings`;
    const stored = () => admin.ok<OnCallSettings>('GET', path);
    const first = page.getByLabel('Next person after');
    await page.goto(`${base}/on-call`);
    const reminder = page.getByLabel('Reminder every');
    await reminder.fill('30');
    await admin.ok('PUT', path, { escalation_stage1_minutes: 7, escalation_stage2_minutes: 40 });
    await press(page, 'Save');
    await page.getByText('On-call is saved, and in force.').waitFor();
    const { reminder_minutes, escalation_stage1_minutes } = await stored();
    assert.deepEqual([reminder_minutes, escalation_stage1_minutes], [30, 7]);
    assert.equal(await first.inputValue(), '7 min');
    await reminder.fill('45');
    await admin.ok('PUT', path, { reminder_minutes: 60 });
    await press(page, 'Save');
    await notice(page).getByText('Saved now: 60').waitFor();
    assert.equal((await stored()).reminder_minutes, 60);
    await press(page, 'Take theirs');
    await settled(page);
    assert.equal(await reminder.inputValue(), '60 min');
  });

  await step('a status page keeps other changes, and asks about the same one', async () => {
    const { id } = await admin.ok<{ id: string }>('POST', `${orgPath}/status-pages`, {
      name: 'Our services',
    });
    const stored = async () => (await admin.ok<StatusPageDetail>('GET', `/status-pages/${id}`)).page;
    const change = async (body: object) => {
      const { name, enabled, public_viewable } = await stored();
      await admin.ok('PATCH', `/status-pages/${id}`, {
        name,
        enabled,
        public_viewable,
        ...body,
      });
    };
    await page.goto(`${base}/status-pages/${id}`);
    await page.getByLabel('Headline').fill('All our services');
    await change({ description: 'Ask Ada.' });
    await press(page, 'Save');
    await page.getByText('The page is saved.').waitFor();
    assert.deepEqual(
      [(await stored()).headline, (await stored()).description],
      ['All our services', 'Ask Ada.'],
    );
    await page.getByLabel('Headline').fill('Mine');
    await change({ headline: 'Theirs' });
    await press(page, 'Save');
    await notice(page).getByText('Saved now: Theirs').waitFor();
    assert.equal((await stored()).headline, 'Theirs');
    await press(page, 'Keep mine');
    await settled(page);
    await press(page, 'Save');
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    assert.equal((await stored()).headline, 'Mine');
  });
});
