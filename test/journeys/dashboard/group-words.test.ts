// What the dashboard says of the alarm of a group, which counts no results (docs/rules/confirmation.md#groups): on the page of
// the monitor and on that of an incident, beside a monitor that counts them. With a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { causeIn } from '#src/domain/cause-words.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { follow, heading, loaded, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { resultOf } from '#test/harness/probe.ts';

const words = async (page: Page) => (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');
const terms = (page: Page) => page.locator('dl[aria-label="Where each value comes from"]').getByRole('term');

test('what is said of the alarm of a group', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, browser } = await startDashboard(stack);
  const base = `${url}/app/o/${orgId}`;
  const page = await signedInPage(browser, url, ADMIN.email);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen, { refused: [], broken: [] }));
  const create = (name: string, type: string, config: object) =>
    admin.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, { name, type, config });
  const shop = await create('Shop', 'http', { url: 'https://shop.example.com/' });
  const group = await create('Everything', 'group', { members: [shop.id] });

  const openPanel = async ({ id, name }: Monitor) => {
    await follow(page, `${base}/monitors/${id}`);
    await heading(page, name).waitFor();
    await loaded(page);
    await page.getByRole('button', { name: /^Where each value comes from/ }).press('Enter');
    await terms(page).first().waitFor();
  };

  await step('a monitor that counts results says how many, and where each value comes from', async () => {
    await page.goto(`${base}/monitors/${shop.id}`);
    await openPanel(shop);
    const said = await words(page);
    assert.match(said, /An incident opens after 2 failing results in a row/);
    assert.deepEqual(await terms(page).allInnerTexts(), [
      'Failing checks in a row',
      'Outage must last',
      'Passing checks in a row to recover',
      'While failing, check every',
    ]);
  });

  await step('a group says that its rule decides, and shows no value that it does not use', async () => {
    await openPanel(group);
    const said = await words(page);
    assert.match(said, /An incident opens as soon as the rule of the group is met\./);
    assert.match(said, /It resolves by itself as soon as the rule is no longer met\./);
    assert.doesNotMatch(said, /in a row/);
    assert.deepEqual(await terms(page).allInnerTexts(), ['Outage must last']);
  });

  await step('so does the incident of a group', async () => {
    const results = [0, 1].map((later) => resultOf(shop.id, app.clock.ms() + later, 'down'));
    assert.equal((await app.probe().post(results)).status, 200);
    const { no } = await app.db
      .selectFrom('monitors')
      .select('no')
      .where('id', '=', group.id)
      .executeTakeFirstOrThrow();
    await app.runTask('group', { monitor_no: no });
    const incidentOf = async ({ id }: Monitor) => {
      const [incident] = await admin.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);
      await follow(page, `${base}/incidents/${incident?.id}`);
      await loaded(page);
      return words(page);
    };
    const counted = await incidentOf(shop);
    assert.match(counted, /The target had to fail/);
    const said = await incidentOf(group);
    assert.match(said, /The rule of the group had to be met\./);
    assert.match(said, /Outage confirmed: the rule of the group was met\./);
    assert.doesNotMatch(said, /in a row|The target had to fail/);
    // It is seen from no region, and no sentence ends where one would stand.
    assert.match(counted, /Seen 2 times, from /);
    assert.match(said, /Seen 1 time(?!,)/);
  });

  await step('nor does the draft of its post-mortem name a region', async () => {
    await page.goto(`${page.url()}/postmortem`);
    const impact = page.getByRole('textbox', { name: 'Impact' });
    await impact.waitFor();
    assert.match(await impact.inputValue(), /^Everything has been down since [-\d]+ [:\d]+ UTC\.$/);
  });

  await step('in German the activity names an incident as every other page does', async () => {
    const till = await create('Till', 'http', { url: 'https://till.example.com/' });
    const why = { failure_class: 'connect_refused', cause_layer: 'target_connect' } as const;
    const refused = [0, 1].map((later) =>
      resultOf(till.id, app.clock.ms() + later, { status: 'down', ...why }),
    );
    assert.equal((await app.probe().post(refused)).status, 200);
    const [incident] = await admin.ok<IncidentSummary[]>('GET', `/monitors/${till.id}/incidents`);
    await admin.ok('POST', `/organizations/${orgId}/incidents/${incident?.id}/ack`);
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await page.goto(`${base}/settings/activity`);
    const cause = causeIn(incident?.cause ?? '', 'de');
    assert.notEqual(cause, incident?.cause);
    await page.getByRole('button', { name: `Störung übernommen Till: ${cause}` }).click();
    await page.getByRole('button', { name: `Nur Änderungen an ${cause}` }).waitFor();
  });
});
