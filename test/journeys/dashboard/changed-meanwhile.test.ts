// Two people edit the same thing: nothing that one of them saved is overwritten by the other unseen. With a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AlarmStandard, AlertProfile } from '#src/alarm-policy/contract.ts';
import type { Postmortem } from '#src/incidents/actions-contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import type { OnCallSettings } from '#src/on-call/contract.ts';
import type { StatusPageDetail } from '#src/status-pages/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { follow, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

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
    await change({ headline: 'Theirs', description: 'Ask Bob.' });
    await press(page, 'Save');
    await notice(page).getByText('Saved now: Theirs').waitFor();
    assert.equal((await stored()).headline, 'Theirs');
    // A field that already shows their change is changed from there: nobody is asked about it.
    const description = page.getByLabel('Description');
    assert.equal(await description.inputValue(), 'Ask Bob.');
    await description.fill('Ask Bob or Cy.');
    assert.equal(await notice(page).getByRole('listitem').count(), 1);
    await press(page, 'Keep mine');
    await settled(page);
    await press(page, 'Save');
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    assert.deepEqual([(await stored()).headline, (await stored()).description], ['Mine', 'Ask Bob or Cy.']);
  });

  await step('a maintenance window keeps other changes, and asks about the same one', async () => {
    const from = Math.floor(Date.now() / 1_000) + 86_400;
    const { id } = await admin.ok<MaintenanceWindow>('POST', `${orgPath}/maintenance-windows`, {
      title: 'Upgrade',
      scheduled_start: from,
      scheduled_end: from + 3_600,
    });
    const change = (body: object) => admin.ok('PATCH', `${orgPath}/maintenance-windows/${id}`, body);
    const open = () => follow(page, `${base}/maintenance/${id}/edit`);
    const stored = async () =>
      (await admin.ok<MaintenanceWindow[]>('GET', `${orgPath}/maintenance-windows`)).find(
        (window) => window.id === id,
      );
    const description = page.getByRole('textbox', { name: 'Description' });
    await open();
    await description.fill('Slower for an hour.');
    await change({ title: 'Database upgrade', scheduled_end: from + 7_200 });
    await press(page, 'Save');
    await heading(page, 'Database upgrade').waitFor();
    const { title, body, scheduled_end } = (await stored()) ?? {};
    assert.deepEqual([title, body, scheduled_end], ['Database upgrade', 'Slower for an hour.', from + 7_200]);
    await open();
    await description.fill('Mine');
    await change({ body: 'Theirs', tags: ['prod'] });
    await press(page, 'Save');
    await notice(page).getByText('Saved now: Theirs').waitFor();
    await notice(page).getByText('Yours: Mine').waitFor();
    assert.equal((await stored())?.body, 'Theirs');
    await press(page, 'Keep mine');
    await settled(page);
    await press(page, 'Save');
    await heading(page, 'Database upgrade').waitFor();
    assert.deepEqual([(await stored())?.body, (await stored())?.tags], ['Mine', ['prod']]);
  });

  await step('a change of all windows of a repetition leaves what was changed of one alone', async () => {
    const from = Math.floor(Date.now() / 1_000) + 86_400;
    const made = await admin.ok<MaintenanceWindow>('POST', `${orgPath}/maintenance-windows`, {
      title: 'Backups',
      scheduled_start: from,
      scheduled_end: from + 3_600,
      repeat: { rrule: 'FREQ=WEEKLY;COUNT=3', timezone: 'Europe/Berlin' },
    });
    const windows = async () =>
      (await admin.ok<MaintenanceWindow[]>('GET', `${orgPath}/maintenance-windows`)).filter(
        ({ series_id }) => series_id === made.series_id,
      );
    const [last] = await windows();
    const change = (id: string | undefined, body: object, scope = 'this') =>
      admin.ok('PATCH', `${orgPath}/maintenance-windows/${id}?scope=${scope}`, body);
    await change(last?.id, { title: 'Big backup' });
    await follow(page, `${base}/maintenance/${made.id}/edit`);
    await page.getByRole('radio', { name: 'All windows' }).check();
    const repeats = page.getByRole('combobox', { name: 'Repeats' });
    await repeats.selectOption('Every day');
    await change(made.id, { repeat: { rrule: 'FREQ=MONTHLY;COUNT=3', timezone: 'Europe/Berlin' } }, 'all');
    await press(page, 'Save');
    await notice(page).getByText('Yours: Every day').waitFor();
    await notice(page).getByText('Saved now: FREQ=MONTHLY;COUNT=3').waitFor();
    await page.getByRole('radio', { name: 'Only this window' }).check();
    await settled(page);
    await page.getByRole('radio', { name: 'All windows' }).check();
    await press(page, 'Take theirs');
    await settled(page);
    await page.getByRole('textbox', { name: 'Description' }).fill('To the other site.');
    await press(page, 'Save');
    await heading(page, 'Backups').waitFor();
    assert.deepEqual(
      (await windows()).map(({ title, body, repeat }) => [title, body, repeat?.rrule]),
      ['Big backup', 'Backups', 'Backups'].map((title) => [
        title,
        'To the other site.',
        'FREQ=MONTHLY;COUNT=3',
      ]),
    );
  });

  await step('a notification target keeps other changes, and asks about the same one', async () => {
    const { id } = await admin.ok<WebhookTarget>('POST', `${orgPath}/webhooks`, {
      name: 'Pager',
      kind: 'pagerduty',
      credential: 'a'.repeat(28).concat('1111'),
      events: ['opened', 'resolved'],
    });
    const change = (body: object) => admin.ok('PATCH', `${orgPath}/webhooks/${id}`, body);
    const stored = async () =>
      (await admin.ok<WebhookTarget[]>('GET', `${orgPath}/webhooks`)).find((target) => target.id === id);
    const form = page.getByRole('dialog');
    const name = form.getByLabel('Name', { exact: true });
    const key = form.getByLabel('Integration key');
    const save = async () => {
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
    };
    await follow(page, `${base}/notifications/${id}`);
    await press(page, 'Edit');
    await name.fill('Night pager');
    await change({ events: ['opened'], region: 'eu', credential: 'b'.repeat(28).concat('2222') });
    await save();
    const target = await stored();
    assert.deepEqual(
      [target?.name, target?.events, target?.region, target?.secret_hint],
      ['Night pager', ['opened'], 'eu', '••••2222'],
    );
    await press(page, 'Edit');
    await key.fill('c'.repeat(28).concat('3333'));
    await change({ name: 'Their pager' });
    await save();
    assert.deepEqual([(await stored())?.name, (await stored())?.secret_hint], ['Their pager', '••••3333']);
    await press(page, 'Edit');
    await key.fill('d'.repeat(28).concat('4444'));
    await name.fill('My pager');
    await change({ name: 'Again their pager', credential: 'e'.repeat(28).concat('5555') });
    await form.getByRole('button', { name: 'Save' }).click();
    for (const words of [
      'Yours: My pager',
      'Saved now: Again their pager',
      'Yours: ••••4444',
      'Saved now: ••••5555',
    ])
      await notice(page).getByText(words, { exact: true }).waitFor();
    await press(page, 'Take theirs');
    await settled(page);
    assert.equal(await key.inputValue(), '');
    await save();
    assert.deepEqual(
      [(await stored())?.name, (await stored())?.secret_hint],
      ['Again their pager', '••••5555'],
    );
  });

  await step('of the address of a chat, the same new one of two people is no clash', async () => {
    const url = (end: string) => `https://hooks.slack.com/services/T0/B0/${end}`;
    const { id } = await admin.ok<WebhookTarget>('POST', `${orgPath}/webhooks`, {
      name: 'Chat',
      kind: 'slack',
      url: url('first'),
      events: ['opened'],
    });
    const stored = async () =>
      (await admin.ok<WebhookTarget[]>('GET', `${orgPath}/webhooks`)).find((target) => target.id === id);
    await page.goto(`${base}/notifications/${id}`);
    await press(page, 'Edit');
    const form = page.getByRole('dialog');
    await form.getByLabel('URL').fill(url('second'));
    await form.getByLabel('Name', { exact: true }).fill('Our chat');
    await admin.ok('PATCH', `${orgPath}/webhooks/${id}`, { url: url('second') });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    assert.deepEqual(
      [(await stored())?.name, (await stored())?.url],
      ['Our chat', 'https://hooks.slack.com/••••cond'],
    );
  });

  await step('a post-mortem is not saved over what somebody else has written', async () => {
    const { id } = await admin.ok<{ id: string }>('POST', `${orgPath}/incidents`, {
      cause: 'Cards are refused',
      severity: 'critical',
    });
    const path = `${orgPath}/incidents/${id}/postmortem`;
    const stored = () => admin.ok<Postmortem>('GET', path);
    const write = (body: object) => admin.ok('PUT', path, body);
    const saved = () => page.getByText(/^Saved \d\d:\d\d:\d\d/).waitFor();
    // Nobody else has written anything while it is opened and filled in.
    await follow(page, `${base}/incidents/${id}/postmortem`);
    await page.getByText('are filled in from the incident').waitFor();
    await write({ title: 'Their title' });
    await page.getByLabel('Lessons').fill('Watch it.');
    await saved();
    const { title, summary, lessons } = await stored();
    assert.deepEqual([title, summary, lessons], ['Their title', '', 'Watch it.']);
    const same = 'A long story about cards. '.repeat(10);
    await write({ impact: same });
    const impact = page.getByLabel('Impact');
    await until(async () => (await impact.inputValue()) === same, 'what somebody else has written is shown');
    // Held until the other has saved, whoever is quicker.
    let release = () => {};
    const isOthers = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/postmortem', async (route) => {
      await isOthers;
      await route.continue();
    });
    await impact.fill(`${same}Mine.`);
    await page.getByLabel('Root cause').fill('A certificate.');
    await write({ impact: `${same}Theirs.` });
    release();
    await page.unrouteAll({ behavior: 'wait' });
    await notice(page)
      .getByText(/^Yours: ….*Mine\.$/)
      .waitFor();
    await notice(page)
      .getByText(/^Saved now: ….*Theirs\.$/)
      .waitFor();
    await page.getByText('Not saved: somebody else has changed the same text.').waitFor();
    assert.deepEqual([(await stored()).impact, (await stored()).root_cause], [`${same}Theirs.`, '']);
    await press(page, 'Take theirs');
    await saved();
    assert.equal(await impact.inputValue(), `${same}Theirs.`);
    assert.deepEqual(
      [(await stored()).impact, (await stored()).root_cause],
      [`${same}Theirs.`, 'A certificate.'],
    );
  });
});
