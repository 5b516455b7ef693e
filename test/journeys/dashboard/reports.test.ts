// Reports in a real browser: chosen by keyboard, kept in the address, saved as files; wide and narrow, light and dark.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Report } from '#src/reports/contract.ts';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { choose, closeAfter, fits, heading, signedInPage, watch } from '#test/harness/page.ts';
import { dayAt, shiftPeriod } from '#web/pages/reports/search.ts';

const skip = noBrowser();
let dashboard: Dashboard;
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
    const { admin, app } = dashboard;
    const made: Monitor[] = [];
    for (const [name, tags] of [
      ['Shop front', ['prod']],
      ['Payroll', []],
    ] as const) {
      const body = { name, type: 'http', config: { url: 'https://shop.example.com/' }, tags };
      made.push(await admin.ok('POST', `/projects/${app.home.projectId}/monitors`, body));
    }
    const toMs = app.clock.ms();
    await putIncident(app, made[0]!, { fromMs: toMs - 1, toMs, origin: 'automatic' });
  },
  { timeout: 120_000 },
);

async function opened(t: Parameters<typeof closeAfter>[0], search = ''): Promise<Page> {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/reports${search}`);
  await page.getByRole('region', { name: 'Incidents' }).waitFor();
  return page;
}
const rows = (page: Page) =>
  page.getByRole('region', { name: 'Monitors' }).locator('tbody th').getByRole('link').allTextContents();

test('a report is configured by keyboard, and its URL restores it', { skip }, async (t) => {
  const page = await opened(t);
  const seen = watch(page);
  assert.deepEqual(await rows(page), ['Payroll', 'Shop front']);
  await page.getByRole('button', { name: 'Previous period' }).focus();
  await page.keyboard.press('Enter');
  const zone = await page.getByRole('combobox', { name: 'Time zone' }).inputValue();
  const before = shiftPeriod(dayAt(Date.now(), zone.replaceAll(' ', '_')).slice(0, 7), -1);
  await page.waitForURL(new RegExp(`period=%?2?2?${before}`));
  await page.getByText('No incidents in this period.').waitFor();
  await page.getByRole('button', { name: 'Next period' }).press('Enter');
  await choose(page, 'Monitors', 'prod');
  await page.waitForURL(/tag=prod/);
  await page.getByRole('heading', { name: 'prod' }).waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Incidents' }).getByRole('link', { name: 'Shop front' }).waitFor();
  assert.deepEqual(await rows(page), ['Shop front']);
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/reports?project=prj_none`);
  await page.getByText('Unknown project').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'All monitors' }).press('Enter');
  await page.getByRole('region', { name: 'Incidents' }).waitFor();
  assert.deepEqual(await rows(page), ['Payroll', 'Shop front']);
  assert.deepEqual(seen, { refused: [], broken: [] });
});

test('a report says why a new monitor has full coverage beside unknown time', { skip }, async (t) => {
  const page = await opened(t);
  const note = page.getByText('Coverage counts from the creation of a monitor.');
  assert.equal(await note.count(), 0, 'no check was expected yet');
  await page.route('**/report?*', async (route) => {
    const response = await route.fetch();
    const report = (await response.json()) as Report;
    const monitors = report.monitors.map((each) => ({ ...each, coverage_pct: 100 }));
    await route.fulfill({ response, json: { ...report, monitors } });
  });
  await page.reload();
  await note.waitFor();
});

test('the report on screen is saved as PDF and as CSV', { skip }, async (t) => {
  const page = await opened(t, '?tag=prod');
  const saved = async (press: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), press()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'latin1') };
  };
  const pdf = await saved(() => page.getByRole('button', { name: 'PDF' }).click());
  assert.match(pdf.name, /^report-\d{4}-\d\d\.pdf$/);
  assert.ok(pdf.text.startsWith('%PDF-'));
  await page.getByRole('button', { name: 'CSV' }).click();
  const csv = await saved(() => page.getByRole('menuitem', { name: 'Monitors as CSV' }).press('Enter'));
  assert.match(csv.text, /^monitor_id,monitor,project,.*\r\n.*,Shop front,/);
});

test('the page fits a phone, without accessibility violations, light and dark', { skip }, async (t) => {
  const page = await opened(t);
  await page
    .getByRole('region', { name: 'This report by mail' })
    .getByText('This installation has no mail server')
    .waitFor();
  assert.deepEqual(await violations(page), []);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.getByRole('region', { name: 'Incidents' }).waitFor();
  assert.deepEqual(await violations(page, ['color-contrast']), []);
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, `${dashboard.url}/app/o/${dashboard.orgId}/reports?period=2026-Q3`);
  await heading(page, 'Reports').waitFor();
  assert.deepEqual(await violations(page), []);
});

test('on a sheet of A4 there is the report alone, with every column', { skip }, async (t) => {
  const page = await opened(t);
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  const table = page.getByRole('region', { name: 'Monitors', exact: true }).getByRole('table');
  await table.getByRole('columnheader', { name: 'False alarms' }).waitFor();
  const headers = await Promise.all(
    (await table.getByRole('columnheader').all()).map((each) => each.boundingBox()),
  );
  const ends = headers.map((box) => (box === null ? Infinity : box.x + box.width));
  assert.ok(ends.length === 9 && Math.max(...ends) <= 718, `columns end at ${ends.join(', ')} px`);
  assert.equal(await page.getByRole('button').count(), 0);
  await page.getByText(/^Printed on .+; times in /).waitFor();
});
