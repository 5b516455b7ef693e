// On-call and notification targets in the dashboard: a real installation, a real browser, people with different roles,
// and a paging provider that is away for a while.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { makeClient } from '#test/harness/client.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import {
  choose,
  fits,
  flip,
  follow,
  heading,
  press,
  signedInPage,
  stepsOf,
  watch,
} from '#test/harness/page.ts';
import { pagerdutyRules } from '#test/harness/providers/pagerduty.ts';
import { startProvider } from '#test/harness/providers/provider.ts';

const KEY = '0123456789abcdef0123456789abcdef';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const shifts = (page: Page) => panel(page, 'The next eight weeks').getByRole('listitem');

test('on-call in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const provider = await startProvider({ after: (stop) => stack.defer(stop) }, pagerdutyRules);
  const { url, admin, orgId, orgPath, browser } = await startDashboard(stack, {
    PAGERDUTY_URL: provider.url,
    PAGERDUTY_EU_URL: provider.url,
  });
  const base = `${url}/app/o/${orgId}`;
  for (const name of ['Anna Berg', 'Tom Okafor']) {
    const email = `${name.slice(0, 3).toLowerCase()}@example.com`;
    const invited = await admin.ok<{ invite_token: string }>('POST', `${orgPath}/invitations`, {
      email,
      role: 'member',
    });
    const accepted = { token: invited.invite_token, name, password: ADMIN.password };
    await makeClient(url).ok('POST', '/auth/invitations/accept', accepted);
  }
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);

  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));

  await step('before anything is set the page explains the default', async () => {
    await page.goto(`${base}/monitors`);
    const places = page.getByRole('navigation', { name: 'Main' });
    await places.getByRole('link', { name: 'On-call' }).click();
    await heading(page, 'On-call').waitFor();
    await page.getByText('On-call is off', { exact: true }).waitFor();
    await page.getByText('No mail can be sent').waitFor();
    const chain = panel(page, 'If an incident opened now');
    await chain.getByText('No paging or chat target is notified.').waitFor();
    await chain.getByText(/^The alarm rings for /).waitFor();
  });

  await step('the first monitor says at once that nobody would be told, and what helps', async () => {
    await follow(page, `${base}/monitors`);
    await page.getByLabel('URL to watch').fill(`${url}/healthz`);
    await press(page, 'Start watching');
    await page.getByText('Only the sound of an open dashboard is set up.').waitFor();
    const plan = panel(page, 'Who would be notified now');
    await plan.getByText('mail (no mail server)').first().waitFor();
    await plan.getByText('With no dashboard open, nobody is notified').waitFor();
    for (const [link, target] of [
      ['Invite somebody', /settings\/members$/],
      ['Turn on push', /account#push$/],
      ['Add a chat or paging target', /notifications\/new$/],
    ] as const)
      assert.match((await plan.getByRole('link', { name: link }).getAttribute('href')) ?? '', target);
    await page.reload();
    await plan.getByText('With no dashboard open, nobody is notified').waitFor();
    await follow(page, `${base}/on-call`);
    await heading(page, 'On-call').waitFor();
  });

  await step('contradictory rules are refused, and the page shows their effect', async () => {
    const rules = panel(page, 'Rules');
    await flip(rules, 'On-call is on');
    await rules.getByLabel('Next person after').fill('45');
    await rules.getByLabel('Mail after').fill('0');
    await rules.getByText('They get a mail at once, too.').waitFor();
    await rules
      .getByText('If nobody acknowledges within 45 minutes, the next person is woken as well.')
      .waitFor();
    await press(page, 'Save');
    await rules.getByText('Must not come before the next person is woken.').waitFor();
    await rules.getByLabel('Everybody after').fill('60');
    const zone = rules.getByRole('combobox', { name: 'Time zone' });
    await zone.fill('new york');
    await page.getByRole('option', { name: 'America/New York' }).click();
    // Whoever leaves is asked first.
    await page.getByRole('link', { name: 'Hosts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await press(page, 'Save');
    await page.getByText('On-call is saved, and in force.').waitFor();
    const settings = await admin.ok<Record<string, unknown>>('GET', `${orgPath}/on-call/settings`);
    assert.deepEqual(
      [
        settings.enabled,
        settings.timezone,
        settings.channel_step_minutes,
        settings.escalation_stage2_minutes,
      ],
      [true, 'America/New_York', 0, 60],
    );
    await page.getByText('Nobody is on duty', { exact: true }).waitFor();
    await page.getByText('The roster is empty.').waitFor();
  });

  await step('the roster is ordered with its buttons, and saving starts with this week', async () => {
    await choose(page, 'Add a member', 'Tom Okafor');
    await choose(page, 'Add a member', 'Anna Berg');
    await page.getByText('Saving restarts the rotation: Tom Okafor has this week').waitFor();
    const up = page.getByRole('button', { name: 'Move Anna Berg up' });
    await up.press('Enter');
    await page.getByText('Saving restarts the rotation: Anna Berg has this week').waitFor();
    await page.getByText('Anna Berg: place 1 of 2').waitFor({ state: 'attached' });
    // At the top nothing moves, and the focus stays.
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Move Anna Berg up');
    // The one Save takes the roster and the rules.
    await panel(page, 'Rules').getByLabel('Mail after').fill('2');
    await press(page, 'Save');
    await page.getByText('On-call is saved, and in force.').waitFor();
    await page.getByText('Unsaved changes').first().waitFor({ state: 'detached' });
    const { channel_step_minutes } = await admin.ok<Record<string, unknown>>(
      'GET',
      `${orgPath}/on-call/settings`,
    );
    assert.equal(channel_step_minutes, 2);
    await panel(page, 'On duty now').getByText('Anna Berg').waitFor();
    await shifts(page).nth(7).waitFor();
    const names = await shifts(page).allInnerTexts();
    assert.equal(names.length, 8);
    for (const [week, words] of names.entries()) {
      assert.match(words, week % 2 === 0 ? /Anna Berg/ : /Tom Okafor/);
      assert.equal(/\bnow\b/.test(words), week === 0);
    }
    const chain = panel(page, 'If an incident opened now');
    await chain.getByText('The alarm rings for Tom Okafor too.').waitFor();
  });

  await step('somebody takes the shift, is on duty, and gives it back', async () => {
    await page
      .getByRole('button', { name: /^Take this shift/ })
      .first()
      .press('Enter');
    await panel(page, 'On duty now')
      .getByText(/^Admin/)
      .waitFor();
    await shifts(page).first().getByText('taken over').waitFor();
    const overrides = panel(page, 'Overrides');
    await overrides.getByRole('button', { name: /^Delete the override of Admin/ }).press('Enter');
    await overrides.getByText('Nobody has taken over a shift.').waitFor();
    await panel(page, 'On duty now').getByText('Anna Berg').waitFor();
  });

  await step('an override is added for somebody else', async () => {
    const overrides = panel(page, 'Overrides');
    // The rotation is New York's, and this browser is elsewhere.
    await overrides
      .getByText(/^Enter times of your time zone, .*the rotation, America\/New York\.$/)
      .waitFor();
    await overrides.getByRole('combobox', { name: 'Person' }).click();
    await page.getByRole('option', { name: 'Tom Okafor' }).click();
    await overrides.getByLabel('From').fill('2035-05-01T08:00');
    await overrides.getByLabel('Until').fill('2035-05-01T07:00');
    await overrides.getByText('Must be after the start.').waitFor();
    await overrides.getByLabel('Until').fill('2035-05-01T20:00');
    await overrides.getByRole('button', { name: 'Add override' }).press('Enter');
    await overrides.getByRole('listitem').filter({ hasText: 'Tom Okafor' }).waitFor();
    const [made] = await admin.ok<{ ends_at_unix: number; starts_at_unix: number }[]>(
      'GET',
      `${orgPath}/on-call/overrides`,
    );
    assert.equal((made?.ends_at_unix ?? 0) - (made?.starts_at_unix ?? 0), 12 * 3600);
    await overrides.getByRole('button', { name: /^Delete the override of Tom/ }).press('Enter');
    await overrides.getByText('Nobody has taken over a shift.').waitFor();
  });

  await step('nobody may be chosen by hand: the page shows the gap and its consequence', async () => {
    const rules = panel(page, 'Rules');
    await rules.getByText('One person, by hand').click();
    await press(page, 'Save');
    await page.getByText('Nobody is chosen.').waitFor();
    await page.getByText('an alarm goes to the owners and admins at once').first().waitFor();
    await rules.getByRole('combobox', { name: 'Person on duty' }).click();
    await page.getByRole('option', { name: 'Tom Okafor' }).click();
    await press(page, 'Save');
    await panel(page, 'On duty now').getByText('Tom Okafor').waitFor();
    await panel(page, 'On duty now').getByText('Chosen by hand, until you choose somebody else.').waitFor();
  });

  await step('a paging target is created with a key, and its test says why it failed', async () => {
    await follow(page, `${base}/notifications`);
    await page.getByRole('link', { name: 'New target' }).click();
    await page.getByRole('link', { name: 'PagerDuty' }).click();
    await heading(page, 'New target: PagerDuty').waitFor();
    await press(page, 'Create target');
    await page.getByText('Give the target a name.').waitFor();
    await page.getByText('Enter the key of the integration.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Ops');
    await page.getByLabel('Integration key').fill(KEY);
    await press(page, 'Create target');
    await heading(page, 'Ops').waitFor();
    await page.getByText('••••cdef').waitFor();
    assert.ok(!(await page.content()).includes(KEY), 'the key is still on the page');
    provider.once({ status: 500, body: '' });
    await press(page, 'Send test');
    await page.getByText('The test failed').waitFor();
    await page.getByText(/answered HTTP 500/).waitFor();
  });

  await step('while paging cannot be reached the on-call page says so, until it works', async () => {
    const banner = page.getByText(/PagerDuty “Ops” (is|has been) unreachable/);
    await follow(page, `${base}/on-call`);
    await banner.click();
    await heading(page, 'Ops').waitFor();
    await press(page, 'Send test');
    await page.getByText('The test arrived').waitFor();
    await page.getByRole('link', { name: 'On-call' }).click();
    await panel(page, 'If an incident opened now').getByText('Notified: “Ops”.').first().waitFor();
    await banner.waitFor({ state: 'detached' });
  });

  await step('the key and the region of a paging target are changed', async () => {
    await follow(page, `${base}/notifications`);
    await page.getByRole('link', { name: 'Ops' }).click();
    await press(page, 'Edit');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Integration key').fill(`${KEY.slice(0, -4)}9876`);
    await dialog.getByText('EU', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('••••9876').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const [target] = await admin.ok<{ region: string; secret_hint: string }[]>('GET', `${orgPath}/webhooks`);
    assert.deepEqual([target?.region, target?.secret_hint], ['eu', '••••9876']);
  });

  await step(
    'a target receives some incidents only, and its page, the list and the plan of a monitor say so',
    async () => {
      const everything = page.getByText('All incidents and maintenance', { exact: true });
      await everything.waitFor();
      await press(page, 'Edit');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Receives All incidents and maintenance' }).click();
      await choose(page, 'Severity', 'Only critical');
      await dialog.getByLabel('Only monitors with one of these tags').fill('payments');
      await page.keyboard.press('Enter');
      await dialog.getByText('0 monitors have one of these tags now').waitFor();
      await dialog.getByRole('combobox', { name: 'Projects' }).click();
      await page.getByRole('option').first().click();
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Save' }).click();
      const words = page.getByText(/^Critical incidents of .+, tagged payments$/);
      await words.waitFor();
      assert.equal(await everything.count(), 0);
      await page.getByRole('link', { name: 'Notifications' }).first().click();
      await words.waitFor();
      await page.getByRole('link', { name: 'Monitors' }).first().click();
      await page
        .getByRole('main')
        .getByRole('link', { name: /healthz|127/ })
        .click();
      const plan = panel(page, 'Who would be notified now');
      await plan.getByText('With no dashboard open, nobody is notified').waitFor();
      assert.equal(await plan.getByText('Ops').count(), 0);
    },
  );

  await step('an address of another kind is refused at the field', async () => {
    await follow(page, `${base}/notifications/new?kind=slack`);
    await page.getByLabel('Name', { exact: true }).fill('#incidents');
    const address = page.getByLabel('URL', { exact: true });
    await address.fill('https://example.com/hook');
    await press(page, 'Create target');
    await address.and(page.locator('[aria-invalid="true"]')).waitFor();
    await press(page, 'Cancel');
    await press(page, 'Leave');
    await heading(page, 'Notifications').waitFor();
  });

  await step('members see everything and are offered no changes', async () => {
    const other = await signedInPage(browser, url, 'tom@example.com');
    const others = watch(other);
    await other.goto(`${base}/on-call`);
    await panel(other, 'On duty now').getByText('you', { exact: true }).waitFor();
    await panel(other, 'Rules').getByText('Chosen by hand: Tom Okafor').waitFor();
    await other.getByText('Owners and admins can change this.').first().waitFor();
    assert.equal(await other.getByRole('button', { name: 'Save' }).count(), 0);
    assert.equal(await other.getByRole('button', { name: /^Move / }).count(), 0);
    assert.equal(await other.getByRole('combobox').count(), 0);
    assert.deepEqual(others, { refused: [], broken: [] });
    await giveBack(other);
  });

  await step('a plan without on-call names the missing feature, and everything is read-only', async () => {
    await admin.ok('PATCH', `/admin${orgPath}`, { plan: 'free' });
    await page.goto(`${base}/on-call`);
    await page.getByText('The plan “free” does not include on-call').waitFor();
    await page.getByRole('link', { name: 'See the plan' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
    await admin.ok('PATCH', `/admin${orgPath}`, { plan: 'unlimited' });
  });

  await step('on a phone nothing is too wide, and pages without a tab are behind "More"', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const addresses = ['on-call', 'notifications/new', 'notifications/new?kind=opsgenie'];
    await fits(page, ...addresses.map((address) => `${base}/${address}`));
    // German words are longer, and a screen magnified four times is as wide as this.
    await page.setViewportSize({ width: 320, height: 844 });
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await fits(page, `${base}/on-call`);
    await page.evaluate("localStorage.removeItem('tocsin-language')");
    await page.goto(`${base}/notifications/new`);
    await page.setViewportSize({ width: 390, height: 844 });
    await press(page, 'More');
    await page.getByRole('menuitem', { name: 'Notifications' }).click();
    await heading(page, 'Notifications').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await step('in German on-call is German', async () => {
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await page.goto(`${base}/on-call`);
    await heading(page, 'Bereitschaft').waitFor();
    await page.getByText('Von Hand gewählt, bis Sie jemand anderen wählen.').waitFor();
    await follow(page, `${base}/notifications/new`);
    await heading(page, 'Neues Ziel').waitFor();
    await page.evaluate('localStorage.clear()');
  });

  await step('only the expected refusal has happened', async () => {
    assert.deepEqual(seen.refused, ['400 POST webhooks']);
  });
});
