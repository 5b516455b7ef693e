// The form of maintenance that repeats: which days of the week it names when its start moves, with a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { follow, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';

/** In a year to come, at an hour of the reader: a Monday. */
const YEAR = new Date().getFullYear() + 1;
const dayAt = (day: number, hour = 23) =>
  `${YEAR}-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00`;
const MONDAY = [1, 2, 3, 4, 5, 6, 7].find((day) => new Date(dayAt(day)).getDay() === 1) ?? 1;

const days = (page: Page) => page.getByRole('group', { name: 'Days of the week' });
const chosen = async (page: Page) => {
  const boxes = await days(page).getByRole('checkbox', { checked: true }).all();
  return Promise.all(boxes.map((box) => box.getAttribute('aria-label')));
};
const startAt = (page: Page, time: string) => page.getByLabel('Start', { exact: true }).fill(time);

test('the days of repeated maintenance in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, admin, orgId, orgPath, browser } = await startDashboard(stack);
  const base = `${url}/app/o/${orgId}/maintenance`;
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen, { refused: [], broken: [] }));
  const windows = () => admin.ok<MaintenanceWindow[]>('GET', `${orgPath}/maintenance-windows`);

  await step('the only day follows the start over midnight', async () => {
    await page.goto(`${base}/new`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Backups');
    await page.getByRole('combobox', { name: 'Repeats' }).selectOption('Every week on …');
    await startAt(page, dayAt(MONDAY));
    assert.deepEqual(await chosen(page), ['Monday']);
    await startAt(page, dayAt(MONDAY + 1, 1));
    assert.deepEqual(await chosen(page), ['Tuesday']);
  });

  await step('chosen days stay, and the form says which window is the first', async () => {
    await days(page).getByRole('checkbox', { name: 'Friday' }).press('Space');
    await startAt(page, dayAt(MONDAY + 2, 1));
    assert.deepEqual(await chosen(page), ['Tuesday', 'Friday']);
    await page.getByText('Wednesday is not one of them: the window on Fri').waitFor();
    await press(page, 'Plan maintenance');
    await heading(page, 'Backups').waitFor();
    const [first] = await windows();
    assert.equal(first?.repeat?.rrule, 'FREQ=WEEKLY;BYDAY=TU,FR');
    assert.equal(first?.scheduled_start, new Date(dayAt(MONDAY + 4, 1)).getTime() / 1_000);
  });

  await step('the days of a planned window move along with its start, as the stored rule does', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('radio', { name: 'All windows' }).check();
    assert.deepEqual(await chosen(page), ['Tuesday', 'Friday']);
    await startAt(page, dayAt(MONDAY + 5, 1));
    assert.deepEqual(await chosen(page), ['Wednesday', 'Saturday']);
    await page.getByText('The days have moved along with the start.').waitFor();
    await press(page, 'Save');
    await heading(page, 'Backups').waitFor();
    assert.equal((await windows())[0]?.repeat?.rrule, 'FREQ=WEEKLY;BYDAY=WE,SA');
  });

  await step('a recurrence is not offered to end by a choice that the interface does not have', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('radio', { name: 'All windows' }).check();
    const choices = await page
      .getByRole('combobox', { name: 'Repeats' })
      .getByRole('option')
      .allTextContents();
    assert.deepEqual(choices.slice(0, 2), ['Every day', 'Every week on …']);
    await press(page, 'Cancel');
    await heading(page, 'Backups').waitFor();
  });

  await step('a planned window is not saved with a start on none of the chosen days', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('radio', { name: 'All windows' }).check();
    await days(page).getByRole('checkbox', { name: 'Saturday' }).press('Space');
    await page.getByText('Start on a chosen day, or choose Saturday too.').waitFor();
    await press(page, 'Save');
    await days(page).getByRole('checkbox', { name: 'Saturday' }).press('Space');
    await press(page, 'Save');
    await heading(page, 'Backups').waitFor();
    assert.equal((await windows())[0]?.repeat?.rrule, 'FREQ=WEEKLY;BYDAY=WE,SA');
  });

  await step('the form says who will see a window, with and without monitors', async () => {
    await follow(page, `${base}/new`);
    await page.getByText('No status page shows it yet').waitFor();
    await page.getByRole('switch', { name: 'Show on status pages' }).press('Space');
    await page.getByText('No monitor is chosen, so it silences no alarm.').waitFor();
    await page.getByRole('combobox', { name: 'All monitors with one of these tags' }).fill('prod');
    await page.keyboard.press('Enter');
    await page.getByText('It still silences the alarms of its monitors.').waitFor();
  });
});
