// The chart of a monitor in a real browser: any range by dragging, fields, buttons and keys, all in the address; percentiles,
// the week before, what happened meanwhile; as a table; and the hours of the week.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/domain/durations.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { putMaintenance } from '#test/harness/maintenance-row.ts';
import { fits, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { resultOf } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

const EVERY_MS = 5 * MINUTE_MS;
const DAYS = 10;

test('the chart of a monitor', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, browser } = await startDashboard(stack);
  const monitor = await admin.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: EVERY_MS / 1000,
  });
  const now = Date.now();
  const outage = { fromMs: now - 100 * MINUTE_MS, toMs: now - 80 * MINUTE_MS };
  const count = (DAYS * DAY_MS) / EVERY_MS;
  const results = Array.from({ length: count }, (_, n) => {
    const at = now - (count - n) * EVERY_MS;
    const isDown = at >= outage.fromMs && at < outage.toMs;
    return resultOf(monitor.id, at, isDown ? 'down' : { status: 'up', latency_ms: 80 + (n % 20) });
  });
  assert.equal((await app.probe().post(results)).body.accepted, results.length);
  // It has been watched as long.
  await sql`UPDATE reporting_rules SET since = '-infinity'`.execute(app.db);
  await putIncident(app, monitor, { ...outage, origin: 'automatic' });
  await putMaintenance(app, monitor, { fromMs: now - 60 * MINUTE_MS, untilMs: now - 50 * MINUTE_MS });

  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual([seen.broken, seen.refused], [[], []]));
  const path = `${url}/app/o/${orgId}/monitors/${monitor.id}`;
  const chart = page.getByRole('slider', { name: /^Response time: average/ });
  const search = () => new URL(page.url()).searchParams;
  /** What is shown, in seconds; null: a named range. */
  const span = () => {
    const [from, to] = [search().get('from'), search().get('to')];
    return from === null || to === null ? null : Number(to) - Number(from);
  };
  const reads = async (name: string) => (await chart.getAttribute(name)) ?? '';
  const says = (text: RegExp) =>
    until(async () => text.test(await reads('aria-valuetext')), `the chart says ${text}`);

  await step('keys move the cursor, which says what was measured and what happened', async () => {
    await page.goto(`${path}?range=3h`);
    await heading(page, 'Shop').waitFor();
    await chart.focus();
    await page.keyboard.press('Home');
    // A bucket is a minute, and every fifth has a check: the first has none where another minute has begun since the results.
    const measured = /; local .*ms$/;
    for (let at = 0; at < 5; at++) {
      await until(async () => (await reads('aria-valuenow')) === String(at), `the cursor is at bucket ${at}`);
      if (measured.test(await reads('aria-valuetext'))) break;
      await page.keyboard.press('ArrowRight');
    }
    await says(measured);
    await until(
      async () => (await page.getByText('2 events in this chart').count()) === 1,
      'events are there',
    );
    const steps = Math.round((100 * MINUTE_MS) / MINUTE_MS) - 9;
    await page.keyboard.press('End');
    for (let i = 0; i < steps; i++) await page.keyboard.press('ArrowLeft');
    await says(/Incident: It was slow \(20 mins?\)/);
    assert.deepEqual(await violations(page), []);
  });

  await step(
    'plus and minus zoom about the cursor, Escape leads back, and the address says it all',
    async () => {
      assert.equal(span(), null);
      await page.keyboard.press('+');
      await until(() => Math.abs((span() ?? 0) - 5400) <= 60, 'half is shown');
      await page.keyboard.press('-');
      await until(() => (span() ?? 0) > 10_000, 'the whole is shown');
      await says(/Incident/);
      await page.keyboard.press('Escape');
      await until(() => span() === null && search().get('range') === '3h', 'the named range is shown again');
    },
  );

  await step('Enter opens the incident under the cursor, and Back leads to the chart', async () => {
    await says(/Incident/);
    await page.keyboard.press('Enter');
    await until(() => page.url().includes('/incidents/inc_'), 'the incident is open');
    await page.goBack();
    await chart.waitFor();
  });

  await step('dragging shows what was dragged over, and a double click twice as much', async () => {
    const over = chart.locator('.u-over');
    const box = (await over.boundingBox()) ?? assert.fail('the chart is not there');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
    await page.mouse.up();
    await until(() => Math.abs((span() ?? 0) - 2700) < 200, 'a quarter is shown');
    const before = span() ?? 0;
    await over.dblclick();
    await until(() => Math.abs((span() ?? 0) - 2 * before) <= 2, 'twice as much is shown');
  });

  await step('any range can be typed, and a reload shows the same', async () => {
    await press(page, 'Any range');
    await page.getByLabel('From', { exact: true }).fill('2026-01-02T10:00');
    await page.getByLabel('Until', { exact: true }).fill('2026-01-02T09:00');
    await page.getByText('Must be later than the start.').waitFor();
    const local = (ms: number) =>
      new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
    await page.getByLabel('From', { exact: true }).fill(local(now - 3 * DAY_MS));
    await page.getByLabel('Until', { exact: true }).fill(local(now - 3 * DAY_MS + 2 * HOUR_MS));
    await press(page, 'Show');
    await until(() => span() === 7200, 'two hours are shown');
    await page.reload();
    await page.getByRole('button', { name: 'Back to 3 h' }).waitFor();
    assert.equal(span(), 7200);
  });

  await step(
    'a range that is opened and shown again is the same, also where an hour comes twice',
    async () => {
      const zone = await page.context().newCDPSession(page);
      await zone.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
      // From 02:10:05 to 02:50:05 in winter time, which follows the same in summer time.
      const again = Date.UTC(2026, 9, 25, 1, 10, 5) / 1000;
      await page.goto(`${path}?from=${again}&to=${again + 2400}`);
      await press(page, 'Any range');
      await press(page, 'Show');
      await page.getByLabel('From', { exact: true }).waitFor({ state: 'detached' });
      assert.deepEqual([search().get('from'), span()], [String(again), 2400]);
      await zone.detach();
    },
  );

  await step('of what is shorter than a minute, the seconds are said, too', async () => {
    await page.goto(`${path}?from=${Math.floor(now / 1000) - 600}&to=${Math.floor(now / 1000)}`);
    await chart.focus();
    await page.keyboard.press('Home');
    await says(/, \d\d:\d\d:\d\d;/);
    await page.goto(`${path}?range=3h&from=${Math.floor(now / 1000) - 7200}&to=${Math.floor(now / 1000)}`);
  });

  await step('percentiles and the week before are lines, and all of it is a table', async () => {
    await page.getByText('Percentiles', { exact: true }).click();
    await press(page, 'Compare with the week before');
    await page.getByText('Table', { exact: true }).click();
    const table = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'p99' }) });
    await table.getByRole('columnheader', { name: 'Week before' }).waitFor();
    await until(async () => (await table.getByRole('row').count()) === 25, 'there are 24 checks');
    const [, p50, , p99, before] = await table.getByRole('row').nth(1).locator('th, td').allTextContents();
    assert.equal(p50, p99, 'one check a bucket');
    assert.match(before ?? '', /^\d+ ms$/);
    assert.deepEqual(await violations(page), []);
    await page.getByText('Chart', { exact: true }).click();
    await says(/p50 .*p95 .*p99/);
  });

  await step('a range that is longer than the history says so, and leads to its beginning', async () => {
    await page.getByText('90 d', { exact: true }).click();
    await page.getByText(/^No checks before/).waitFor();
    await press(page, 'Show from there');
    await until(() => Math.abs((span() ?? 0) - DAYS * 86_400) < 86_400, 'ten days are shown');
    await until(async () => (await page.getByText(/^No checks before/).count()) === 0, 'nothing is missing');
  });

  await step('the hours of the week are gone through by keys, and say what was down', async () => {
    const grid = page.getByRole('grid', { name: 'Availability by hour of the week' });
    const panel = page.getByRole('region', { name: 'Availability by hour of the week' });
    await panel.getByText(/^Lowest: .+ down of/).waitFor();
    await grid.getByRole('gridcell').nth(1).waitFor();
    await grid.locator('[tabindex="0"]').focus();
    await page.keyboard.press('End');
    await panel.getByText(/, 23:00–00:00: 100%/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await panel.getByText(/^Tuesday, 00:00–01:00: /).waitFor();
  });

  await step('on a phone nothing is wider than the window', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await fits(page, `${path}?range=7d&lines=percentiles&compare=week`, `${path}?range=3h&view=table`);
    assert.deepEqual(await violations(page, ['color-contrast']), []);
  });
});
