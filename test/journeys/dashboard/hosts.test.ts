// Hosts in the dashboard: a newcomer adds a machine with one command, makes the monitors that are proposed, sees it go
// silent and come back, changes what it may send, and removes it; with a real browser, the agent's protocol spoken by the test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import type { Agent } from '#src/agents/contract.ts';
import type { Enrolled } from '#src/agents/protocol-contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { violations } from '#test/harness/accessibility.ts';
import { insertAgent } from '#test/harness/agents.ts';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { makeClient } from '#test/harness/client.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import {
  choose,
  fits,
  flip,
  follow,
  goTo,
  heading,
  press,
  signedInPage,
  stepsOf,
  watch,
} from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const MACHINE = { platform: 'linux', os: 'Debian GNU/Linux 13', arch: 'x64', agent_version: '0.0.0' };
const READINGS = {
  ...{ cpu_pct: 12.5, mem_pct: 41, swap_pct: 2, load1: 0.4, load5: 0.5, load15: 0.6 },
  ...{ net_rx_bps: 123_456, net_tx_bps: 45_678, temp_c: 51, uptime_seconds: 86_400 },
  disks: [
    { mount: '/', pct: 43 },
    { mount: '/var', pct: 71 },
  ],
};

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('hosts in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, orgPath, browser } = await startDashboard(stack);
  const { projectId } = app.home;
  const address = `${url}/app/o/${orgId}/hosts`;
  const monitors = () => admin.ok<Monitor[]>('GET', `/projects/${projectId}/monitors`);
  /** What the machine comes in with once it is enrolled. */
  let credential = '';
  const beat = async (more: Record<string, unknown> = {}) => {
    const body = {
      sent_at_ms: Date.now(),
      agent_version: '0.0.0',
      modules: ['cpu'],
      readings: READINGS,
      ...more,
    };
    const headers = { authorization: `Bearer ${credential}` };
    const answer = await app.visitor().send('POST', '/agent/heartbeat', body, headers);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const hostNamed = async (name: string) => {
    const agents = await admin.ok<Agent[]>('GET', `${orgPath}/agents`);
    const agent = agents.find(({ hostname }) => hostname === name);
    assert.ok(agent);
    return agent;
  };
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));

  await step('whoever has no hosts is shown what an agent is, and one thing to do', async () => {
    await page.goto(`${url}/app/o/${orgId}`);
    await goTo(page, 'Hosts', 'Hosts');
    await page.getByText('An agent is a small program on a machine').waitFor();
    await press(page, 'Add a host');
    await page.getByRole('combobox', { name: 'Labels' }).fill('env=prod,');
    await choose(page, 'Valid for', '8 hours');
    await press(page, 'Create command');
    await page.getByText('Waiting for the host').waitFor();
    assert.deepEqual(await violations(page), []);
  });

  await step(
    'the dialogue shows the host that the command enrolled, and proposes monitors for it',
    async () => {
      const command = await page.locator('pre').first().innerText();
      const token = / --token (\S+)/.exec(command)?.[1];
      assert.ok(token, command);
      const { body } = await app
        .visitor()
        .send('POST', '/agent/enroll', { token, hostname: 'web-1', ...MACHINE });
      credential = (body as Enrolled).credential;
      await beat();
      await page.getByText('Enrolled:').waitFor();
      await page.getByText('now 12.5%').waitFor();
      await page.getByText('Down above 90%, degraded above 80%').first().waitFor();
      assert.deepEqual(await violations(page), []);
      await press(page, 'Create “Online”');
      await until(async () => (await monitors()).length === 1, 'the monitor is created');
      await page.getByRole('checkbox', { name: 'Temperature' }).uncheck();
      await press(page, 'Create 4 monitors');
      await until(async () => (await monitors()).length === 5, 'the others are created');
      const [made] = (await monitors()).filter(({ name }) => name === 'web-1: Disk /var');
      assert.deepEqual(made?.config, {
        ...{ agent_id: (await hostNamed('web-1')).id, metric: 'disk_pct:/var', op: 'gt' },
        ...{ threshold: 90, degraded_threshold: 80, window_seconds: 300 },
      });
      await press(page, 'Done');
    },
  );

  await step('a command that still works can be revoked', async () => {
    const token = await admin.ok<{ id: string }>('POST', `${orgPath}/agents/enrollment-tokens`, { uses: 3 });
    await press(page, 'Add a host');
    await page.getByText('0 of 3 machines enrolled').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: /^Revoke the command of/ }).click();
    await page.getByText('Commands that still work').waitFor({ state: 'detached' });
    const left = await admin.ok<{ id: string }[]>('GET', `${orgPath}/agents/enrollment-tokens`);
    assert.ok(!left.some(({ id }) => id === token.id));
    await press(page, 'Cancel');
  });

  await step('the list shows how a host is, and finds it by its label', async () => {
    await insertAgent(app.db, { orgId, hostname: 'db-1', at: new Date() });
    await page.reload();
    await row(page, 'web-1').getByText('Online').waitFor();
    await row(page, 'web-1').getByText('71%').waitFor();
    await row(page, 'web-1').getByText('5 monitors').waitFor();
    await row(page, 'db-1').getByText('Waiting for its first report').waitFor();
    await page.getByRole('searchbox').fill('env=prod');
    await until(async () => (await row(page, 'db-1').count()) === 0, 'the other host is filtered out');
  });

  await step('a host that went silent stands first, and says since when', async () => {
    const { id } = await hostNamed('web-1');
    await sql`UPDATE agent_states SET last_heartbeat_at = now() - interval '10 minutes'
      WHERE agent_no = (SELECT no FROM agents WHERE id = ${id})`.execute(app.db);
    await page.reload();
    await row(page, 'web-1').getByText('Silent since').waitFor();
    assert.match(await page.getByRole('listitem').first().innerText(), /web-1/);
    assert.deepEqual(await violations(page), []);
    await beat();
    // The list is read again every 15 s.
    await row(page, 'web-1').getByText('Online').waitFor({ timeout: 60_000 });
  });

  await step('its page shows how it was, its monitors and its events', async () => {
    await page.getByRole('link', { name: 'web-1' }).click();
    await heading(page, 'web-1').waitFor();
    for (const title of ['CPU', 'Memory', 'Disks', 'Network', 'Load', 'Temperature'])
      await page.getByRole('region', { name: title, exact: true }).getByRole('img').waitFor();
    await page.getByRole('img', { name: '/var: average 71%, highest 71%' }).waitFor();
    await page.getByRole('list', { name: 'Monitors' }).getByText('web-1: Disk /var').waitFor();
    await page.getByRole('region', { name: 'Events' }).getByText('Enrolled').waitFor();
    await page.getByRole('button', { name: '1 proposed monitor' }).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  await step('what a host may send is opted into, and what runs on it is proposed then', async () => {
    await flip(page, 'Send the names of processes and services');
    await until(async () => (await hostNamed('web-1')).inventory_enabled, 'the opt-in is saved');
    await beat({
      processes: ['nginx', 'kworker/0:1'],
      service_inventory: [{ kind: 'docker', name: 'shop' }],
    });
    await flip(page, 'Expected to be offline at times');
    await until(async () => (await hostNamed('web-1')).expected_offline, 'the expectation is saved');
    await page.getByRole('button', { name: '1 proposed monitor' }).click();
    await page.getByRole('checkbox', { name: 'Temperature' }).uncheck();
    const services = page.getByRole('combobox', { name: 'Services' });
    await services.click();
    await page.getByRole('option', { name: 'nginx' }).click();
    await services.press('Escape');
    await press(page, 'Create 1 monitor');
    await page.getByRole('list', { name: 'Monitors' }).getByText('web-1: nginx').waitFor();
  });

  await step('the form of a monitor offers hosts and what they measure now', async () => {
    await follow(page, `${url}/app/o/${orgId}/monitors/new?type=agent`);
    await choose(page, 'Host', 'web-1');
    await page.getByRole('combobox', { name: 'Reading' }).click();
    await page.getByRole('option', { name: 'Disk /var 71%' }).click();
    await page.getByText('now 71%').waitFor();
    await press(page, 'Create monitor');
    await heading(page, 'web-1: Disk /var > 90%').waitFor();
    await page.getByRole('link', { name: 'web-1', exact: true }).waitFor();
    await follow(page, `${url}/app/o/${orgId}/monitors/new?type=service`);
    await choose(page, 'Host', 'web-1');
    await page.getByText('Docker').click();
    await page.getByRole('combobox', { name: 'Service name' }).click();
    await page.getByRole('option', { name: 'shop' }).click();
    await press(page, 'Create monitor');
    await heading(page, 'web-1: shop').waitFor();
  });

  await step('the page of a service shows its CPU or its memory, that of its host both', async () => {
    await beat({ services: [{ kind: 'docker', name: 'shop', running: true, cpu_pct: 3, mem_mb: 150 }] });
    await page.reload();
    await page.getByRole('cell', { name: '3%' }).waitFor();
    await page.getByText('Memory', { exact: true }).click();
    await page.getByText('150 MB').first().waitFor();
    await page.getByRole('link', { name: 'web-1', exact: true }).click();
    await page.getByRole('row', { name: 'shop Docker Running 3% 150 MB' }).waitFor();
  });

  await step('on a phone nothing is too wide, in German and in the dark', async () => {
    const { id } = await hostNamed('web-1');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await fits(page, address, `${address}/${id}`);
    await page.getByRole('heading', { name: 'Verlauf' }).waitFor();
    assert.deepEqual(await violations(page, ['color-contrast']), []);
    await page.evaluate("localStorage.removeItem('tocsin-language')");
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await step('removing a host says how many monitors are disabled, and they say why', async () => {
    const { id } = await hostNamed('web-1');
    await page.goto(`${address}/${id}`);
    await press(page, 'Remove host');
    await page.getByText('8 monitors on it are disabled').waitFor();
    await press(page, 'Remove');
    await heading(page, 'Hosts').waitFor();
    const [disabled] = await monitors();
    assert.equal(disabled?.enabled, false);
    await follow(page, `${url}/app/o/${orgId}/monitors/${disabled?.id}`);
    await page.getByRole('heading', { name: 'Its host web-1 was removed' }).waitFor();
  });

  await step('a member is told who may add hosts, and sees them', async () => {
    const email = 'member@example.com';
    const invited = await admin.ok<{ invite_token: string }>('POST', `${orgPath}/invitations`, {
      email,
      role: 'member',
    });
    const accepted = { token: invited.invite_token, name: 'Member', password: ADMIN.password };
    await makeClient(url).ok('POST', '/auth/invitations/accept', accepted);
    const theirs = await signedInPage(browser, url, email);
    await theirs.goto(address);
    await row(theirs, 'db-1').waitFor();
    assert.equal(await theirs.getByRole('button', { name: 'Add a host' }).count(), 0);
    await theirs.getByText('Owners, admins and managers can change this.').waitFor();
    await giveBack(theirs);
  });
});
