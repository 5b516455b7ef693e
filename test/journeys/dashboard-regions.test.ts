// The operator's regions in the dashboard: a real installation, a real browser, and a real probe that is started with
// the token the page shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AdministeredRegion } from '../../src/regions/contract.ts';
import { noBrowser } from '../harness/browser.ts';
import { makeClient } from '../harness/client.ts';
import { startDashboard } from '../harness/dashboard.ts';
import { ADMIN } from '../harness/installation.ts';
import { fits, heading, press, signedInPage, watch } from '../harness/page.ts';
import { startProbeProcess } from '../harness/probe-process.ts';

const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const fact = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name });

test('the regions in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, admin, browser, probeToken } = await startDashboard(stack);
  await startProbeProcess(t, { url, token: probeToken });
  const signedIn = (email: string) => signedInPage(browser, url, email);
  const page = await signedIn(ADMIN.email);
  const seen = watch(page);
  const regionOf = async (slug: string) => {
    const regions = await admin.ok<AdministeredRegion[]>('GET', '/admin/regions');
    return regions.find((region) => region.slug === slug);
  };
  let token = '';

  let failed = false;
  const step = (behaviour: string, run: () => Promise<void>) =>
    t.test(behaviour, { skip: failed && 'an earlier step failed' }, async () => {
      try {
        await run();
        assert.deepEqual(seen.broken, []);
      } catch (error) {
        failed = true;
        throw error;
      }
    });

  await step('who has one region is told what more of them are for', async () => {
    await page.goto(`${url}/app/operator`);
    await page.getByRole('navigation', { name: 'Operator' }).getByRole('link', { name: 'Regions' }).click();
    await heading(page, 'Regions').waitFor();
    await page.getByRole('list', { name: 'Regions' }).getByText('Online').waitFor();
    await page.getByText('From one place, a failing network looks like a failing target').waitFor();
    await page.getByRole('link', { name: 'Local' }).press('Enter');
    await heading(page, 'Local').waitFor();
    await page.getByRole('table', { name: 'Probes' }).getByText('Online').waitFor();
    await press(page, 'Edit');
    await page.getByText('Nobody has decided yet: yes, unless SIGNUP=open').waitFor();
    assert.ok(await page.getByRole('checkbox', { name: 'Allow private targets' }).isEnabled());
    await inDialog(page, 'Cancel');
  });

  await step(
    'a region is created with a slug from its name, and refusals stand at their fields',
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
      await page.getByText('There is no token, so no probe is let in.').waitFor();
      assert.deepEqual((await regionOf('sao-paulo'))?.canaries, ['192.0.2.1:443']);
    },
  );

  await step('a probe is started with the command that is shown once, and is noticed by itself', async () => {
    await press(page, 'Add a probe');
    await inDialog(page, 'Make the token');
    const command = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    // The installation was started on a port of the system's choice, which its own settings do not know.
    const [, given = ''] =
      /^tocsin probe --url http:\/\/127\.0\.0\.1:\d+ --token (tcp_\S{43})$/.exec(command) ?? [];
    token = given;
    await page.getByText('This address works on the server’s own machine only.').waitFor();
    await page.getByText('Waiting for the probe.').waitFor();
    await startProbeProcess(t, { url, token });
    await page.getByText(/ is online and takes its share\.$/).waitFor();
    await inDialog(page, 'Done');
    assert.ok(!(await page.content()).includes(token), 'the token is still on the page');
    await page.getByRole('table', { name: 'Probes' }).getByText('Online').waitFor();
    await page
      .getByRole('table', { name: 'Probe tokens' })
      .getByText(`…${token.slice(-4)}`)
      .waitFor();
  });

  await step('what is changed is in force and on the page', async () => {
    await press(page, 'Edit');
    await page.getByRole('checkbox', { name: 'Internal: not offered for monitors' }).check();
    await page.getByRole('checkbox', { name: 'Allow private targets' }).check();
    await page.getByRole('textbox', { name: 'Name' }).fill('São Paulo 2');
    await inDialog(page, 'Save');
    await page.getByText('São Paulo 2 is saved. Its probes know.').waitFor();
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

  await step(
    'in a session left open a probe is refused once somebody has shown that it is them',
    async () => {
      await page.getByRole('link', { name: 'São Paulo 2' }).click();
      const stale = { error: 'fresh_sign_in_required', message: 'Sign in again.' };
      await page.route('**/probes/*', (route) => route.fulfill({ status: 403, json: stale }), { times: 1 });
      await page.getByRole('button', { name: /^Refuse / }).click();
      await inDialog(page, 'Refuse');
      const again = page.getByRole('dialog', { name: 'Confirm that it is you' });
      await again.getByLabel('Your password').fill(ADMIN.password);
      await again.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('table', { name: 'Probes' }).getByText('Refused').waitFor();
      assert.deepEqual(
        (await regionOf('sao-paulo'))?.probes.map(({ admission }) => admission),
        ['refused'],
      );
    },
  );

  await step('a revoked token lets nobody in', async () => {
    await press(page, `Revoke …${token.slice(-4)}`);
    await page.getByText('are refused from their next request on').waitFor();
    await inDialog(page, 'Revoke');
    await page.getByText('There is no token, so no probe is let in.').waitFor();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/probe/assignments?probe_id=late`, { headers });
    assert.equal(answer.status, 401);
  });

  await step(
    'who does not operate the installation is told so, and nothing is asked of the server',
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
      await other.context().close();
    },
  );

  await step('nothing is wider than a phone, where the places are tabs above the page', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${url}/app/operator`);
    await page.getByRole('navigation', { name: 'Operator' }).getByRole('link', { name: 'Regions' }).click();
    await heading(page, 'Regions').waitFor();
    for (const address of ['regions', 'regions/local', 'regions/sao-paulo', 'regions/nowhere']) {
      await fits(page, `${url}/app/operator/${address}`);
    }
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

  await step('only the refusals that were meant have happened', async () => {
    const refused = seen.refused.map((one) => one.replace(/(?<=PATCH ).*/, 'its probe'));
    assert.deepEqual(refused, ['409 POST regions', '400 POST regions', '403 PATCH its probe']);
  });
});
