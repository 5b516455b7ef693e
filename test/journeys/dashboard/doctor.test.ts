// The doctor in the dashboard: a real installation, a real browser, a real mail server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { startMailbox } from '#test/harness/mailbox.ts';
import { heading, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';

test('the doctor in the dashboard', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const box = await startMailbox();
  stack.defer(() => box.stop());
  const { url, browser } = await startDashboard(stack, { SMTP_URL: box.url, MAIL_FROM: 'ops@example.com' });
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));
  const findings = page.getByRole('list', { name: 'Doctor' });

  await step('nothing is examined until somebody asks', async () => {
    await page.goto(`${url}/app/operator`);
    await page.getByRole('navigation', { name: 'Operator' }).getByRole('link', { name: 'Doctor' }).click();
    await heading(page, 'Doctor').waitFor();
    assert.equal(await findings.count(), 0);
  });

  await step('what was found is shown with its remedy, and a test mail is sent', async () => {
    await page.getByLabel('Send a test mail to').fill('somebody@example.com');
    await press(page, 'Run now');
    await findings.getByText(/^The database answers \(PostgreSQL/).waitFor();
    await findings.getByText('The mail server accepted a message to somebody@example.com').waitFor();
    assert.deepEqual(
      box.received.map(({ recipients }) => recipients),
      [['somebody@example.com']],
    );
  });

  await step('an address that is none is refused at its field', async () => {
    await page.getByLabel('Send a test mail to').fill('somebody@nowhere');
    await press(page, 'Run again');
    const said = page.getByText('This is not an e-mail address.');
    await said.waitFor();
    await page.getByLabel('Send a test mail to').fill('somebody@example.com');
    await page.getByRole('button', { name: /^Run (now|again)/ }).click();
    await said.waitFor({ state: 'detached' });
    // Which the browser itself would not send.
    await page.getByLabel('Send a test mail to').fill('nonsense');
    await page.getByRole('button', { name: /^Run (now|again)/ }).click();
    await said.waitFor();
  });

  await step('it fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Send a test mail to').fill('somebody@example.com');
    await page.getByRole('button', { name: /^Run (now|again)/ }).click();
    await findings.getByText('The mail server accepted a message to somebody@example.com').waitFor();
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(beyond <= 0, `${beyond} px too wide`);
  });
});
