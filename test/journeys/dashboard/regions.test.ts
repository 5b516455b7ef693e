// The operator's regions in the dashboard: a real installation, a real browser, and a real probe that is started with
// the token the page shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { makeClient } from '#test/harness/client.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { fits, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { startProbeProcess } from '#test/harness/probe-process.ts';

const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const fact = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name });

const AGAIN = 'Confirm it’s you';

/** Proves to be the operator, as the page asks, and waits for what comes of the act. */
async function proven(page: Page, result: Locator): Promise<void> {
  const asking = page.getByRole('dialog', { name: AGAIN });
  await asking.getByLabel('Your password').fill(ADMIN.password);
  await asking.getByRole('button', { name: 'Confirm' }).click();
  await result.waitFor();
}

test('the regions in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, browser, probeToken } = await startDashboard(stack);
  await startProbeProcess(t, { url, token: probeToken });
  const signedIn = (email: string) => signedInPage(browser, url, email);
  const page = await signedIn(ADMIN.email);
  const seen = watch(page);
  const regionOf = async (slug: string) => {
    const regions = await admin.ok<AdministeredRegion[]>('GET', '/admin/regions');
    return regions.find((region) => region.slug === slug);
  };
  let token = '';
  /** What the operator does next wants that they prove themselves again. */
  const signInIsOld = () =>
    app.db
      .updateTable('sessions')
      .set({ created_at: new Date(Date.now() - 3_600_000), authenticated_at: null })
      .execute();

  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));

  await step('with one region the page explains the use of more', async () => {
    await page.goto(`${url}/app/operator`);
    await page.getByRole('navigation', { name: 'Operator' }).getByRole('link', { name: 'Regions' }).click();
    await heading(page, 'Regions').waitFor();
    await page.getByRole('list', { name: 'Regions' }).getByText('Online').waitFor();
    await page.getByText('From one place, a failing network looks like a failing target').waitFor();
    await page.getByRole('link', { name: 'Local' }).press('Enter');
    await heading(page, 'Local').waitFor();
    await page.getByRole('table', { name: 'Probes' }).getByText('Online').waitFor();
    await press(page, 'Edit');
    await page.getByText('Default: allowed, unless SIGNUP=open').waitFor();
    assert.ok(await page.getByRole('checkbox', { name: 'Allow private targets' }).isEnabled());
    await inDialog(page, 'Cancel');
  });

  await step(
    'a region is created with a slug from its name, and refusals appear at their fields',
    async () => {
      await page.getByRole('link', { name: 'Regions' }).last().click();
      await press(page, 'New region');
      const dialog = page.getByRole('dialog');
      const slug = dialog.getByRole('textbox', { name: 'Slug' });
      const canaries = dialog.getByRole('combobox', { name: 'Canaries' });
      await inDialog(page, 'Create region');
      await dialog.getByText('Give the region a name.').waitFor();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('São Paulo');
      assert.equal(await slug.inputValue(), 'sao-paulo');
      await slug.fill('Local Two');
      await inDialog(page, 'Create region');
      await dialog.getByText('Lower-case letters, digits, and single hyphens between them.').waitFor();
      await slug.fill('local');
      await inDialog(page, 'Create region');
      await dialog.getByText('Another region has this slug.').waitFor();
      await slug.fill('sao-paulo');
      await canaries.fill('192.0.2.1:443');
      await canaries.press('Enter');
      await canaries.fill('nonsense.example.com');
      await canaries.press('Enter');
      await inDialog(page, 'Create region');
      await dialog.getByText('“nonsense.example.com”: The port must be between 1 and 65535.').waitFor();
      await canaries.press('Backspace');
      await inDialog(page, 'Create region');
      await heading(page, 'São Paulo').waitFor();
      await page.getByText('No probe yet').waitFor();
      await page.getByText('There is no token, so no probe can connect.').waitFor();
      assert.deepEqual((await regionOf('sao-paulo'))?.canaries, ['192.0.2.1:443']);
    },
  );

  await step(
    'a probe is started with the command that is shown once, and appears without a reload',
    async () => {
      await press(page, 'Add a probe');
      await inDialog(page, 'Create token');
      const command = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
      // The installation was started on a port of the system's choice, which its own settings do not know.
      const [, given = ''] =
        /^tocsin probe --url http:\/\/127\.0\.0\.1:\d+ --token (tcp_\S{43})$/.exec(command) ?? [];
      token = given;
      await page.getByText('This address works only on the server’s own machine.').waitFor();
      await page.getByText('Waiting for the probe.').waitFor();
      await startProbeProcess(t, { url, token });
      await page.getByText(/ is online and taking its share\.$/).waitFor();
      await inDialog(page, 'Done');
      assert.ok(!(await page.content()).includes(token), 'the token is still on the page');
      await page.getByRole('table', { name: 'Probes' }).getByText('Online').waitFor();
      await page
        .getByRole('table', { name: 'Probe tokens' })
        .getByText(`…${token.slice(-4)}`)
        .waitFor();
    },
  );

  await step('a change is in force and on the page', async () => {
    await press(page, 'Edit');
    await page.getByRole('checkbox', { name: 'Internal: not offered for monitors' }).check();
    await page.getByRole('checkbox', { name: 'Allow private targets' }).check();
    await page.getByRole('textbox', { name: 'Name' }).fill('São Paulo 2');
    await inDialog(page, 'Save');
    await page.getByText('São Paulo 2 is saved, and its probes have been informed.').waitFor();
    await heading(page, 'São Paulo 2').waitFor();
    await fact(page, 'Offered for monitors').getByText('No, it is internal').waitFor();
    await fact(page, 'Private targets').getByText('Allowed').waitFor();
    const region = await regionOf('sao-paulo');
    assert.deepEqual([region?.internal, region?.allow_private_targets], [true, true]);
    await page.getByRole('link', { name: 'Regions' }).last().click();
    const row = page.getByRole('listitem').filter({ hasText: 'sao-paulo' });
    await row.getByText('Internal').waitFor();
    await row.getByText('1 of 1 probe').waitFor();
    await row.getByText('1 canary').waitFor();
  });

  await step('a revoked token admits nobody', async () => {
    await page.getByRole('link', { name: 'São Paulo 2' }).click();
    await press(page, `Revoke …${token.slice(-4)}`);
    await page.getByText('are refused from their next request on').waitFor();
    await inDialog(page, 'Revoke');
    await page.getByText('There is no token, so no probe can connect.').waitFor();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/probe/assignments?probe_id=late`, { headers });
    assert.equal(answer.status, 401);
  });

  await step('a waiting probe is admitted, another refused and removed', async () => {
    const lisbon = await app.region('lisbon', { maxProbes: 1 });
    const [known, stranger] = [lisbon.named('rack-2'), lisbon.named('stranger')];
    await lisbon.named('rack-1').assignments();
    await known.ask();
    await stranger.ask();
    await page.goto(`${url}/app/operator/regions/lisbon`);
    const probeRow = (name: string) =>
      page.getByRole('table', { name: 'Probes' }).getByRole('row').filter({ hasText: name });
    await probeRow('rack-1').getByText('Online').waitFor();
    await page.getByText('Admit it if you started it').waitFor();

    await signInIsOld();
    await press(page, 'Admit rack-2');
    await proven(page, probeRow('rack-2').getByText('Online'));
    await press(page, 'Refuse stranger');
    await page.getByText('You can admit it again.').waitFor();
    await signInIsOld();
    await inDialog(page, 'Refuse');
    await proven(page, probeRow('stranger').getByText('Refused'));
    await page.getByText('Admit it if you started it').waitFor({ state: 'detached' });
    assert.equal((await known.ask()).status, 200);
    assert.equal((await stranger.ask()).status, 403);

    await press(page, 'Forget stranger');
    await signInIsOld();
    await inDialog(page, 'Forget');
    await proven(page, page.getByRole('table', { name: 'Probes' }).filter({ hasNotText: 'stranger' }));
    assert.deepEqual((await regionOf('lisbon'))?.probes.map(({ probe_id }) => probe_id).sort(), [
      'rack-1',
      'rack-2',
    ]);
  });

  await step('a token needs a fresh sign-in, which the page asks for', async () => {
    await signInIsOld();
    await press(page, 'Add a probe');
    await inDialog(page, 'Create token');
    const asking = page.getByRole('dialog', { name: AGAIN });
    await asking.getByLabel('Your password').fill('not the password');
    await press(page, 'Confirm');
    await asking.getByText('The password is wrong.').waitFor();
    await asking.getByLabel('Your password').fill(ADMIN.password);
    await press(page, 'Confirm');
    await page.getByText('Waiting for the probe.').waitFor();
    assert.equal((await regionOf('lisbon'))?.probe_tokens.length, 2);
  });

  await step('the token of the bundled probe is rotated: another one replaces it', async () => {
    await page.goto(`${url}/app/operator/regions/local`);
    const renewed: string[] = [];
    app.app.onLocalProbeToken((token) => renewed.push(token));
    const [before] = (await regionOf('local'))?.probe_tokens ?? [];
    assert.ok(before?.bundled);
    await press(page, `Revoke …${before.hint}`);
    await page.getByText('That probe gets a new one').waitFor();
    await signInIsOld();
    await inDialog(page, 'Revoke');
    const tokens = page.getByRole('table', { name: 'Probe tokens' });
    await proven(page, tokens.filter({ hasNotText: before.hint }).getByText('for the bundled probe'));
    const [after] = (await regionOf('local'))?.probe_tokens ?? [];
    assert.deepEqual([after?.bundled, after?.id === before.id], [true, false]);
    assert.deepEqual(
      renewed.map((token) => token.slice(-4)),
      [after?.hint],
    );
  });

  await step(
    'a person who does not operate the installation sees that, and the page sends no requests',
    async () => {
      const [organization] = await admin.ok<{ id: string }[]>('GET', '/me/organizations');
      const invitation = { email: 'marta@example.com', role: 'admin' };
      const { invite_token } = await admin.ok<{ invite_token: string }>(
        'POST',
        `/organizations/${organization?.id}/invitations`,
        invitation,
      );
      const accepted = { token: invite_token, name: 'Marta Oliveira', password: ADMIN.password };
      await makeClient(url).ok('POST', '/auth/invitations/accept', accepted);
      const other = await signedIn('marta@example.com');
      const others = watch(other);
      for (const address of ['regions', 'regions/local']) {
        await other.goto(`${url}/app/operator/${address}`);
        await other.getByText('This page is for the operator of the installation').waitFor();
      }
      assert.deepEqual(others, { refused: [], broken: [] });
      await giveBack(other);
    },
  );

  await step('nothing is wider than a phone, where the pages are tabs at the top', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${url}/app/operator`);
    await page.getByRole('navigation', { name: 'Operator' }).getByRole('link', { name: 'Regions' }).click();
    await heading(page, 'Regions').waitFor();
    const addresses = ['regions', 'regions/local', 'regions/sao-paulo', 'regions/nowhere'];
    await fits(page, ...addresses.map((address) => `${url}/app/operator/${address}`));
    await page.getByText('There is no such region').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await step('in German the regions are German', async () => {
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await page.goto(`${url}/app/operator/regions`);
    await heading(page, 'Regionen').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'sao-paulo' }).getByText('1 Vergleichsziel').waitFor();
    await page.evaluate('localStorage.clear()');
  });

  await step('only the expected refusals have happened', async () => {
    const meant = seen.refused.filter((refused) => !refused.startsWith('403 '));
    assert.deepEqual(meant, ['409 POST regions', '400 POST regions']);
    assert.equal(seen.refused.length - meant.length, 6, 'five acts and one wrong password');
  });
});
