// Lists of the dashboard that show a part, or several of one name: they say so.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Delivery } from '#src/notifications/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, heading, signedInPage } from '#test/harness/page.ts';

const skip = noBrowser();
let dashboard: Dashboard;
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
  },
  { timeout: 120_000 },
);

async function opened(t: Parameters<typeof closeAfter>[0], place: string): Promise<Page> {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/${place}`);
  await heading(page, /./).waitFor();
  return page;
}

/** A finished delivery as the interface shows it. */
const deliveryOf = (no: number, isDead: boolean): Delivery => ({
  id: `whd_${no}`,
  event: 'opened',
  ok: !isDead,
  attempts: 1,
  created_at_unix: 1_800_000_000 - no,
  status_code: isDead ? 500 : 200,
  error: isDead ? 'http_status 500' : null,
  next_attempt_at_unix: null,
  about: { name: 'Shop', monitor_id: null, incident_id: null, maintenance_id: null },
});

test('undelivered deliveries are counted as far as they are loaded, and the list says so', {
  skip,
}, async (t) => {
  const { id } = await dashboard.admin.ok<{ id: string }>('POST', `${dashboard.orgPath}/webhooks`, {
    ...{ name: 'Chat', kind: 'webhook', url: 'https://hook.example.com/', events: ['opened'] },
  });
  let isDead = (no: number) => no % 40 === 0 || no >= 110;
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  await page.route('**/deliveries?*', (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit'));
    const all = Array.from({ length: 120 }, (_, no) => deliveryOf(no, isDead(no)));
    return route.fulfill({ json: all.slice(0, limit) });
  });
  closeAfter(t, page);
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/notifications/${id}`);
  const filter = page.getByRole('radiogroup', { name: 'Filter deliveries' });
  await filter.getByText('Undelivered (3 or more)').click();
  await page.getByRole('button', { name: 'Show more' }).click();
  await filter.getByText('Undelivered (13)').waitFor();
  isDead = (no) => no === 0;
  await page.clock.install();
  await page.reload();
  await filter.getByText('Undelivered (1 or more)').click();
  isDead = (no) => no >= 110;
  await page.clock.runFor(16_000);
  await page.getByText('The newest 100 have arrived, or are still being tried.').waitFor();
});

test('monitors of projects that have the same name are told apart where one is chosen', {
  skip,
}, async (t) => {
  const { admin, orgPath } = dashboard;
  for (const name of ['Twin 1', 'Twin 2']) {
    const { id } = await admin.ok<{ id: string }>('POST', `${orgPath}/projects`, { name });
    await admin.ok('PATCH', `/projects/${id}`, { name: 'Twin' });
    const body = { name: 'Login', type: 'http', config: { url: 'https://twin.example.com/' } };
    await admin.ok('POST', `/projects/${id}/monitors`, body);
  }
  const page = await opened(t, 'monitors/new?type=group');
  const groupsOf = async (field: string) => {
    await page.getByRole('combobox', { name: field }).click();
    const options = page.getByRole('listbox', { name: field });
    await options.getByText('Twin (twin-1)').waitFor();
    await options.getByText('Twin (twin-2)').waitFor();
    assert.equal(await options.getByRole('option', { name: 'Login' }).count(), 2);
    await page.keyboard.press('Escape');
  };
  await groupsOf('Monitors of the group');
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/incidents/new`);
  await groupsOf('Monitor');
});

test('the marks of a name that runs from right to left are at its end, and it begins at the left of its column', {
  skip,
}, async (t) => {
  const name = 'خدمة (الإنتاج)!';
  for (const each of [name, 'Shop'])
    await dashboard.admin.ok('POST', `/projects/${dashboard.app.home.projectId}/monitors`, {
      ...{ name: each, type: 'http', config: { url: 'https://pay.example.com/' } },
    });
  const page = await opened(t, 'monitors');
  await page.getByRole('link', { name, exact: true }).first().waitFor();
  const leftOf = (text: string, at: number) =>
    page.evaluate<number>(`(() => {
      const link = [...document.querySelectorAll('main a')].find((each) => each.textContent === ${JSON.stringify(text)});
      const place = document.createRange();
      place.setStart(link.firstChild, ${at});
      place.setEnd(link.firstChild, ${at + 1});
      return place.getBoundingClientRect().left;
    })()`);
  const last = name.length - 1;
  assert.ok((await leftOf(name, last)) < (await leftOf(name, 0)));
  assert.ok(Math.abs((await leftOf(name, last)) - (await leftOf('Shop', 0))) < 8);
});
