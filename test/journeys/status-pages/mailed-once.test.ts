// What subscribers of a status page are not mailed, or not twice.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { newMonitor, newPage, settings } from '#test/harness/status-page.ts';

let app: TestApp;
let mailbox: Mailbox;
let monitor: Monitor;
before(async () => {
  mailbox = await startMailbox();
  closeAfterTests(() => mailbox.stop());
  app = await startAppOfFile({ env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Tocsin <tocsin@example.com>' } });
});
beforeEach(async () => {
  app.clock.advance(600_000);
  monitor = await newMonitor(app.alice, app.home, newId('mon'));
});

/** A public page with the monitor and one subscriber. */
async function pageOf(name: string): Promise<StatusPage> {
  const page = await newPage(app.alice, app.home, name);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [{ monitor_id: monitor.id }] });
  const [created_at, email] = [app.clock.now(), `${page.slug}@example.org`];
  await app.db
    .insertInto('status_page_subscribers')
    .values({
      ...{ id: newId('sub'), status_page_id: page.id, email, language: 'en' },
      ...{ created_at, confirmed_at: created_at },
    })
    .execute();
  return page;
}

async function subjectsOf({ id, slug }: StatusPage): Promise<(string | undefined)[]> {
  app.clock.advance(2_000);
  await app.runTask('mail_subscribers', { page_id: id });
  mailbox.received.length = 0;
  await app.runTask('page_mails');
  const own = mailbox.received.filter(({ recipients }) => recipients.includes(`${slug}@example.org`));
  return own.map(({ mail }) => mail.subject);
}

const organization = () => `/organizations/${app.home.orgId}`;

async function plan(fields: object = {}): Promise<string> {
  const now = Math.floor(app.clock.ms() / 1000);
  const times = { scheduled_start: now + 3_600, scheduled_end: now + 7_200 };
  const { id } = await app.alice.ok<{ id: string }>('POST', `${organization()}/maintenance-windows`, {
    ...{ title: 'Disks', ...times, monitors: [monitor.id], ...fields },
  });
  return id;
}

test('a repetition is mailed with each of its windows, and neither its plan nor its change nor its end', async () => {
  const page = await pageOf('Nights');
  const id = await plan({ repeat: { rrule: 'FREQ=DAILY;COUNT=20', timezone: 'UTC' } });
  const path = `${organization()}/maintenance-windows/${id}`;
  assert.deepEqual(await subjectsOf(page), []);
  await app.alice.ok('PATCH', `${path}?scope=all`, { title: 'New disks' });
  assert.deepEqual(await subjectsOf(page), []);
  app.clock.advance(3_600_000);
  await app.runTask('maintenance', { window_id: id });
  assert.deepEqual(await subjectsOf(page), ['Nights: Maintenance started: New disks']);
  app.clock.advance(3_600_000);
  await app.runTask('maintenance', { window_id: id });
  assert.deepEqual(await subjectsOf(page), ['Nights: Maintenance ended: New disks']);
  await app.alice.ok('POST', `${path}/cancel?scope=all`);
  assert.deepEqual(await subjectsOf(page), []);
});

test('maintenance of monitors that left the page before the mail was made is not mailed', async () => {
  const page = await pageOf('Narrowed');
  await plan();
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [] });
  assert.deepEqual(await subjectsOf(page), []);
});

test('an incident that is linked to two pages at one instant is mailed once to the subscribers of each', async () => {
  const pages = [await pageOf('One'), await pageOf('Two')];
  const declared = { cause: 'Declared', severity: 'default', monitor_id: monitor.id };
  const { id } = await app.alice.ok<{ id: string }>('POST', `${organization()}/incidents`, declared);
  for (const page of pages)
    await app.alice.ok('PUT', `${organization()}/incidents/${id}/status-pages/${page.id}`);
  for (const page of pages)
    assert.deepEqual(await subjectsOf(page), [`${page.name}: New incident: ${monitor.name}`]);
});

test('an incident that is unlinked and linked again before the mail is made is mailed once', async () => {
  const page = await pageOf('Again');
  const declared = { cause: 'Declared', severity: 'default', monitor_id: monitor.id };
  const { id } = await app.alice.ok<{ id: string }>('POST', `${organization()}/incidents`, declared);
  const path = `${organization()}/incidents/${id}/status-pages/${page.id}`;
  await app.alice.ok('PUT', path);
  app.clock.advance(500);
  await app.alice.ok('DELETE', path);
  app.clock.advance(500);
  await app.alice.ok('PUT', path);
  assert.deepEqual(await subjectsOf(page), [`Again: New incident: ${monitor.name}`]);
});
