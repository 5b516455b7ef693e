// A fire drill in the dashboard: it rings as one, says that it does, and its record is there for everybody.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { fits, heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';

test('a fire drill in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, orgId, browser } = await startDashboard(stack);
  const base = `${url}/app/o/${orgId}/on-call`;
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));
  const bar = page.getByRole('region', { name: 'FIRE DRILL: nothing is down' });
  const record = page.getByRole('region', { name: 'At the start' });

  await step('an admin starts one, and sees at once whom it reaches and what failed', async () => {
    await page.goto(base);
    await page.getByText('There has been none so far.').waitFor();
    await page.getByRole('link', { name: 'Fire drills' }).click();
    await heading(page, 'Fire drills').waitFor();
    await press(page, 'Start the drill');
    await heading(page, /^Fire drill of /).waitFor();
    await bar.waitFor();
    await record.getByText('sound in an open dashboard').waitFor();
    await record.getByText('Push is not turned on in any of their browsers').waitFor();
    await record.getByText('There is no mail server.').waitFor();
  });

  await step('the record says that this dashboard rings', async () => {
    await page.locator('body').click();
    await record.getByText(/^Arrived/).waitFor();
  });

  await step('acknowledged in the bar it is over, and stands in the list', async () => {
    await bar.getByRole('button', { name: 'Acknowledge the drill' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByText('acknowledged it, as they would a real alarm.').waitFor();
    await page.getByRole('link', { name: 'Fire drills' }).click();
    await page.getByRole('list', { name: 'Drills so far' }).getByText('1 of 3 arrived').waitFor();
  });

  await step('on a phone nothing is wider than the window', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page, `${base}/drills`);
  });
});
