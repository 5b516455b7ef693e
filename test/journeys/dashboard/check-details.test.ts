// Every check opens, on the page of its monitor and beside the evidence of an incident, with what the target answered; and
// an incident shows what its regions looked up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { httpServer } from '#test/harness/listeners.ts';
import { fits, follow, heading, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { startProbeProcess } from '#test/harness/probe-process.ts';
import { until } from '#test/harness/until.ts';

test('the details of a failed check', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const port = await httpServer(t, (_, response) =>
    response
      .writeHead(503, { 'content-type': 'text/html', 'set-cookie': 'sid=hunter2', 'x-served-by': 'web-3' })
      .end('<h1>Database pool exhausted</h1>\n<!-- token=hunter2 -->'),
  );
  const { url, app, admin, orgPath, browser, probeToken } = await startDashboard(stack);
  await startProbeProcess(t, { url, token: probeToken });
  const monitor = await admin.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    interval_seconds: 5,
    config: { url: `http://127.0.0.1:${port}/` },
    policy: { alarm_consecutive: 1 },
  });
  const opened = async () => (await admin.ok<{ id: string }[]>('GET', `${orgPath}/incidents`))[0]?.id;
  await until(async () => (await opened()) !== undefined, 'the incident is open');
  await app.runTask('audit');
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));
  const base = `${url}/app/o/${app.home.orgId}`;

  const answerShows = async () => {
    const answer = page.getByRole('region', { name: 'Response', exact: true }).first();
    await answer.getByText('HTTP 503').waitFor();
    await answer.getByText('web-3').waitFor();
    await answer.getByText('Database pool exhausted').waitFor();
    assert.doesNotMatch((await answer.textContent()) ?? '', /hunter2/);
  };

  await step('on the page of its monitor', async () => {
    await page.goto(`${base}/monitors/${monitor.id}`);
    await heading(page, 'Shop').waitFor();
    const row = page.getByRole('button', { expanded: false }).and(page.getByTitle('Show details')).last();
    await row.press('Enter');
    await answerShows();
    await page.getByTitle('Hide details').first().press('Enter');
    await page.getByRole('region', { name: 'Response', exact: true }).waitFor({ state: 'detached' });
  });

  await step('beside the evidence of an incident', async () => {
    await follow(page, `${base}/incidents/${await opened()}`);
    await heading(page, 'Shop').waitFor();
    await page.getByTitle('Show details').first().press('Enter');
    await answerShows();
  });

  await step('an incident shows what its region looked up, in a real probe’s own words', async () => {
    const found = page.getByRole('region', { name: 'Looked up from local' });
    await found.getByText('The host is an address').waitFor();
    await found.getByText(/connected in \d+ ms/).waitFor();
    await found.getByText('Database pool exhausted').waitFor();
    assert.doesNotMatch((await found.textContent()) ?? '', /hunter2/);
  });

  await step('a German reader gets all of it in German, on a phone too', async () => {
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await page.goto(`${base}/incidents/${await opened()}`);
    const main = page.getByRole('main');
    await main.getByText('Ein Status aus 200-299 innerhalb von 4 s.', { exact: true }).waitFor();
    await main.getByText('Antwort 503; erwartet: 200-299').first().waitFor();
    await main.getByText('Ausfall bestätigt: Die Prüfung schlug einmal fehl.').waitFor();
    await main
      .getByText('Shop: HTTP 503 (Local). Erwartet: ein Status aus 200-299 innerhalb von 4 s.')
      .waitFor();
    assert.doesNotMatch((await main.textContent()) ?? '', /[Ee]xpected|Answered/);
    await follow(page, `${base}/monitors/${monitor.id}`);
    await main.getByText('unerwarteter Status: Antwort 503; erwartet: 200-299').first().waitFor();
    assert.doesNotMatch((await main.textContent()) ?? '', /[Ee]xpected|Answered/);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page, `${base}/incidents/${await opened()}`, `${base}/monitors/${monitor.id}`);
  });
});
