// The settings of an organization in the dashboard: a real installation, a real browser, people with different roles,
// an API key that is then used, and the operator's page.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { newId } from '#src/platform/ids.ts';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { makeClient } from '#test/harness/client.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import {
  choose,
  follow,
  heading,
  openFirstOrganization,
  press,
  signedInPage,
  stepsOf,
  watch,
} from '#test/harness/page.ts';

const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const tab = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

const boxOf = async (element: Locator) =>
  (await element.boundingBox()) ?? assert.fail('the element is not shown');

/** Invites somebody and returns the link that is shown for want of a mail server. */
async function invite(page: Page, email: string, role: RegExp): Promise<string> {
  await press(page, 'Invite somebody');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('radio', { name: role }).click();
  await inDialog(page, 'Invite');
  await page.getByText(`No mail could be sent to ${email}.`).waitFor();
  const field = page.getByRole('textbox', { name: 'Invitation link' });
  await field.and(page.locator(':focus')).waitFor();
  const link = await field.inputValue();
  await press(page, 'I have shared it');
  return link;
}

test('the organization in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, browser } = await startDashboard(stack);
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const orgId = await openFirstOrganization(page, url);
  const base = `${url}/app/o/${orgId}/settings`;
  const links: string[] = [];
  let key = '';

  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));
  const asKey = () =>
    fetch(`${url}/organizations/${orgId}/projects`, { headers: { authorization: `Bearer ${key}` } });

  await step('an organization is renamed, its slug stays', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'General').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Meridian Freight');
    await press(page, 'Save');
    await page.getByText('The organization has a new name.').waitFor();
    await page
      .getByRole('button', { name: /Switch organization/ })
      .getByText('Meridian Freight')
      .waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Slug' }).inputValue(), 'example');
    assert.ok(await page.getByRole('button', { name: 'Leave', exact: true }).isDisabled());
  });

  await step('the operator gives the organization a smaller plan', async () => {
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: 'Operate this installation' }).click();
    await heading(page, 'Organizations').waitFor();
    await choose(page, 'Plan of Meridian Freight', 'free');
    await page.getByText('Meridian Freight is now on the plan “free”.').waitFor();
    await page.goto(`${base}/plan`);
    const limits = page.getByRole('region', { name: 'Limits' });
    await limits.getByRole('listitem').filter({ hasText: 'Seats' }).getByText('1 of 3').waitFor();
    await page.getByRole('region', { name: 'Capabilities' }).getByText('Not included').first().waitFor();
  });

  await step('without a mail server an invitation is a link, until no seat is left', async () => {
    await tab(page, /Members/).click();
    await page.getByText('1 of 3 seats used').waitFor();
    links.push(await invite(page, 'marta@example.com', /Admin/));
    links.push(await invite(page, 'priya@example.com', /^Member/));
    for (const link of links) assert.match(link, new RegExp(`^${url}/app/invitation#token=.{20,}$`));
    assert.ok(!(await page.content()).includes('#token='), 'the link is still on the page');
    await page.getByText('3 of 3 seats used. Every seat of the plan is taken.').waitFor();
    await press(page, 'Invite somebody');
    await page.getByLabel('E-mail').fill('tom@example.com');
    await inDialog(page, 'Invite');
    await page.getByRole('alert').getByText('The plan has 3 seats, and all are taken.').waitFor();
    await inDialog(page, 'Cancel');
    await press(page, 'Stay here');
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'tom@example.com');
    await inDialog(page, 'Cancel');
    await inDialog(page, 'Leave');
  });

  await step('a person who has accepted is a member, whose role can be changed', async () => {
    for (const [index, name] of ['Marta Oliveira', 'Priya Raghunathan'].entries()) {
      const token = links[index]?.split('#token=')[1];
      const visitor = makeClient(url);
      await visitor.ok('POST', '/auth/invitations/accept', { token, name, password: ADMIN.password });
    }
    await page.reload();
    await page.getByText('No open invitations.').waitFor();
    await choose(page, 'Role of Marta Oliveira', 'Manager');
    await page.getByText('Marta Oliveira is now: Manager').waitFor();
    await choose(page, 'Role of Marta Oliveira', 'Admin');
    await page.getByText('Marta Oliveira is now: Admin').waitFor();
  });

  await step('an API key is shown once, works, and shows its rights', async () => {
    await tab(page, /API keys/).click();
    await page.getByRole('link', { name: 'New API key' }).click();
    await press(page, 'Create key');
    await page.getByText('Give the key a name.').waitFor();
    await page.getByText('Choose at least one permission.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Deploy pipeline');
    const scopes = (resource: RegExp) => page.getByRole('radiogroup', { name: resource });
    await scopes(/^Projects/)
      .getByText('Read', { exact: true })
      .click();
    await scopes(/^Monitors/)
      .getByText('Write', { exact: true })
      .click();
    await page.getByText('Only chosen parts').click();
    await choose(page, 'Projects', 'Default');
    await page.keyboard.press('Escape');
    await press(page, 'Create key');
    key = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    assert.match(key, /^tcn_\w{40,}$/);
    await page.getByText(`curl -H 'Authorization: Bearer ${key}'`).waitFor();
    assert.equal((await asKey()).status, 200);
    await page.getByRole('link', { name: 'I have saved it' }).click();
    await row(page, 'Deploy pipeline').getByText('Only Default').last().waitFor();
    await row(page, 'Deploy pipeline').getByText('Monitors').last().waitFor();
    assert.ok(!(await page.content()).includes(key), 'the key is still on the page');
  });

  await step('a revoked key is void at once', async () => {
    await press(page, 'Revoke Deploy pipeline');
    await inDialog(page, 'Revoke');
    await page.getByText('No API keys yet').waitFor();
    assert.equal((await asKey()).status, 401);
  });

  await step('the activity shows who changed what, and can be filtered', async () => {
    await tab(page, /Activity/).click();
    const renamed = page.getByRole('button', { name: /Organization renamed/ });
    await renamed.click();
    const change = page.getByRole('row').filter({ hasText: 'name' });
    await change.getByText('Example').waitFor();
    await change.getByText('Meridian Freight').waitFor();
    await page.getByText('organization.rename').waitFor();
    await choose(page, 'What', 'API keys: all');
    await page.getByRole('button', { name: /API key revoked Deploy pipeline/ }).waitFor();
    await renamed.waitFor({ state: 'detached' });
    assert.match(page.url(), /action=api_key/);
    await choose(page, 'Who', 'Agents');
    await page.getByText('No change matches').waitFor();
    await press(page, 'Clear filters');
    await renamed.waitFor();
  });

  await step(
    'on a phone the link of an entry of the activity covers neither its time nor its words',
    async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const entries = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('button', { expanded: false }) })
        .filter({ has: page.getByRole('link', { name: /^Open / }) });
      await entries.first().waitFor();
      for (const entry of (await entries.all()).slice(0, 5)) {
        const link = await boxOf(entry.getByRole('link'));
        for (const text of await entry.locator('time, time ~ span span').all()) {
          const box = await boxOf(text);
          const isApart =
            box.x + box.width <= link.x ||
            box.x >= link.x + link.width ||
            box.y + box.height <= link.y ||
            box.y >= link.y + link.height;
          assert.ok(isApart, `the link covers "${await text.innerText()}"`);
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  );

  await step(
    'the organization is downloaded, and what is new in a file is shown, then imported',
    async () => {
      await tab(page, /Export and import/).click();
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')]);
      assert.match(download.suggestedFilename(), /^example-\d{4}-\d\d-\d\d\.jsonl$/);
      await page.getByText(`${download.suggestedFilename()} is saved.`).waitFor();
      const exported = await readFile(await download.path(), 'utf8');
      const own = exported.split('\n').find((line) => line.startsWith('{"kind":"project"')) ?? '';
      const { data } = JSON.parse(own) as { data: { id: string } };
      const other = { ...data, id: newId('prj'), name: 'Warehouse', slug: 'warehouse' };
      const nameless = { ...other, id: newId('prj'), name: '!!!' };
      const lines = [other, nameless].map((each) => JSON.stringify({ kind: 'project', data: each }));
      const file = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) });
      const chooser = page.locator('input[type=file]');
      await chooser.setInputFiles(file('photo.jsonl', 'no export'));
      await page.getByRole('alert').getByText('This is not an export of an organization').waitFor();
      await chooser.setInputFiles(file('other.jsonl', exported + lines.join('\n')));
      await page.getByRole('heading', { name: 'Preview of Meridian Freight' }).waitFor();
      await row(page, 'Projects').getByText('1', { exact: true }).first().waitFor();
      await page.getByText('The name needs at least one letter or digit.').waitFor();
      assert.equal((await violations(page)).join('\n'), '');
      await press(page, 'Import 1 item');
      await page.getByRole('heading', { name: 'Meridian Freight is imported' }).waitFor();
      await page.goto(`${base}/activity`);
      await page.getByRole('button', { name: /Configuration imported/ }).waitFor();
      await page.getByRole('button', { name: /Project created Warehouse/ }).waitFor();
    },
  );

  await step(
    'an admin cannot change the owner; a member sees which pages are closed, and may leave',
    async () => {
      const other = await signedInPage(browser, url, 'marta@example.com');
      await other.goto(`${base}/members`);
      await other.getByRole('combobox', { name: 'Role of Priya Raghunathan' }).waitFor();
      assert.equal(await other.getByRole('combobox', { name: 'Role of alice' }).count(), 0);
      await press(other, 'Remove Priya Raghunathan');
      await inDialog(other, 'Cancel');
      await choose(other, 'Role of Marta Oliveira', 'Member');
      await inDialog(other, 'Lower my role');
      await other.getByText('Owners and admins invite and remove people.').waitFor();
      await tab(other, /Activity for owners and admins/).click();
      await other.getByText('Your role can’t open this page').waitFor();
      await tab(other, /Members/).click();
      await press(other, 'Leave');
      await inDialog(other, 'Leave');
      await heading(other, 'Create your organization').waitFor();
      await page.goto(`${base}/members`);
      await page.getByText('2 of 3 seats used').waitFor();
    },
  );

  await step('in German the settings are German', async () => {
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    const titles = {
      general: 'Allgemein',
      members: 'Mitglieder',
      'api-keys': 'API-Schlüssel',
      plan: 'Tarif',
      transfer: 'Export und Import',
      activity: 'Aktivität',
    };
    await page.goto(`${base}/general`);
    for (const [address, title] of Object.entries(titles)) {
      await follow(page, `${base}/${address}`);
      await heading(page, title).waitFor();
    }
    await page.getByRole('button', { name: /Organisation umbenannt/ }).waitFor();
    await page.evaluate('localStorage.clear()');
  });

  await step('a deleted organization leads to another one', async () => {
    await page.goto(`${base}/general`);
    await page.getByRole('button', { name: /Switch organization/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'New organization' }).press('Enter');
    await page.getByRole('textbox', { name: 'Organization', exact: true }).fill('Atlas Payments');
    await press(page, 'Create organization');
    await page
      .getByRole('button', { name: /Switch organization/ })
      .getByText('Atlas Payments')
      .waitFor();
    await page.goto(`${base}/general`);
    await press(page, 'Delete organization');
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete organization' });
    assert.ok(await confirm.isDisabled());
    await page.getByLabel('Type “Meridian Freight” to confirm').fill('Meridian Freight');
    // On a slow line the list of theirs still names it while the stream of the next one opens.
    await page.route('**/me/organizations', async (route) => {
      await pause(1_000);
      await route.continue();
    });
    await confirm.click();
    await page.getByText('Meridian Freight is deleted.').waitFor();
    await page
      .getByRole('button', { name: /Switch organization/ })
      .getByText('Atlas Payments')
      .waitFor();
    await page.waitForResponse((response) => response.url().endsWith('/me/organizations'));
    await page.unroute('**/me/organizations');
  });

  await step('only the one expected refusal has happened', async () => {
    assert.deepEqual(seen.refused, ['402 POST invitations']);
  });
});
