// Maintenance in the dashboard: planned, seen in the calendar and the list, changed, cancelled and deleted, with a real
// installation and a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { heading, press, signedInPage, watch } from '#test/harness/page.ts';

test('maintenance in the dashboard', { skip: noBrowser() }, async () => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, orgPath, browser } = await startDashboard(stack);
  for (const name of ['Shop', 'Posts'])
    await admin.ok('POST', `/projects/${app.home.projectId}/monitors`, {
      name,
      type: 'http',
      config: { url: 'https://shop.example.com/' },
    });
  const windows = () => admin.ok<MaintenanceWindow[]>('GET', `${orgPath}/maintenance-windows`);
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);

  // An empty page says what it is for; the form asks for a title, and takes a project as a whole.
  await page.goto(`${url}/app/o/${orgId}/maintenance`);
  await page.getByText('No maintenance planned').waitFor();
  await page.getByRole('link', { name: 'Plan maintenance' }).click();
  await page.getByText('Starts now').click();
  await page.getByRole('button', { name: '2 hrs' }).click();
  await page.getByRole('checkbox', { name: 'Default' }).check();
  await press(page, 'Plan maintenance');
  await page.getByText('Describe the work in a few words.').waitFor();
  await page.getByRole('textbox', { name: 'Title' }).fill('Database upgrade');
  await page.getByRole('switch', { name: 'Show on status pages' }).press('Space');
  await press(page, 'Plan maintenance');
  await heading(page, 'Database upgrade').waitFor();
  await page.getByText('Internal: not on status pages').waitFor();
  const [window] = await windows();
  assert.deepEqual(
    [window?.title, window?.public_visible, window?.monitors.map(({ name }) => name)],
    ['Database upgrade', false, ['Posts', 'Shop']],
  );

  // What others do appears by itself; the calendar is reached by keyboard.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Maintenance' }).click();
  await admin.ok('PATCH', `${orgPath}/maintenance-windows/${window?.id}`, { title: 'Database move' });
  const bar = page
    .getByRole('region', { name: 'Calendar' })
    .getByRole('link', { name: /^Database move, .*, Active$/ })
    .first();
  await bar.focus();
  await bar.press('Enter');
  await heading(page, 'Database move').waitFor();

  // Changed, ended, deleted: each says what it does first.
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('checkbox', { name: 'Posts' }).uncheck();
  await press(page, 'Save');
  await heading(page, 'Database move').waitFor();
  await press(page, 'End now');
  await page.getByText('It ends at once').waitFor();
  await page
    .getByRole('dialog', { name: 'End this maintenance now?' })
    .getByRole('button', { name: 'End now' })
    .click();
  await page.getByText('Cancelled: from that moment on').waitFor();
  assert.deepEqual(
    (await windows()).map(({ cancelled, monitors }) => [cancelled, monitors.map(({ name }) => name)]),
    [[true, ['Shop']]],
  );
  await press(page, 'Delete');
  await page.getByText('as if it had never existed').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No maintenance planned').waitFor();
  assert.deepEqual(await windows(), []);

  // What comes again is planned once, stands once in the list, and is deleted as a whole.
  await page.getByRole('link', { name: 'Plan maintenance' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Backups');
  await page.getByRole('combobox', { name: 'Repeats' }).selectOption('Every week on …');
  await page.getByRole('checkbox', { name: 'Sunday' }).press('Space');
  await press(page, 'Plan maintenance');
  await heading(page, 'Backups').waitFor();
  const planned = await windows();
  assert.match(planned[0]?.repeat?.rrule ?? '', /^FREQ=WEEKLY;BYDAY=/);
  assert.ok(planned.length >= 12);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Maintenance' }).click();
  const list = page.getByRole('region', { name: 'All maintenance windows' });
  await list.getByText(`${planned.length - 1} more planned`).waitFor();
  assert.equal(await list.getByRole('link', { name: 'Backups' }).count(), 1);
  await list.getByRole('link', { name: 'Backups' }).press('Enter');
  await heading(page, 'Backups').waitFor();
  await press(page, 'Delete');
  await page.getByRole('radio', { name: 'All windows' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No maintenance planned').waitFor();
  assert.deepEqual(await windows(), []);

  // One monitor is paused for a while from its own page.
  const [monitor] = await admin.ok<{ id: string }[]>('GET', `/projects/${app.home.projectId}/monitors`);
  await page.goto(`${url}/app/o/${orgId}/monitors/${monitor?.id}`);
  await press(page, 'Pause for …');
  await page.getByRole('menuitem', { name: '1 hour' }).press('Enter');
  await page.getByText('In maintenance until').first().waitFor();
  const [pause] = await windows();
  assert.deepEqual(
    [pause?.monitors.map(({ id }) => id), (pause?.scheduled_end ?? 0) - (pause?.scheduled_start ?? 0)],
    [[monitor?.id], 3600],
  );
  assert.deepEqual(seen, { refused: [], broken: [] });
});
