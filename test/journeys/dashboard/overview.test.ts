// The dashboard as a newcomer meets it: a real installation without its first user, a real browser, a server that
// breaks and is mended, a receiver that verifies. Pages are never loaded again where they ought to follow by themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import {
  choose,
  follow,
  goTo,
  heading,
  press,
  startWithBrowser,
  stepsOf,
  watch,
} from '#test/harness/page.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { startTarget } from '#test/harness/target.ts';
import { until } from '#test/harness/until.ts';

const NOBODY_YET = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ADMIN_ORGANIZATION: '' };

const place = (page: Page, name: RegExp) => page.getByRole('navigation').getByRole('link', { name });

/** The page's own policy forbids the browser to evaluate conditions there, so the title is asked for. */
async function titled(page: Page, words: RegExp): Promise<void> {
  await until(async () => words.test(await page.title()), `a title like ${words}`);
}

/** The field is marked as wrong, and a sentence at a field says why. */
async function refusedWith(field: Locator, sentence: RegExp): Promise<void> {
  await field.and(field.page().locator('[aria-invalid="true"]')).waitFor();
  await field.page().locator('.mantine-InputWrapper-error').getByText(sentence).waitFor();
}

test('the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const target = await startTarget();
  stack.defer(() => target.stop());
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());
  const { installation, browser } = await startWithBrowser(stack, { env: NOBODY_YET });
  const page = await browser.desktopPage();
  const seen = watch(page);

  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));

  await step('the set-up link creates the first account and leads to the first monitor', async () => {
    const link = /Set up\s+(http\S+)/.exec(installation.output())?.[1];
    assert.ok(link, installation.output());
    await page.goto(link);
    await page.getByLabel('Your name').fill('Ada Lindqvist');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByLabel('Organization').fill('Meridian Freight');
    await press(page, 'Set up');
    await page.getByRole('heading', { name: 'Watch your first URL' }).waitFor();
    assert.ok(!page.url().includes('token'), 'the used link stays in the address');
  });

  await step('an invalid address is refused in words, the right one is up at once', async () => {
    const url = page.getByLabel('URL to watch');
    await url.fill('ftp://files.example.com/');
    await press(page, 'Start watching');
    await refusedWith(url, /The address must begin with http:\/\/ or https:\/\//);
    await url.fill(target.url);
    await press(page, 'Start watching');
    await heading(page, /127\.0\.0\.1/).waitFor();
    const status = page.getByRole('main').locator('header [aria-live]');
    await status.getByText('Up', { exact: true }).waitFor();
    await status.getByText(/^for \d+ sec/).waitFor();
  });

  await step(
    'one click shows a whole outage: confirmed, rung, taken, healed, its post-mortem half written',
    async () => {
      const guide = page.getByRole('complementary', { name: 'Guide through the example outage' });
      const says = (words: string) => guide.getByText(words).waitFor();
      await press(page, 'Break something');
      await heading(page, 'Example: a shop that breaks').waitFor();
      await says('1 of 2: it failed once');
      await says('Confirmed. That is the bell.');
      const bell = page.getByRole('region', { name: 'Ringing alarm' });
      await bell.getByRole('link', { name: 'Example: a shop that breaks' }).waitFor();
      await guide.getByRole('link', { name: 'Look at the evidence' }).click();
      await page.getByRole('heading', { name: 'Why this is an incident' }).waitFor();
      await page.getByText('This is an example that Ada Lindqvist started.').waitFor();
      assert.deepEqual(await violations(page), []);
      await bell.getByRole('button', { name: /^Acknowledge/ }).click();
      await says('You have it, and it is quiet');
      await bell.waitFor({ state: 'detached' });
      await says('The shop works again');
      await says('Over. The post-mortem is half written.');
      await guide.getByRole('link', { name: 'Open the post-mortem' }).click();
      assert.match(await page.getByLabel('Title').inputValue(), /^Example: a shop that breaks: .*503/);
      assert.match(await page.getByLabel('Summary').inputValue(), /Acknowledged · Ada Lindqvist/);
      await guide.getByRole('button', { name: 'Remove the example' }).click();
      await heading(page, 'Monitors').waitFor();
      const example = page.getByText('Example: a shop that breaks');
      await until(async () => (await example.count()) === 0, 'the example is removed');
      // Whoever has clicked away finds it again as long as the checklist shows, and so does whoever closed its guide.
      const checklist = page.getByRole('region', { name: 'Set up alerting' });
      await checklist.getByRole('button', { name: 'Break something' }).click();
      await heading(page, 'Example: a shop that breaks').waitFor();
      await press(page, 'Close the guide');
      await goTo(page, /Monitors/, 'Monitors');
      await checklist.getByRole('button', { name: 'Show the guide' }).click();
      await heading(page, 'Example: a shop that breaks').waitFor();
      await press(page, 'Remove the example');
      await heading(page, 'Monitors').waitFor();
      await page
        .getByRole('main')
        .getByRole('link', { name: /127\.0\.0\.1/ })
        .click();
      await heading(page, /127\.0\.0\.1/).waitFor();
    },
  );

  await step('an invalid JSONPath is refused at its own line', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Booking API');
    await choose(page, 'Check every', '1 second');
    await page.getByRole('button', { name: /What counts as up/ }).click();
    for (const path of ['$.ok', '$.[']) {
      await press(page, 'Add JSON assertion');
      await page
        .getByRole('textbox', { name: /^JSON assertion \d+: path$/ })
        .last()
        .fill(path);
      await page
        .getByRole('textbox', { name: /^JSON assertion \d+: value$/ })
        .last()
        .fill('1');
    }
    await press(page, 'Save');
    const wrong = page.getByLabel('JSON assertion 2: path');
    await refusedWith(wrong, /JSONPath/);
    assert.equal(await page.getByLabel('JSON assertion 1: path').getAttribute('aria-invalid'), null);
    await press(page, 'Remove line 2');
    await press(page, 'Remove line 1');
    await press(page, 'Save');
    await heading(page, 'Booking API').waitFor();
  });

  await step('a webhook shows its secret once, and its signed test arrives', async () => {
    await goTo(page, /Notifications/, 'Notifications');
    await page.getByRole('link', { name: 'New target' }).click();
    await page.getByRole('link', { name: 'Webhook', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Operations');
    await page.getByLabel('URL', { exact: true }).fill(receiver.url);
    await press(page, 'Create target');
    const shown = page.getByRole('textbox', { name: 'Signing secret' });
    const secret = await shown.inputValue();
    assert.match(secret, /^whsec_/);
    receiver.trust(secret);
    await press(page, 'I have saved it');
    await heading(page, 'Operations').waitFor();
    await page.getByText('Tests are not listed here').waitFor();
    await press(page, 'Send test');
    await page.getByText('The test arrived').waitFor();
    assert.ok((await receiver.next((delivery) => delivery.event === 'test')).genuine);
    assert.ok(!(await page.content()).includes(secret), 'the secret is still on the page');
  });

  await step('an outage appears without a reload: notice, title, badge, list', async () => {
    await goTo(page, /Monitors/, 'Monitors');
    await page.getByRole('link', { name: 'Booking API' }).waitFor();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    target.answer(503);
    await page.getByText('Incident opened: Booking API').first().waitFor();
    await page.getByRole('listitem').getByText('Down', { exact: true }).waitFor();
    await titled(page, /^\(1\)/);
    await place(page, /Incidents 1 unacknowledged incident/).waitFor();
    assert.ok((await receiver.next((delivery) => delivery.event === 'opened')).genuine);
  });

  await step('the incident shows its evidence and is acknowledged', async () => {
    await goTo(page, /Incidents/, 'Incidents');
    await page.getByRole('main').getByRole('link', { name: 'Booking API' }).click();
    await page.getByRole('heading', { name: 'Why this is an incident' }).waitFor();
    await page.getByText('Outage confirmed: the region failed 2 times in a row.').waitFor();
    const checks = page.getByRole('table').getByRole('row').filter({ hasText: '503' });
    assert.ok((await checks.count()) >= 2, 'the deciding checks are not shown');
    await press(page, 'Acknowledge');
    await page.getByRole('definition').getByText('Ada Lindqvist').waitFor();
    const acknowledged = await receiver.next((delivery) => delivery.event === 'acknowledged');
    assert.ok(acknowledged.genuine);
  });

  await step('once the server recovers, the incident closes on the open page', async () => {
    target.answer(200);
    await page.getByRole('definition').getByText('Closed', { exact: true }).waitFor();
    await page.getByText('The target recovered, and the incident closed automatically.').waitFor();
    await titled(page, /^(?!\()/);
    await page.getByRole('definition').getByRole('link', { name: 'Booking API' }).click();
    const status = page.getByRole('main').locator('header [aria-live]');
    await status.getByText('Up', { exact: true }).waitFor();
    await page.getByRole('slider', { name: /Response time: average \d/ }).waitFor();
  });

  const organization = /\/o\/([^/]+)/.exec(page.url())?.[1];
  const base = `${installation.url}/app/o/${organization}`;
  const monitorPage = page.url();

  await step('in German everything is German, even on the next visit', async () => {
    await follow(page, `${base}/monitors`);
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByText('Deutsch', { exact: true }).click();
    await heading(page, 'Monitore').waitFor();
    await page.goto(monitorPage);
    await page.getByText('Eine Störung beginnt').first().waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
    await page.evaluate('localStorage.clear()');
  });

  await step('a person without the rights is offered no changes, and sees why', async () => {
    await page.route('**/me/organizations', async (route) => {
      const response = await route.fetch();
      const mine = (await response.json()) as { role: string }[];
      await route.fulfill({ response, json: mine.map((each) => ({ ...each, role: 'member' })) });
    });
    await page.goto(monitorPage);
    await page.getByText('Owners, admins and managers can change this.').waitFor();
    for (const name of ['Pause', 'Edit', 'More actions'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    assert.equal(await place(page, /Notifications/).count(), 0);
    await follow(page, `${base}/notifications`);
    await page.getByText('Your role can’t open this page').waitFor();
  });

  await step('only the expected refusals have happened', async () => {
    assert.deepEqual(
      seen.refused.map((line) => line.replace(/mon_\w+/, 'monitor')),
      ['400 POST monitors', '400 PATCH monitor'],
    );
  });
});
