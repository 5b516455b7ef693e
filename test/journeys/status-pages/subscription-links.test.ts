// The links in mails to subscribers of a status page, while what they lead to changes.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { MAX_SUBSCRIBERS } from '#src/status-pages/subscriptions/subscribe.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { newPage, settings } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let mailbox: Mailbox;
before(async () => {
  mailbox = await startMailbox();
  closeAfterTests(() => mailbox.stop());
  app = await startAppOfFile({ env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Tocsin <tocsin@example.com>' } });
});

async function publicPage(name: string): Promise<{ page: StatusPage; monitor: Monitor }> {
  const body = { name, type: 'http', config: { url: 'https://shop.example.com/' } };
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, body);
  const page = await newPage(app.alice, app.home, name);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [{ monitor_id: monitor.id }] });
  return { page, monitor };
}

const submit = (path: string, fields: Record<string, string> = {}) =>
  fetch(app.url + path, { method: 'POST', body: new URLSearchParams(fields) });

/** Subscribes an address; answers the path of the link in the mail that it gets. */
async function mailedLink(page: StatusPage, email: string, part: string): Promise<string> {
  mailbox.received.length = 0;
  await submit(`/public/status-pages/${page.slug}/subscriptions`, { email });
  await app.runTask('page_mails');
  const text = mailbox.received.find(({ recipients }) => recipients.includes(email))?.mail.text ?? '';
  const found = [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url).pathname);
  return found.find((path) => path.includes(part)) ?? assert.fail(`no link to ${part}`);
}

test('a choice that is saved while its subscriber unsubscribes is answered as a spent link', async () => {
  const { page, monitor } = await publicPage('Orders');
  const email = 'leaves@example.com';
  assert.equal((await submit(await mailedLink(page, email, '/subscriptions/confirm/'))).status, 200);
  const manage = await mailedLink(page, email, '/subscriptions/');
  const left = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<void>();
  const leaving = runWork(app.db, app.clock.now(), SYSTEM, async ({ tx }) => {
    await tx.deleteFrom('status_page_subscribers').where('email', '=', email).execute();
    left.resolve();
    await saved.promise;
  });
  await left.promise;
  const saving = submit(manage, { what: 'some', monitor: monitor.id });
  await until(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event_type = 'Lock' AND query LIKE '%status_page_subscribers%'`.execute(app.db);
    return rows.length > 0;
  }, 'the choice waits for the deletion');
  saved.resolve();
  await leaving;
  assert.equal((await saving).status, 404);
});

test('a page never has more confirmed subscribers than it may have', async () => {
  const { page } = await publicPage('Shop');
  const links = [
    await mailedLink(page, 'last@example.com', '/subscriptions/confirm/'),
    await mailedLink(page, 'late@example.com', '/subscriptions/confirm/'),
  ];
  const now = app.clock.now();
  await sql`
    INSERT INTO status_page_subscribers (id, status_page_id, email, language, created_at, confirmed_at)
    SELECT 'sub_' || n, ${page.id}, n || '@example.com', 'en', ${now}, ${now}
    FROM generate_series(1, ${MAX_SUBSCRIBERS - 1}) n`.execute(app.db);
  const answers = await Promise.all(links.map((link) => submit(link)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  assert.match((await refused?.text()) ?? '', /takes no more subscriptions/);
  const confirmed = links[answers.findIndex(({ status }) => status === 200)] ?? '';
  assert.equal((await submit(confirmed)).status, 200, 'who has confirmed stays so');
});
