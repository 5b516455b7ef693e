// What the dashboard says unasked: that an account was cleared at its first proof, that the disk is full, that a check is
// left out, and what of a member who goes stays behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { makePasswordResetLink } from '#src/accounts/forgotten-password.ts';
import type { ApiKey } from '#src/api-keys/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import type { TestApp } from '#test/harness/app.ts';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { fits, follow, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const MIB = 1024 * 1024;
const ENOUGH = 5000 * MIB;
const TOO_LITTLE = 100 * MIB;

const PAUSED = /^Check results have not been recorded since /;
const CLEARED = 'Your account was reset';
const COSTLY = 'This check took more than 250 ms of the probe';
const BUSY = 'This probe was too busy to tell a slow target from its own delay, 3 times in a row';
const FROZEN = 'This check froze the whole probe (once), so it is set aside until 23:59 UTC';

const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const banner = (page: Page, title: string | RegExp) => page.getByRole('region', { name: title });

/** Somebody who made API keys in the organization. */
async function withKeys(app: TestApp, orgId: string, name: string, names: readonly string[]) {
  const person = await app.person(name, { [orgId]: 'admin' });
  for (const key of names)
    await person.ok('POST', `/organizations/${orgId}/api-keys`, { name: key, scopes: ['monitors:read'] });
  return person;
}

test('unsolicited warnings in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  let freeBytes = ENOUGH;
  const readDisk = async () => ({ freeBytes, totalBytes: 10_240 * MIB });
  const { url, app, admin, orgId, orgPath, browser } = await startDashboard(
    stack,
    { SIGNUP: 'open' },
    { readDisk },
  );
  const organization = `${url}/app/o/${orgId}`;
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const keysNow = async () =>
    (await admin.ok<ApiKey[]>('GET', `${orgPath}/api-keys`)).map(({ name, created_by_gone }) => [
      name,
      created_by_gone,
    ]);

  const step = stepsOf(t, page, () => assert.deepEqual(seen, { refused: [], broken: [] }));

  await step('removing a member shows their keys, which stay by default', async () => {
    await withKeys(app, orgId, 'ben', ['Old script']);
    await page.goto(`${organization}/settings/members`);
    await press(page, 'Remove ben');
    await page.getByRole('dialog').getByText('They created an API key here.').waitFor();
    await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Old script' }).waitFor();
    await inDialog(page, 'Remove');
    await page.getByText('ben is no longer a member.').waitFor();
    assert.deepEqual(await keysNow(), [['Old script', true]]);
  });

  await step('the list of keys says that the creator of one has left, and what to do', async () => {
    await withKeys(app, orgId, 'chi', ['Fresh script']);
    await follow(page, `${organization}/settings/api-keys`);
    await row(page, 'Old script').getByText('Its creator is no longer a member').waitFor();
    assert.equal(await row(page, 'Fresh script').getByText('Its creator').count(), 0);
  });

  await step('with the box ticked the keys are revoked with the removal, in one step', async () => {
    await withKeys(app, orgId, 'dana', ['Deploy pipeline', 'Grafana']);
    await page.goto(`${organization}/settings/members`);
    await press(page, 'Remove dana');
    await page.getByRole('checkbox', { name: 'Revoke these 2 keys too' }).check();
    await inDialog(page, 'Remove');
    await page.getByText('dana is no longer a member.').waitFor();
    assert.deepEqual(await keysNow(), [
      ['Fresh script', false],
      ['Old script', true],
    ]);
  });

  await step('a person who leaves sees the same for their own keys', async () => {
    const eve = await withKeys(app, orgId, 'eve', ['Report']);
    const hers = await signedInPage(browser, url, eve.email);
    await hers.goto(`${organization}/settings/members`);
    await press(hers, 'Leave');
    await hers.getByRole('dialog').getByText('You created an API key here.').waitFor();
    await hers.getByRole('checkbox', { name: 'Revoke this key too' }).check();
    await inDialog(hers, 'Leave');
    await until(async () => (await keysNow()).length === 2, 'the key went with her');
    await giveBack(hers);
  });

  await step('the owner of an address reads what its first proof removed, once', async () => {
    const email = 'victoria@example.com';
    const squatter = app.visitor();
    const account = { email, password: 'of somebody else entirely', name: 'The Boss' };
    await squatter.ok('POST', '/auth/sign-up/email', account);
    const { id } = await squatter.ok<{ id: string }>('POST', '/organizations', { name: 'Trap' });
    const key = { name: 'stays behind', scopes: ['organization:read'] };
    await squatter.ok('POST', `/organizations/${id}/api-keys`, key);
    const link = await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
      makePasswordResetLink(work, url, email),
    );
    const [, token = ''] = /#token=([\w-]+)/.exec(link) ?? [];
    await app.visitor().ok('POST', '/auth/reset-password', { token, newPassword: ADMIN.password });

    const hers = await signedInPage(browser, url, email);
    const others = watch(hers);
    await hers.goto(`${url}/app/`);
    const notice = banner(hers, CLEARED);
    await notice.getByText('victoria@example.com is yours').waitFor();
    assert.deepEqual(await notice.getByRole('listitem').allTextContents(), ['1 session', '1 API key']);
    await notice.getByText('Leave any organizations you don’t know.').waitFor();
    await notice.getByRole('link', { name: 'Account and security' }).click();
    await heading(hers, 'Account and security').waitFor();
    await hers.setViewportSize({ width: 390, height: 844 });
    await fits(hers, `${url}/app/account`);
    await notice.getByRole('button', { name: 'I have read this' }).click();
    await notice.waitFor({ state: 'detached' });
    await hers.reload();
    await heading(hers, 'Account and security').waitFor();
    await hers.getByLabel('Name', { exact: true }).waitFor();
    assert.equal(await notice.count(), 0);
    assert.deepEqual(others, { refused: [], broken: [] });
    await giveBack(hers);
  });

  await step('a skipped check is shown at its monitor, and its probe to the operator', async () => {
    const { id } = await admin.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
      name: 'Shop',
      type: 'http',
      config: { url: 'https://shop.example.com/' },
    });
    const probe = app.probe();
    await probe.assignments();
    await follow(page, `${url}/app/operator/regions/local`);
    await row(page, 'probe-1').getByText('Online').waitFor();
    assert.equal(await page.getByText('Set aside a check that froze it').count(), 0);
    const left = { failure_class: 'probe_frozen', cause_layer: 'probe', detail: FROZEN } as const;
    await probe.post([{ monitor_id: id, checked_at_ms: Date.now(), status: 'down', ...left }]);
    await row(page, 'probe-1').getByText('Set aside a check that froze it').waitFor();
    await page.getByText('update the probe, and report it').waitFor();
    await follow(page, `${organization}/monitors/${id}`);
    const line = page.getByRole('list', { name: 'Last check' }).getByRole('listitem');
    await line.getByText('Set aside: not checked').waitFor();
    await line.getByText(FROZEN).waitFor();
    await line.getByText('Change the check so that it evaluates less').waitFor();

    const costly = { failure_class: 'check_too_costly', cause_layer: 'probe', detail: COSTLY } as const;
    const busy = { failure_class: 'probe_busy', cause_layer: 'probe', detail: BUSY } as const;
    await probe.post([{ monitor_id: id, checked_at_ms: Date.now(), status: 'down', ...costly }]);
    await page.reload();
    await line.getByText('Set aside: overloads the probe').waitFor();
    await line.getByText(COSTLY).waitFor();
    await probe.post([{ monitor_id: id, checked_at_ms: Date.now(), status: 'down', ...busy }]);
    await page.reload();
    await line.getByText('Unknown').waitFor();
    await line.getByText(BUSY).waitFor();
    await line.getByText('This says nothing about the target.').waitFor();
    await follow(page, `${url}/app/operator/regions`);
    await page.getByText('Too busy').waitFor();
    await follow(page, `${url}/app/operator/regions/local`);
    await row(page, 'probe-1').getByText('Too busy').waitFor();
    await page.getByText('Give its machine more processor time').waitFor();
  });

  await step('a full disk is shown on every page while it lasts, with advice for each role', async () => {
    const sam = await app.person('sam', { [orgId]: 'member' });
    const his = await signedInPage(browser, url, sam.email);
    freeBytes = TOO_LITTLE;
    await until(async () => {
      const { results } = await app.visitor().ok<{ results: boolean }>('GET', '/readyz');
      return !results;
    }, 'the guard has looked');
    await his.goto(`${organization}/incidents`);
    await banner(his, PAUSED)
      .getByText('The operator of this installation has to free disk space.')
      .waitFor();
    await page.goto(`${url}/app/operator`);
    await banner(page, PAUSED).getByText('You operate this installation: enlarge that disk').waitFor();
    await banner(page, PAUSED).getByText('heartbeat pings still work').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page, `${organization}/monitors`);
    await banner(page, PAUSED).waitFor();
    freeBytes = ENOUGH;
    // By itself: nothing is loaded again.
    await banner(page, PAUSED).waitFor({ state: 'detached' });
    await banner(his, PAUSED).waitFor({ state: 'detached' });
    await giveBack(his);
  });
});
