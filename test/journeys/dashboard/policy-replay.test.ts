// While somebody edits when to alarm, the form says what that would have done with the checks there are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Request, Route } from 'playwright-core';
import { DAY_MS, MINUTE_MS } from '#src/domain/durations.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { fits, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { resultOf } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

const EVERY_MS = 10 * MINUTE_MS;
/** Outages, by their first and last failing check. */
const OUTAGES = [
  [20, 22],
  [60, 80],
  [110, 112],
] as const;

test('the replay in a monitor’s form', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, browser } = await startDashboard(stack);
  const monitor = await admin.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: EVERY_MS / 1000,
  });
  const fromMs = Date.now() - 2 * DAY_MS;
  const results = Array.from({ length: 140 }, (_, n) =>
    resultOf(
      monitor.id,
      fromMs + n * EVERY_MS,
      OUTAGES.some(([first, last]) => n >= first && n <= last) ? 'down' : 'up',
    ),
  );
  assert.equal((await app.probe().post(results)).body.accepted, results.length);

  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const asked: Request[] = [];
  const aborted: Request[] = [];
  const isReplay = (request: Request) => request.url().endsWith('/policy-replay');
  page.on('request', (request) => void (isReplay(request) && asked.push(request)));
  page.on('requestfailed', (request) => void (isReplay(request) && aborted.push(request)));
  const step = stepsOf(t, page, () => assert.deepEqual([seen.broken, seen.refused], [[], []]));
  const edit = `${url}/app/o/${orgId}/monitors/${monitor.id}/edit`;
  const replay = page.getByRole('region', { name: 'Replay of the last 30 days' });
  const lasting = page.getByLabel('Outage must last', { exact: true });

  await step('nothing is replayed before somebody opens when to alarm', async () => {
    await page.goto(edit);
    await heading(page, 'Edit Shop').waitFor();
    assert.equal(asked.length, 0);
    await page.getByRole('button', { name: /^When to alarm/ }).click();
    await replay.getByText(/^3 alarms since .+ with these settings\.$/).waitFor();
  });

  await step('a longer minimum says how many alarms are left, and how much later they come', async () => {
    await lasting.fill('3600');
    await replay.getByText(/^One alarm instead of 3 since /).waitFor();
    await replay.getByText(/^The alarm for the outage of .+ would have come 1 hour later\.$/).waitFor();
  });

  await step('the outages are listed, each with a way to the chart of that time', async () => {
    await replay.getByRole('button', { name: 'Outages in detail', expanded: false }).press('Enter');
    const rows = replay.getByRole('row');
    await rows.filter({ hasText: '1 hr later' }).waitFor();
    assert.equal(await rows.filter({ hasText: 'no alarm' }).count(), 2);
    const chart = rows.filter({ hasText: '1 hr later' }).getByRole('link', { name: /^Chart of / });
    const address = (await chart.getAttribute('href')) ?? '';
    assert.match(address, new RegExp(`/monitors/${monitor.id}\\?from=\\d+&to=\\d+$`));
    assert.deepEqual(await violations(page), []);
    const other = await page.context().newPage();
    await other.goto(url + address);
    await other.getByRole('button', { name: /^Back to / }).waitFor();
    await other.close();
  });

  await step('values that the form itself finds wrong are not asked for', async () => {
    const before = asked.length;
    await page.getByLabel('Failing checks in a row', { exact: true }).fill('0');
    await page.getByLabel('Failing checks in a row', { exact: true }).fill('');
    await replay.getByText(/^One alarm instead of 3 since /).waitFor();
    assert.equal(asked.length, before);
  });

  await step(
    'a replay that is under way is left when the values change, and when the form closes',
    async () => {
      const held: Route[] = [];
      await page.route('**/policy-replay', (route) => void held.push(route));
      await lasting.fill('60');
      await until(() => held.length === 1, 'the first is under way');
      await lasting.fill('120');
      await until(() => aborted.length === 1, 'the first was left');
      await until(() => held.length === 2, 'the second is under way');
      await press(page, 'Cancel');
      await press(page, 'Leave');
      await heading(page, 'Shop').waitFor();
      await until(() => aborted.length === 2, 'the second was left');
      await page.unroute('**/policy-replay');
    },
  );

  await step('it fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page, edit);
    await page.getByRole('button', { name: /^When to alarm/ }).click();
    await replay.getByText(/^3 alarms since /).waitFor();
    await replay.getByRole('button', { name: 'Outages in detail' }).click();
    await replay.getByRole('row').nth(1).waitFor();
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(beyond <= 0, `${beyond} px too wide`);
  });
});
