import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { MailFailure } from '#src/platform/mail/mail.ts';
import { registry } from '#src/platform/metrics.ts';
import type { Database } from '#src/platform/work.ts';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { sendPageMails } from './sender.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const addresses = { baseUrl: 'https://tocsin.example.com', edgePort: '' };

async function aPage(db: Database, emails: readonly string[]) {
  await sql`INSERT INTO organizations (id, name, slug, plan, created_at)
    VALUES ('one', 'one', 'one', 'unlimited', ${NOW})`.execute(db);
  await sql`INSERT INTO status_pages (id, org_id, name, slug, access_mode, created_at)
    VALUES ('page', 'one', 'Shop', 'shop', 'public', ${NOW})`.execute(db);
  for (const email of emails) {
    await sql`INSERT INTO status_page_subscribers (id, status_page_id, email, language, created_at)
      VALUES (${email}, 'page', ${email}, 'en', ${NOW})`.execute(db);
    await sql`INSERT INTO status_page_mails (subscriber_id, next_at) VALUES (${email}, ${NOW})`.execute(db);
  }
}

test('a mail is not sent under a lease that may end meanwhile: it is claimed anew, and that try counts alone', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await aPage(db, ['dana@example.com']);
  let asked = 0;
  const clock = () => new Date(NOW.getTime() + (asked++ < 1 ? 0 : 16_000));
  const sent: unknown[] = [];
  const send = async () => {
    sent.push(...(await sql`SELECT attempts, next_at FROM status_page_mails`.execute(db)).rows);
  };
  const mail = { send, verify: async () => undefined };
  await sendPageMails({ db, clock, log: silent, mail, key: Buffer.alloc(32), ...addresses });
  assert.deepEqual(sent, [{ attempts: 1, next_at: new Date(NOW.getTime() + 46_000) }]);
});

test('a mail that is tried in vain is counted, and so is that it is given up', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await aPage(db, ['dana@example.com']);
  const counted = async () => {
    const { values } = (await registry.getSingleMetric('tocsin_mailings_total')?.get()) ?? { values: [] };
    const of = (outcome: string) =>
      values.find(({ labels }) => labels.kind === 'status_page' && labels.outcome === outcome)?.value ?? 0;
    return [of('sent'), of('retried'), of('failed')];
  };
  const mail = {
    send: () => Promise.reject(new MailFailure('smtp_timeout', 'Too late.')),
    verify: async () => undefined,
  };
  const before = await counted();
  for (let days = 0; days < 8; days++) {
    const clock = () => new Date(NOW.getTime() + days * 86_400_000);
    await sendPageMails({ db, clock, log: silent, mail, key: Buffer.alloc(32), ...addresses });
  }
  assert.deepEqual(
    (await counted()).map((n, i) => n - (before[i] ?? 0)),
    [0, 5, 1],
  );
});

test('mails that are being sent keep their places when the failure of another one cannot be recorded', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await aPage(db, ['bad@example.com', 'good@example.com']);
  await sql`CREATE SEQUENCE tried`.execute(db);
  await sql`CREATE FUNCTION cannot_be_put_back() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM nextval('tried'); RAISE EXCEPTION 'not now'; END $$`.execute(db);
  await sql`CREATE TRIGGER refused BEFORE UPDATE ON status_page_mails FOR EACH ROW
    WHEN (OLD.subscriber_id LIKE 'bad@%' AND OLD.attempts > 0) EXECUTE FUNCTION cannot_be_put_back()`.execute(
    db,
  );
  const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
  const mail = {
    send: ({ to }: { to: string }) =>
      to.startsWith('good') ? accepted : Promise.reject(new MailFailure('smtp_timeout', 'Too late.')),
    verify: async () => undefined,
  };
  let over = false;
  const clock = () => NOW;
  const sending = sendPageMails({
    db,
    clock,
    log: silent,
    mail,
    key: Buffer.alloc(32),
    ...addresses,
  }).finally(() => {
    over = true;
  });
  sending.catch(() => undefined);
  await until(async () => {
    const { rows } = await sql<{ tried: boolean }>`SELECT is_called AS tried FROM tried`.execute(db);
    return rows[0]?.tried === true;
  }, 'the failure was to be recorded');
  for (let i = 0; i < 5; i++) await sql`SELECT 1`.execute(db);
  assert.equal(over, false, 'others may take the places of mails that are still being sent');
  accept();
  await assert.rejects(sending, /not now/);
  const { rows } = await sql<{ email: string }>`SELECT subscriber_id AS email FROM status_page_mails`.execute(
    db,
  );
  assert.deepEqual(rows, [{ email: 'bad@example.com' }]);
});
