import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { sendPageMails } from './sender.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

test('a mail is not sent under a lease that may end meanwhile: it is claimed anew, and that try counts alone', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await sql`INSERT INTO organizations (id, name, slug, plan, created_at)
    VALUES ('one', 'one', 'one', 'unlimited', ${NOW})`.execute(db);
  await sql`INSERT INTO status_pages (id, org_id, name, slug, access_mode, created_at)
    VALUES ('page', 'one', 'Shop', 'shop', 'public', ${NOW})`.execute(db);
  await sql`INSERT INTO status_page_subscribers (id, status_page_id, email, language, created_at)
    VALUES ('dana', 'page', 'dana@example.com', 'en', ${NOW})`.execute(db);
  await sql`INSERT INTO status_page_mails (subscriber_id, next_at) VALUES ('dana', ${NOW})`.execute(db);
  let asked = 0;
  const clock = () => new Date(NOW.getTime() + (asked++ < 1 ? 0 : 16_000));
  const sent: unknown[] = [];
  const send = async () => {
    sent.push(...(await sql`SELECT attempts, next_at FROM status_page_mails`.execute(db)).rows);
  };
  const mail = { send, verify: async () => undefined };
  const addresses = { baseUrl: 'https://tocsin.example.com', edgePort: '' };
  await sendPageMails({ db, clock, log: silent, mail, key: Buffer.alloc(32), ...addresses });
  assert.deepEqual(sent, [{ attempts: 1, next_at: new Date(NOW.getTime() + 46_000) }]);
});
