// Incidents in the dashboard: a real installation, a real browser. Somebody declares one by hand, writes to it, holds its
// alarm, takes it, closes it, discards and restores it, and writes its post-mortem; others see what their role and plan
// allow. How checks open one is walked in dashboard.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Postmortem } from '#src/incidents/actions-contract.ts';
import type { IncidentDetail, IncidentSummary, TimelineEntry } from '#src/incidents/contract.ts';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { makeClient } from '#test/harness/client.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { choose, fits, follow, heading, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { resultOf } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

const main = (page: Page) => page.getByRole('main');
/** On the page itself: the loud alarm has buttons of its own beside it. */
const press = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const fact = (page: Page, words: string | RegExp) => main(page).getByRole('definition').getByText(words);
const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
const line = (page: Page, words: string | RegExp): Locator =>
  timeline(page).filter({ hasText: words }).first();
const row = (page: Page, cause: string): Locator =>
  main(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: cause, exact: true }) });

test('incidents in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, orgPath, browser } = await startDashboard(stack);
  const base = `${url}/app/o/${orgId}/incidents`;
  /** Monitors of one host that fail in one batch. */
  const failTogether = async (count = 3): Promise<void> => {
    const [project] = await admin.ok<{ id: string }[]>('GET', `${orgPath}/projects`);
    const monitors: { id: string }[] = [];
    for (let i = 0; i < count; i++)
      monitors.push(
        await admin.ok('POST', `/projects/${project?.id}/monitors`, {
          name: `Replica ${monitors.length + 1} of ${count}`,
          type: 'http',
          config: { url: 'https://db.example.com/' },
        }),
      );
    const results = [0, 1].flatMap((later) =>
      monitors.map(({ id }) => resultOf(id, app.clock.ms() + later, 'down')),
    );
    assert.equal((await app.probe().post(results)).status, 200);
  };
  const incidents = (status: string) =>
    admin.ok<IncidentSummary[]>('GET', `${orgPath}/incidents?status=${status}`);
  await admin.ok('POST', `${orgPath}/status-pages`, { name: 'Public page' });
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  let incident = '';
  let alone: IncidentSummary[] = [];

  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));

  await step('an incident is declared by hand once, even if a button is pressed twice', async () => {
    await page.goto(base);
    await page.getByText('No open incidents').waitFor();
    await main(page).getByRole('link', { name: 'Declare incident' }).click();
    await heading(page, 'Declare an incident').waitFor();
    await press(page, 'Declare incident');
    await page.getByText('Describe the problem in a few words.').waitFor();
    await page.getByLabel('Problem').fill('Card payments are refused');
    await page.getByLabel('Description').fill('The acquirer confirmed it on the phone.');
    await choose(page, 'SEV level', 'SEV 1 – whole service');
    await main(page)
      .getByText(/are notified: Admin/)
      .waitFor();
    await page.getByText('Degraded', { exact: true }).click();
    await page.getByText('Wakes nobody, because it is only degraded.').waitFor();
    await page.getByText('Critical', { exact: true }).click();
    await main(page).getByRole('button', { name: 'Declare incident' }).dblclick();
    await heading(page, 'Card payments are refused').waitFor();
    const open = await incidents('open');
    assert.equal(open.length, 1);
    incident = `${orgPath}/incidents/${open[0]?.id}`;
    await fact(page, 'SEV 1').waitFor();
    await page.getByRole('heading', { name: 'As reported' }).waitFor();
    await line(page, 'Opened').waitFor();
  });

  await step('a note and a public update are in the timeline, and say who will see them', async () => {
    const field = page.getByLabel('Add to the timeline');
    await field.fill('Rolling back now.');
    await page.getByText('Visible to members of this organization.').waitFor();
    await press(page, 'Add');
    // Until it is sent it can be taken back, to where it was written.
    await line(page, 'Rolling back now.').getByRole('button', { name: 'Undo' }).press('Enter');
    await line(page, 'Rolling back now.').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.value'), 'Rolling back now.');
    await page.keyboard.press('Control+Enter');
    await line(page, 'Rolling back now.').getByText('Internal').waitFor();
    assert.deepEqual(await admin.ok('GET', `${incident}/notes`), []);
    await field.fill('We are working on it.');
    await main(page).getByText('Status update', { exact: true }).click();
    await main(page).getByText('Public', { exact: true }).click();
    await page.getByText('once this incident is linked to one').waitFor();
    await press(page, 'Publish');
    await line(page, 'We are working on it.').getByText('Public').waitFor();
    assert.equal(await field.inputValue(), '');
    // What is typed and not sent is not lost by a stray click.
    await field.fill('Half a sentence');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /Incidents/ })
      .press('Enter');
    await inDialog(page, 'Stay here');
    assert.equal(await field.inputValue(), 'Half a sentence');
    await field.fill('');
    await page.getByText('Notes', { exact: true }).click();
    await line(page, 'Opened').waitFor({ state: 'detached' });
    await page.getByText('All', { exact: true }).click();
    await line(page, 'Rolling back now.')
      .getByRole('button', { name: 'Undo' })
      .waitFor({ state: 'detached' });
    await until(
      async () => (await admin.ok<object[]>('GET', `${incident}/notes`)).length === 2,
      'one note is sent once',
    );
  });

  await step('the alarm is held under the caller’s name, and released', async () => {
    await press(page, 'Hold the alarm');
    await page.getByRole('menuitem', { name: '15 minutes' }).click();
    await page.getByText(/The alarm is held by Admin until .*\d\d:\d\d/).waitFor();
    await page
      .getByRole('timer')
      .getByText(/1[45] mins/)
      .waitFor();
    await line(page, 'for 15 minutes').waitFor();
    await press(page, 'End the hold');
    await line(page, 'Hold ended').waitFor();
    assert.equal(await page.getByRole('timer').count(), 0);
  });

  await step('it is shown on a status page, and removed', async () => {
    const shown = page.getByRole('checkbox', { name: 'Show on Public page' });
    // The box follows the server, so it is not checked the moment it is pressed.
    await shown.click();
    await line(page, 'Linked to a status page').waitFor();
    await page.getByText(/shown since/).waitFor();
    await shown.click();
    await line(page, 'Unlinked from a status page').waitFor();
  });

  await step('acknowledging it names the person; closing it appears on another screen', async () => {
    const other = await signedInPage(browser, url, ADMIN.email);
    await other.goto(page.url());
    await fact(other, 'Open').waitFor();
    await press(page, 'Acknowledge');
    await fact(page, 'Admin').waitFor();
    await fact(other, 'Admin').waitFor();
    await press(page, 'Resolve');
    await fact(page, 'Closed').waitFor();
    await fact(other, 'Closed').waitFor();
    await giveBack(other);
    const { lifecycle_state } = await admin.ok<IncidentDetail>('GET', incident);
    assert.equal(lifecycle_state, 'resolved');
  });

  await step('it is discarded with a reason, and restored', async () => {
    await press(page, 'More actions');
    await page.getByRole('menuitem', { name: 'Discard as a false alarm' }).click();
    await page.getByText('Its downtime is removed from all uptime and SLA figures').waitFor();
    await page.getByLabel('Reason').fill('It was a drill');
    await page.keyboard.press('Escape');
    await inDialog(page, 'Stay here');
    assert.equal(await page.getByLabel('Reason').inputValue(), 'It was a drill');
    await inDialog(page, 'Discard');
    await fact(page, 'False alarm').waitFor();
    await line(page, 'It was a drill').waitFor();
    await press(page, 'Restore');
    await inDialog(page, 'Restore');
    await fact(page, 'Closed').waitFor();
    const entries = await admin.ok<TimelineEntry[]>('GET', `${incident}/timeline`);
    for (const kind of ['discarded', 'restored'])
      assert.equal(entries.filter((entry) => entry.kind === kind).length, 1, kind);
  });

  await step('a post-mortem is saved automatically, even when its page is left, and published', async () => {
    await main(page).getByRole('link', { name: 'Write the post-mortem' }).click();
    await heading(page, 'Post-mortem: Card payments are refused').waitFor();
    await page.getByText('Changes are saved automatically.').waitFor();
    assert.match(await page.getByLabel('Title').inputValue(), /^Card payments are refused \(/);
    assert.match(await page.getByLabel('Summary').inputValue(), /Acknowledged · .*\n(.*\n)*.* Resolved · /);
    assert.deepEqual(seen.refused, [], 'it does not ask for what does not exist');
    assert.equal((await admin.send('GET', `${incident}/postmortem`)).status, 404, 'opened, not written');
    await page.getByLabel('Title').fill('Payments refused for an hour');
    await page.getByText('Unsaved changes').waitFor();
    await page.getByText(/^Saved \d\d:\d\d:\d\d/).waitFor();
    await page.getByLabel('Lessons').fill('Watch the acquirer too.');
    await main(page).getByRole('link', { name: 'Card payments are refused' }).click();
    await page.getByRole('heading', { name: 'As reported' }).waitFor();
    const draft = await admin.ok<Postmortem>('GET', `${incident}/postmortem`);
    assert.equal(draft.lessons, 'Watch the acquirer too.');
    assert.match(draft.summary, /Rolling back now/);
    assert.equal(draft.status, 'draft');
    await main(page).getByRole('link', { name: 'Write the post-mortem' }).click();
    await press(page, 'Publish');
    await inDialog(page, 'Publish');
    await main(page).getByRole('article').getByText('Watch the acquirer too.').waitFor();
    await page.goBack();
    await main(page).getByRole('link', { name: 'Open the post-mortem' }).waitFor();
    await line(page, 'Post-mortem published').waitFor();
  });

  await step('leaving does not lose text that cannot be saved', async () => {
    await main(page).getByRole('link', { name: 'Open the post-mortem' }).click();
    await press(page, 'Edit');
    await page.route('**/postmortem', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { error: 'unavailable', message: 'Away.' } })
        : route.continue(),
    );
    await page.getByLabel('Impact').fill('Nobody could pay.');
    await page.getByText(/^Not saved: The server is not ready/).waitFor();
    await main(page).getByRole('link', { name: 'Card payments are refused' }).click();
    await page.getByText('Leave with unsaved text?').waitFor();
    await inDialog(page, 'Stay');
    await page.unroute('**/postmortem');
    await press(page, 'Save now');
    await page.getByText(/^Saved \d\d:\d\d:\d\d/).waitFor();
    assert.deepEqual(
      seen.refused.splice(0).filter((refused) => !/^503 PUT postmortem$/.test(refused)),
      [],
    );
  });

  await step('a storm is one line with its name that unfolds, and is taken as one', async () => {
    for (const cause of ['The phones are silent', 'A drill'])
      await admin.ok('POST', `${orgPath}/incidents`, { cause, severity: 'critical' });
    await failTogether();
    const open = await incidents('open');
    const [one, another, third] = open.filter(({ group_id }) => group_id !== null);
    assert.ok(one?.monitor_name && another?.monitor_name && third?.monitor_name);
    alone = open.filter(({ group_id }) => group_id === null);
    await follow(page, base);
    await main(page).getByText('db.example.com, unexpected status').waitFor();
    await main(page).getByText('3 incidents opened together').waitFor();
    const named = (name: string) => main(page).getByRole('link', { name, exact: true });
    assert.equal(
      await main(page)
        .getByRole('row')
        .filter({ has: page.getByRole('link') })
        .count(),
      alone.length,
    );
    assert.equal(await named(another.monitor_name).count(), 0);
    await press(page, 'Show them');
    await named(one.monitor_name).click();
    await heading(page, one.monitor_name).waitFor();
    await fact(page, 'db.example.com, unexpected status').waitFor();
    await press(page, 'Acknowledge the whole storm');
    await fact(page, 'Admin').waitFor();
    await page.goBack();
    await press(page, 'Show them');
    await row(page, another.monitor_name).getByText('Admin', { exact: true }).waitFor();
    // One that joins later is taken from the list, with everything of the storm that nobody has.
    await failTogether(1);
    await press(page, 'Acknowledge the storm');
    await main(page).getByRole('button', { name: 'Acknowledge the storm' }).waitFor({ state: 'detached' });
    const states = (await incidents('open')).filter(({ group_id }) => group_id !== null);
    assert.deepEqual([...new Set(states.map(({ lifecycle_state }) => lifecycle_state))], ['acknowledged']);
  });

  await step('a list is filtered by state, and follows changes', async () => {
    const [held, drill] = alone;
    assert.ok(held && drill);
    const act = (id: string, verb: string, body?: object) =>
      admin.ok('POST', `${orgPath}/incidents/${id}/${verb}`, body);
    await choose(page, 'State', 'Alarm held');
    await page.getByText('No incident matches').waitFor();
    await act(held.id, 'hold', { seconds: 600 });
    await row(page, held.cause).getByText('Alarm held until').waitFor();
    await act(drill.id, 'resolve');
    await act(drill.id, 'discard', {});
    await main(page).getByText('Closed', { exact: true }).first().click();
    await row(page, 'Card payments are refused').waitFor();
    await choose(page, 'State', 'False alarm');
    await row(page, drill.cause).getByText('False alarm').waitFor();
    await page.getByText('1 of 2 loaded incidents').waitFor();
  });

  await step('a list is filtered by words, and the address keeps the filter', async () => {
    await follow(page, `${base}?status=all`);
    await page.getByRole('searchbox').fill('card');
    await page.getByText('1 of 7 loaded incidents').waitFor();
    await page.reload();
    await main(page).getByRole('link', { name: 'Card payments are refused' }).waitFor();
    await choose(page, 'Severity', 'Degraded');
    await page.getByText('No incident matches').waitFor();
    await press(page, 'Clear filters');
    await page.getByText(/\d+ incidents opened together/).waitFor();
  });

  await step('a name of 200 characters without a space makes no page too wide', async () => {
    const [project] = await admin.ok<{ id: string }[]>('GET', `${orgPath}/projects`);
    const create = (path: string, body: object) => admin.ok<{ id: string }>('POST', path, body);
    const name = 'n'.repeat(200);
    await admin.ok('PATCH', `/projects/${project?.id}`, { name });
    const config = { url: 'https://names.example.com/' };
    const monitor = await create(`/projects/${project?.id}/monitors`, { name, type: 'http', config });
    const from = Math.floor(app.clock.ms() / 1_000) + 3_600;
    const times = { scheduled_start: from, scheduled_end: from + 3_600 };
    await create(`${orgPath}/maintenance-windows`, { ...times, title: name, monitors: [monitor.id] });
    const hook = { name, kind: 'webhook', url: 'https://hooks.example.com/', events: ['opened'] };
    const target = await create(`${orgPath}/webhooks`, hook);
    const results = [0, 1].map((later) => resultOf(monitor.id, app.clock.ms() + later, 'down'));
    assert.equal((await app.probe().post(results)).status, 200);
    const failed = (await incidents('open')).find(({ monitor_name }) => monitor_name === name);
    assert.ok(failed);
    await admin.ok('POST', `${orgPath}/incidents/${failed.id}/resolve`);
    const [statusPage] = await admin.ok<{ id: string }[]>('GET', `${orgPath}/status-pages`);
    const organization = `${url}/app/o/${orgId}`;
    const addresses = [
      ...['overview', `incidents/${failed.id}`, `incidents/${failed.id}/postmortem`, 'notifications'],
      ...[`notifications/${target.id}`, `monitors/${monitor.id}`, 'maintenance', 'maintenance/new'],
    ].map((address) => `${organization}/${address}`);
    const isWithin = async (place: Locator, width: number) => {
      const choice = place.locator('label').filter({ hasText: name }).last();
      let end = Number.NaN;
      // A list that has just been read again has no box for a moment.
      await until(async () => {
        const box = await choice.boundingBox();
        end = box === null ? Number.NaN : box.x + box.width;
        return box !== null;
      }, 'its choice is shown');
      assert.ok(end <= width, `its choice ends at ${end} px`);
    };
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await fits(page, ...addresses);
      await isWithin(main(page), width);
      await follow(page, `${organization}/status-pages/${statusPage?.id}?part=monitors`);
      await press(page, 'Add monitors');
      await isWithin(page.getByRole('dialog'), width);
      await inDialog(page, 'Cancel');
    }
    assert.deepEqual(seen.refused.splice(0), []);
  });

  await step(
    'a member may not discard, and a plan without incident command names the missing feature',
    async () => {
      const email = 'member@example.com';
      const { invite_token } = await admin.ok<{ invite_token: string }>('POST', `${orgPath}/invitations`, {
        email,
        role: 'member',
      });
      const accepted = { token: invite_token, name: 'Mia', password: ADMIN.password };
      await makeClient(url).ok('POST', '/auth/invitations/accept', accepted);
      await admin.ok('PATCH', `/admin${orgPath}`, { plan: 'free' });
      const member = await signedInPage(browser, url, email);
      await member.goto(`${base}/${incident.split('/').at(-1)}`);
      await heading(member, 'Card payments are refused').waitFor();
      await main(member).getByLabel('Add to the timeline').waitFor();
      assert.equal(await main(member).getByRole('button', { name: 'More actions' }).count(), 0);
      assert.equal(await main(member).getByRole('checkbox').count(), 0);
      await main(member).getByRole('link', { name: 'Open the post-mortem' }).click();
      await main(member).getByRole('article').getByText('Nobody could pay.').waitFor();
      assert.equal(await main(member).getByRole('button', { name: 'Edit' }).count(), 0);
      await follow(member, `${base}/new`);
      await member.getByText('does not include incident command').waitFor();
      await giveBack(member);
    },
  );

  await step('nothing is wider than a phone, in German too', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    const id = incident.split('/').at(-1);
    await fits(page, ...['', '/new', `/${id}`, `/${id}/postmortem`].map((address) => `${base}${address}`));
    await heading(page, 'Nachbetrachtung: Card payments are refused').waitFor();
    await page.goto(`${base}?status=all`);
    await main(page).getByText('db.example.com, unerwarteter Status').waitFor();
    assert.deepEqual(seen.refused, []);
  });
});
