// Status pages in the dashboard: made, filled, looked at in the preview, given to people and taken away again, and what an
// incident shows on them; with a real browser, mostly by keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newId } from '#src/platform/ids.ts';
import type { Viewer } from '#src/status-pages/access-contract.ts';
import type { StatusPage, StatusPageDetail } from '#src/status-pages/contract.ts';
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
import { until } from '#test/harness/until.ts';

/** White letters' worth of a logo: nothing of it can be seen on a light ground. */
const WHITE_LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#fff"/></svg>`;

const parts = (page: Page) => page.getByRole('navigation', { name: 'Parts of the page' });
const openPart = (page: Page, name: string) => parts(page).getByRole('link', { name }).press('Enter');
const rows = (page: Page) => page.getByRole('list', { name: 'Monitors' }).getByRole('listitem');
const focused = (page: Page) => page.evaluate<string>('document.activeElement.ariaLabel');
const preview = (page: Page) => page.frameLocator('iframe[title^="Preview of"]');

test('status pages in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, orgPath, browser } = await startDashboard(stack);
  const base = `${url}/app/o/${orgId}`;
  const shop = await admin.ok<{ id: string }>('POST', `${orgPath}/projects`, { name: 'Web shop' });
  const ids = new Map<string, string>();
  for (const [projectId, name] of [
    [shop.id, 'Checkout'],
    [shop.id, 'Storefront'],
    [app.home.projectId, 'auth-db-primary'],
  ] as const) {
    const body = { name, type: 'http', config: { url: 'https://shop.example.com/' } };
    ids.set(name, (await admin.ok<{ id: string }>('POST', `/projects/${projectId}/monitors`, body)).id);
  }
  const stored = async (): Promise<StatusPageDetail> => {
    const [first] = await admin.ok<StatusPage[]>('GET', `${orgPath}/status-pages`);
    return admin.ok('GET', `/status-pages/${first?.id}`);
  };
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));
  const save = async () => {
    await press(page, 'Save');
    await page.getByText('The page is saved.').last().waitFor();
    await page.getByText('Unsaved changes').first().waitFor({ state: 'detached' });
  };

  await step(
    'an empty list says what a page is for, and a new one has an address made of its name',
    async () => {
      await page.goto(`${base}/monitors`);
      const places = page.getByRole('navigation', { name: 'Main' });
      await places.getByRole('link', { name: 'Status pages' }).press('Enter');
      await page.getByText('No status pages yet').waitFor();
      await page.getByText('It starts as a draft').waitFor();
      await page.getByRole('link', { name: 'New status page' }).press('Enter');
      await heading(page, 'New status page').waitFor();
      await press(page, 'Create status page');
      await page.getByText('Give the page a name.').waitFor();
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill('API');
      await name.press('Enter');
      await page.getByText('This address is reserved.').waitFor();
      await name.fill('Acme Überblick');
      assert.equal(await page.getByRole('textbox', { name: 'Address' }).inputValue(), 'acme-ueberblick');
      await page.getByText(`${url}/status/acme-ueberblick`).waitFor();
      await name.press('Enter');
      await heading(page, 'Acme Überblick').waitFor();
      await page.getByText('Draft', { exact: true }).waitFor();
      await page.getByText('Only your organization sees it').waitFor();
    },
  );

  await step(
    'monitors of all projects are added, and the preview shows them before anything is saved',
    async () => {
      await openPart(page, 'Monitors');
      await page.getByRole('button', { name: 'Add monitors' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: 'Web shop' }).press('Space');
      await dialog.getByRole('textbox', { name: 'Search monitors and projects' }).fill('auth');
      await dialog.getByRole('checkbox', { name: 'auth-db-primary' }).press('Space');
      await dialog.getByRole('button', { name: 'Add 3 monitors' }).press('Enter');
      await rows(page).nth(4).waitFor();
      await preview(page).getByText('Storefront').first().waitFor();
      assert.deepEqual((await stored()).monitors, []);
    },
  );

  await step('order and groups are changed by keyboard, and said', async () => {
    const said = (words: string) => page.getByText(words, { exact: true }).waitFor({ state: 'attached' });
    const up = page.getByRole('button', { name: 'Move Storefront up', exact: true });
    await up.press('Enter');
    await said('Storefront: place 1 of 2 in Web shop');
    assert.equal(await focused(page), 'Move Storefront up');
    // At the edge of its group it goes over into the next one; at the top nothing moves, and the focus stays.
    await page.keyboard.press('Enter');
    await said('Storefront: place 2 of 2 in Default');
    await page.keyboard.press('Enter');
    await said('Storefront: place 1 of 2 in Default');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'Move Storefront up');
    const down = page.getByRole('button', { name: 'Move Storefront down', exact: true });
    await down.press('Enter');
    await said('Storefront: place 2 of 2 in Default');
    await page.keyboard.press('Enter');
    await said('Storefront: place 1 of 2 in Web shop');
    const group = page.getByRole('textbox', { name: 'Name of group Web shop' });
    await group.fill('Shop');
    await group.press('Enter');
    await page.getByRole('checkbox', { name: 'Collapse group Shop for visitors' }).press('Space');
    await page.getByRole('button', { name: 'Details of auth-db-primary' }).press('Enter');
    await page.getByRole('textbox', { name: 'Public name' }).fill('Sign-in');
    await page.getByRole('checkbox', { name: 'Response times' }).press('Space');
    await choose(page, 'Uptime over', '30 days');
    const own = page.getByRole('combobox', { name: 'Group' });
    await own.fill('Accounts');
    await own.press('Enter');
    await said('Sign-in: place 1 of 1 in Accounts');
    await page.getByRole('button', { name: 'Move group Accounts up' }).press('Enter');
    await said('Group Accounts: place 1 of 2');
    await save();
    const { monitors, page: kept } = await stored();
    assert.deepEqual(
      monitors.map((each) => [each.label, each.group_label, each.show_uptime_chart, each.uptime_window_days]),
      [
        ['Sign-in', 'Accounts', false, 30],
        ['Storefront', 'Shop', true, 90],
        ['Checkout', 'Shop', true, 90],
      ],
    );
    assert.deepEqual(kept.collapsed_groups, ['Shop']);
  });

  const row = (name: string) =>
    rows(page).filter({ has: page.getByRole('button', { name: `Details of ${name}` }) });

  await step('what is dragged onto another monitor stands in its place', async () => {
    await row('Storefront')
      .locator('[draggable]')
      .dragTo(row('Checkout'), { targetPosition: { x: 120, y: 40 } });
    await until(
      async () => /Checkout.*Storefront/s.test((await rows(page).allInnerTexts()).join()),
      'Storefront is below Checkout',
    );
    await press(page, 'Discard');
    await until(
      async () => /Storefront.*Checkout/s.test((await rows(page).allInnerTexts()).join()),
      'the order is that of before',
    );
  });

  await step('Escape gives up a drag: the order is that of before, and is announced', async () => {
    const before = await rows(page).allInnerTexts();
    await row('Storefront').locator('[draggable]').hover();
    await page.mouse.down();
    for (const y of [20, 38, 40]) await row('Checkout').hover({ position: { x: 120, y }, force: true });
    await page.getByText('Storefront: place 2 of 2 in Shop').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.getByText('Storefront: place 1 of 2 in Shop').waitFor({ state: 'attached' });
    assert.deepEqual(await rows(page).allInnerTexts(), before);
    await page.mouse.up();
  });

  await step(
    'texts and links are in the preview as they are typed, and nobody leaves them unasked',
    async () => {
      await openPart(page, 'General');
      await page.getByRole('textbox', { name: 'Headline' }).fill('Everything <b>we</b> run');
      await preview(page).getByText('Everything <b>we</b> run').first().waitFor();
      await press(page, 'Add link');
      await page.getByRole('textbox', { name: 'Label of link 1' }).fill('Support');
      await press(page, 'Save');
      await page.getByText('Fill this in, or remove the link.').waitFor();
      await page.getByRole('textbox', { name: 'Target of link 1' }).fill('javascript:alert(1)');
      // From another part, too, the way leads to the field.
      await openPart(page, 'Appearance');
      await press(page, 'Save');
      const target = page.getByRole('textbox', { name: 'Target of link 1' });
      await target.and(page.locator('[aria-invalid="true"]')).waitFor();
      await target.fill('https://acme.example/support');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Monitors' }).click();
      await page.getByText('Leave without saving?').waitFor();
      await press(page, 'Stay here');
      await save();
      const { page: kept } = await stored();
      assert.deepEqual(
        [kept.headline, kept.header_nav],
        ['Everything <b>we</b> run', [{ label: 'Support', href: 'https://acme.example/support' }]],
      );
    },
  );

  await step('the preview is a phone, dark or German at will, and its links lead nowhere', async () => {
    const view = page.getByRole('region', { name: 'Preview' });
    await view.getByRole('radio', { name: 'Phone' }).press('Space');
    const width = () =>
      page.evaluate<number>(`document.querySelector('iframe[title^="Preview of"]').offsetWidth`);
    await until(async () => (await width()) === 390, 'the frame is as wide as a phone');
    await view.getByRole('radio', { name: 'German' }).press('Space');
    await until(
      async () => (await preview(page).locator('html').getAttribute('lang')) === 'de',
      'the page is German',
    );
    await preview(page).getByText('Support').first().click();
    await preview(page).getByText('Everything <b>we</b> run').first().waitFor();
    await view.getByRole('radio', { name: 'English' }).press('Space');
    await view.getByRole('radio', { name: 'Desktop' }).press('Space');
  });

  await step('a logo is shown on both grounds, and one that cannot be seen is told of', async () => {
    await openPart(page, 'Appearance');
    const light = page.getByRole('region', { name: 'On a light background' });
    const dark = page.getByRole('region', { name: 'On a dark background' });
    const choosing = page.waitForEvent('filechooser');
    await light.getByRole('button', { name: /^Upload/ }).press('Enter');
    await (await choosing).setFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(WHITE_LOGO),
    });
    await light.getByText('Much of it can hardly be seen').waitFor();
    await dark.getByText('The same logo.').waitFor();
    assert.equal((await stored()).has_logo, true);
    const again = page.waitForEvent('filechooser');
    await dark.getByRole('button', { name: /^Upload/ }).press('Enter');
    await (await again).setFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no image'),
    });
    await dark.getByRole('alert').waitFor();
    await light.getByRole('button', { name: /^Remove/ }).press('Enter');
    await light.getByText('No logo: visitors read the name').waitFor();
    assert.equal((await stored()).has_logo, false);
  });

  await step('a page is behind a password once there is one, which is shown once', async () => {
    await openPart(page, 'Access');
    await page.getByRole('radio', { name: /^Password/ }).press('Space');
    await press(page, 'Save');
    await page.getByText('Set a password below first.').waitFor();
    await press(page, 'Set a password');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Shared password').fill('short');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialog.getByText('At least 8 characters.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await press(page, 'Stay here');
    await dialog.getByLabel('Shared password').fill('long enough to say');
    await dialog.getByLabel('Shared password').press('Enter');
    await page.getByText('A password is set.').waitFor();
    await save();
    assert.equal((await stored()).page.shared_password_protected, true);
    await page.getByText('Behind a password').waitFor();
    await press(page, 'Generate a new password');
    await page.getByRole('button', { name: 'Generate', exact: true }).press('Enter');
    const made = page.getByRole('textbox', { name: 'Password', exact: true });
    await made.waitFor();
    const password = await made.inputValue();
    assert.ok(password.length >= 8);
    await press(page, 'I have saved it');
    await made.waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(password), 'the password is still on the page');
    await press(page, 'Remove password');
    await page.getByText('so it becomes a draft').waitFor();
    await press(page, 'Remove');
    await until(async () => !(await stored()).page.shared_password_set, 'the password is gone');
  });

  await step(
    'viewers are invited and deleted; without a mail server their password is handed over',
    async () => {
      const { page: before } = await stored();
      const viewers = () => admin.ok<Viewer[]>('GET', `/status-pages/${before.id}/viewers`);
      await page.getByRole('radio', { name: /^Viewers/ }).press('Space');
      await page.getByText('Nobody is invited yet.').waitFor();
      await press(page, 'Invite viewer');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('User name').fill('paula');
      await dialog.getByRole('textbox', { name: /^E-?mail/i }).fill('paula@customer.example');
      await dialog.getByRole('textbox', { name: /^E-?mail/i }).press('Enter');
      await dialog.getByRole('textbox', { name: 'Password' }).waitFor();
      await press(page, 'I have saved it');
      await page.getByText('paula@customer.example').waitFor();
      assert.deepEqual(
        (await viewers()).map(({ username }) => username),
        ['paula'],
      );
      await press(page, 'Invite viewer');
      await dialog.getByLabel('User name').fill('Paula');
      await dialog.getByRole('textbox', { name: /^E-?mail/i }).fill('other@customer.example');
      await dialog.getByRole('textbox', { name: /^E-?mail/i }).press('Enter');
      await dialog.getByText('Another viewer of this page has this').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
      await dialog.getByRole('button', { name: 'Leave' }).press('Enter');
      await press(page, 'Delete viewer paula');
      await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
      await page.getByText('Nobody is invited yet.').waitFor();
      assert.deepEqual(await viewers(), []);
    },
  );

  await step('subscribers are listed, and taken off', async () => {
    const { page: before } = await stored();
    const subscriber = { id: newId('sub'), email: 'reader@customer.example', language: 'de' };
    await app.db
      .insertInto('status_page_subscribers')
      .values({ ...subscriber, status_page_id: before.id, created_at: new Date() })
      .execute();
    await openPart(page, 'Subscribers');
    await page.getByText('reader@customer.example').waitFor();
    await page.getByText('has not confirmed the address yet · everything on the page · DE').waitFor();
    await press(page, 'Delete subscriber reader@customer.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('Nobody has subscribed yet.').waitFor();
    assert.deepEqual(await admin.ok('GET', `/status-pages/${before.id}/subscribers`), []);
    await openPart(page, 'Access');
  });

  await step('published it can be opened from the list, which says who sees it and how much', async () => {
    await page.getByRole('radio', { name: /^Public/ }).press('Space');
    await save();
    await page.getByText('Everybody sees it').waitFor();
    await page.getByRole('link', { name: 'Open page' }).waitFor();
    await flip(page, 'The page is online');
    await save();
    await page.getByText('Offline', { exact: true }).waitFor();
    await flip(page, 'The page is online');
    await save();
    await page.getByRole('link', { name: 'Status pages' }).first().press('Enter');
    await heading(page, 'Status pages').waitFor();
    const row = page.getByRole('list', { name: 'Status pages' }).getByRole('listitem');
    await row.getByText('3 monitors').waitFor();
    await row.getByText('Public', { exact: true }).waitFor();
    assert.equal(
      await row.getByRole('link', { name: 'Open Acme Überblick' }).getAttribute('href'),
      `${url}/status/acme-ueberblick`,
    );
  });

  await step(
    'an incident says what visitors read of it, and a public note where it will be read',
    async () => {
      const { id } = await admin.ok<{ id: string }>('POST', `${orgPath}/incidents`, {
        cause: 'The card processor is down',
        severity: 'critical',
        monitor_id: ids.get('auth-db-primary'),
      });
      await follow(page, `${base}/incidents/${id}`);
      const view = page.getByRole('region', { name: 'What visitors read' });
      await view.getByText('Nobody outside sees it now.').waitFor();
      await view.getByText('Outage: Sign-in').waitFor();
      await page.getByRole('checkbox', { name: 'Show on Acme Überblick' }).press('Space');
      await view.getByText('On Acme Überblick now.').waitFor();
      await view.getByText('No public notes yet').waitFor();
      await page.getByRole('textbox', { name: 'Add to the timeline' }).fill('We are on it.');
      await page.getByRole('radio', { name: 'Public' }).press('Space');
      await page.getByText('read by everybody who may open Acme Überblick').waitFor();
      await press(page, 'Publish');
      await view.getByText('We are on it.').waitFor();
      assert.doesNotMatch(await view.innerText(), /card processor|auth-db/);
    },
  );

  await step('members see everything and are offered no changes', async () => {
    const invited = await admin.ok<{ invite_token: string }>('POST', `${orgPath}/invitations`, {
      email: 'tom@example.com',
      role: 'member',
    });
    const accepted = { token: invited.invite_token, name: 'Tom', password: ADMIN.password };
    await makeClient(url).ok('POST', '/auth/invitations/accept', accepted);
    const other = await signedInPage(browser, url, 'tom@example.com');
    const others = watch(other);
    await other.goto(`${base}/status-pages`);
    await other.getByText('Owners, admins and managers can change this.').waitFor();
    await other.getByRole('link', { name: 'Acme Überblick', exact: true }).press('Enter');
    await heading(other, 'Acme Überblick').waitFor();
    await other.getByRole('region', { name: 'Accounts' }).getByRole('link', { name: 'Sign-in' }).waitFor();
    assert.equal(await other.getByRole('main').getByRole('textbox').count(), 0);
    assert.deepEqual(others, { refused: [], broken: [] });
    await giveBack(other);
  });

  await step('a plan without private pages and white label says so', async () => {
    await admin.ok('PATCH', `/admin${orgPath}`, { plan: 'free' });
    const { page: before } = await stored();
    await page.goto(`${base}/status-pages/${before.id}?part=access`);
    await page.getByText('This plan does not include private status pages.').waitFor();
    assert.equal(await page.getByRole('radio', { name: /^Viewers/ }).isDisabled(), true);
    await openPart(page, 'Appearance');
    await page.getByText('This plan does not include hiding the name.').waitFor();
    await admin.ok('PATCH', `/admin${orgPath}`, { plan: 'unlimited' });
  });

  await step('on a phone nothing is too wide, and the preview is a part of its own', async () => {
    const { page: before } = await stored();
    await page.setViewportSize({ width: 390, height: 844 });
    const editor = `${base}/status-pages/${before.id}`;
    const addresses = ['general', 'monitors', 'look', 'access', 'subscribers'].map(
      (part) => `${editor}?part=${part}`,
    );
    await fits(page, `${base}/status-pages`, `${base}/status-pages/new`, ...addresses);
    await openPart(page, 'Preview');
    await preview(page).getByText('Sign-in').first().waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await step('in German the editor is German, and the page too', async () => {
    const { page: before } = await stored();
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await page.goto(`${base}/status-pages/${before.id}`);
    await page.getByText('Alle sehen sie').waitFor();
    const frame = page.frameLocator('iframe');
    await until(
      async () => (await frame.locator('html').getAttribute('lang')) === 'de',
      'the page is German',
    );
    await page.evaluate('localStorage.clear()');
    await page.reload();
  });

  await step(
    'archived it is gone from the list at once, and for good when nobody takes that back',
    async () => {
      const archive = async () => {
        await press(page, 'More actions');
        await page.getByRole('menuitem', { name: 'Archive status page' }).press('Enter');
        await page.getByText('No status pages yet').waitFor();
      };
      await archive();
      await page.getByRole('button', { name: 'Undo' }).press('Enter');
      await page.getByRole('link', { name: 'Acme Überblick', exact: true }).press('Enter');
      await heading(page, 'Acme Überblick').waitFor();
      assert.equal((await admin.ok<unknown[]>('GET', `${orgPath}/status-pages`)).length, 1);
      await archive();
      await page.getByText('“Acme Überblick” is removed.').waitFor();
      assert.deepEqual(await admin.ok('GET', `${orgPath}/status-pages`), []);
    },
  );

  await step('only the expected refusals have happened', async () => {
    // Whether the preview was asked for before a link was complete is a matter of time.
    const refused = new Set(seen.refused.map((each) => each.replace(/stp_\w+/, 'page')));
    refused.delete('400 POST preview');
    assert.deepEqual([...refused].sort(), [
      '400 PATCH page',
      '400 PUT logo-dark',
      '409 POST status-pages',
      '409 POST viewers',
    ]);
  });
});
