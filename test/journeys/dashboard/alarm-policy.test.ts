// What monitors inherit, in the dashboard: alert profiles and the organization's alarm standard, with a real installation,
// a real browser and people with different roles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AlarmStandard, AlertProfile } from '#src/alarm-policy/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { makeClient } from '#test/harness/client.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { choose, fits, follow, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';

const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const profileRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Alert profiles' }).getByRole('listitem').filter({ hasText: name });
const described = (page: Page, field: string, words: string) =>
  page
    .getByLabel(field, { exact: true })
    .and(page.getByRole('textbox', { description: words }))
    .waitFor();

test('the alarm policy in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, orgPath, browser } = await startDashboard(stack);
  const base = `${url}/app/o/${orgId}/settings/alarm-policy`;
  const signedIn = (email: string) => signedInPage(browser, url, email);
  const page = await signedIn(ADMIN.email);
  const seen = watch(page);
  const profileOf = async (name: string) => {
    const profiles = await admin.ok<AlertProfile[]>('GET', `${orgPath}/alert-profiles`);
    const profile = profiles.find((each) => each.name === name);
    assert.ok(profile, `no profile ${name}`);
    return profile;
  };
  const monitor = (name: string, policy?: object) =>
    admin.send<Monitor & { error?: string }>('POST', `/projects/${app.home.projectId}/monitors`, {
      name,
      type: 'http',
      config: { url: 'https://shop.example.com/' },
      ...(policy && { policy }),
    });

  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));

  await step(
    'without a standard and profiles the page explains them, and shows the values in force',
    async () => {
      await page.goto(`${url}/app/o/${orgId}/settings/general`);
      await page
        .getByRole('navigation', { name: 'Settings' })
        .getByRole('link', { name: 'Alarm policy' })
        .click();
      await heading(page, 'Alarm policy').waitFor();
      await page.getByText('The organization has no standard.').waitFor();
      await page
        .getByText('An incident opens when 2 checks in a row fail in at least 2 of 3 regions.')
        .waitFor();
      await page.getByText('No profiles yet.').waitFor();
    },
  );

  await step('a profile has the fields that are filled in, and shows them in words', async () => {
    await page.getByRole('link', { name: 'New profile' }).click();
    await heading(page, 'New profile').waitFor();
    await press(page, 'Create profile');
    await page.getByText('Give the profile a name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Night shift');
    await page.getByLabel('Failing checks in a row', { exact: true }).fill('5');
    await page.getByLabel('Outage must last', { exact: true }).fill('300');
    await choose(page, 'Regions that must agree', 'a fixed number');
    await press(page, 'Create profile');
    await page.getByText('This choice needs a number.').waitFor();
    await page.getByLabel('Number of regions').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Number of regions').fill('1');
    await page
      .getByText(
        'An incident opens when 5 checks in a row fail in at least 1 of 3 regions and this has lasted 5 minutes.',
      )
      .waitFor();
    await press(page, 'Create profile');
    await heading(page, 'Alarm policy').waitFor();
    const row = profileRow(page, 'Night shift');
    for (const words of ['not used yet', '5 minutes', '1 region']) await row.getByText(words).waitFor();
    assert.equal(await row.getByText('Passing checks in a row to recover').count(), 0);
    const { alarm_consecutive, alarm_quorum_mode, recovery_consecutive } = await profileOf('Night shift');
    assert.deepEqual([alarm_consecutive, alarm_quorum_mode, recovery_consecutive], [5, 'count', null]);
  });

  await step('a name that is taken is refused at the name', async () => {
    await page.getByRole('link', { name: 'New profile' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Night shift');
    await press(page, 'Create profile');
    await name.and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByText('This name is already used.').waitFor();
    await name.fill('Spare');
    await press(page, 'Create profile');
    await profileRow(page, 'Spare').getByText('Nothing set: everything is inherited.').waitFor();
  });

  await step('the standard is a minimum from the moment it is set', async () => {
    await page.getByRole('link', { name: 'Set a standard' }).click();
    await heading(page, 'Alarm standard').waitFor();
    await page.getByLabel('Minimum regions').fill('2');
    await page.getByLabel('Failing checks in a row', { exact: true }).fill('4');
    await press(page, 'Set a standard');
    await page.getByText('A monitor needs at least 2 regions.').waitFor();
    await page
      .getByText('An incident opens when 4 checks in a row fail in at least 2 of 3 regions.')
      .waitFor();
    const refused = await monitor('Too few');
    assert.deepEqual([refused.status, refused.body.error], [400, 'alarm_standard_unreachable']);
  });

  await step('empty fields of a profile show what they inherit, and from where', async () => {
    await page.getByRole('link', { name: 'Edit Spare' }).click();
    await heading(page, 'Edit Spare').waitFor();
    await described(page, 'Failing checks in a row', 'Inherited: organization standard');
    await described(page, 'Passing checks in a row to recover', 'Inherited: platform default');
    const failing = page.getByLabel('Failing checks in a row', { exact: true });
    assert.equal(await failing.getAttribute('placeholder'), '4');
    await failing.fill('7');
    await described(page, 'Failing checks in a row', 'Set in this profile');
    await press(page, 'Save');
    await page.getByText('Spare is saved, and in force.').waitFor();
    assert.equal((await profileOf('Spare')).alarm_consecutive, 7);
  });

  await step('a removed standard binds nobody', async () => {
    await press(page, 'Lift');
    await inDialog(page, 'Lift');
    await page.getByText('The organization has no standard.').waitFor();
    assert.equal(await admin.ok<AlarmStandard | null>('GET', `${orgPath}/alarm-standard`), null);
  });

  await step('a change that a monitor cannot have is refused at its field, naming the monitor', async () => {
    const { id } = await profileOf('Night shift');
    assert.equal((await monitor('Booking API', { alert_profile_id: id })).status, 201);
    await page.goto(base);
    await profileRow(page, 'Night shift').getByText('used by 1 monitor').waitFor();
    await page.getByRole('link', { name: 'Edit Night shift' }).click();
    await page
      .getByRole('list', { name: 'Monitors that use it' })
      .getByRole('link', { name: 'Booking API' })
      .waitFor();
    const value = page.getByLabel('Number of regions');
    await value.fill('3');
    await press(page, 'Save');
    await value.and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByText(/\(monitor "Booking API"\)/).waitFor();
    await press(page, 'Cancel');
    await press(page, 'Leave');
  });

  await step('a profile in use is not deleted, and says who uses it', async () => {
    await press(page, 'Delete Night shift');
    await page.getByText('One monitor uses it. Choose another profile').waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'Booking API' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    // One that comes to be used while its deletion is being asked for.
    await press(page, 'Delete Spare');
    await page.getByText('No monitor uses it.').waitFor();
    const { id } = await profileOf('Spare');
    const user = await monitor('Late comer', { alert_profile_id: id });
    await inDialog(page, 'Delete');
    await page.getByRole('dialog').getByRole('link', { name: 'Late comer' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await admin.ok('DELETE', `/monitors/${user.body.id}`);
    await page.reload();
    await press(page, 'Delete Spare');
    await inDialog(page, 'Delete');
    await page.getByText('Spare is deleted.').waitFor();
    await profileRow(page, 'Spare').waitFor({ state: 'detached' });
  });

  await step(
    'managers can edit profiles, only owners and admins the standard; members can read both',
    async () => {
      for (const role of ['manager', 'member'] as const) {
        const email = `${role}@example.com`;
        const { invite_token } = await admin.ok<{ invite_token: string }>('POST', `${orgPath}/invitations`, {
          email,
          role,
        });
        const accepted = { token: invite_token, name: role, password: ADMIN.password };
        await makeClient(url).ok('POST', '/auth/invitations/accept', accepted);
        const other = await signedIn(email);
        const others = watch(other);
        await other.goto(base);
        await profileRow(other, 'Night shift').getByText('5 minutes').waitFor();
        await other.getByText('Owners and admins can change this.').waitFor();
        assert.equal(await other.getByRole('link', { name: 'Set a standard' }).count(), 0);
        const mayManage = role === 'manager' ? 1 : 0;
        assert.equal(await other.getByRole('link', { name: 'New profile' }).count(), mayManage);
        assert.equal(await other.getByRole('button', { name: 'Delete Night shift' }).count(), mayManage);
        await follow(other, `${base}/standard`);
        await other.getByText('only owners and admins set it').waitFor();
        if (role === 'member') {
          await follow(other, `${base}/profiles/new`);
          await heading(other, 'Your role can’t open this page').waitFor();
        }
        assert.deepEqual(others, { refused: [], broken: [] });
        await giveBack(other);
      }
    },
  );

  await step('nothing is wider than a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const { id } = await profileOf('Night shift');
    const addresses = ['', '/standard', '/profiles/new', `/profiles/${id}`];
    await fits(page, ...addresses.map((address) => `${base}${address}`));
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await step('in German the alarm policy is German, and so is its activity', async () => {
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await page.goto(base);
    await heading(page, 'Alarmregeln').waitFor();
    await page.getByText('von 1 Monitor benutzt').waitFor();
    await follow(page, `${url}/app/o/${orgId}/settings/activity`);
    await page.getByRole('button', { name: /Alarmstandard aufgehoben/ }).waitFor();
    await page.evaluate('localStorage.clear()');
  });

  await step('only the expected refusals have happened', async () => {
    const expected = [/^409 POST alert-profiles$/, /^400 PATCH alp_/, /^409 DELETE alp_/];
    assert.equal(seen.refused.length, expected.length, seen.refused.join(', '));
    for (const [at, pattern] of expected.entries()) assert.match(seen.refused[at] ?? '', pattern);
  });
});
