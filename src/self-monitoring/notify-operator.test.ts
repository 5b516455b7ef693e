import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { goesAway } from '#test/harness/away.ts';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import type { Message } from '../platform/mail/mail.ts';
import type { Database } from '../platform/work.ts';
import { notifyOperator } from './notify-operator.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** An operator, and a trouble that nobody was mailed about. */
async function trouble(db: Database): Promise<void> {
  await sql`INSERT INTO users (id, name, email, email_verified, operator, created_at, updated_at)
    VALUES ('ann', 'Ann', 'ann@example.com', true, true, ${NOW}, ${NOW})`.execute(db);
  await sql`INSERT INTO troubles (kind, subject, began_at) VALUES ('disk_full', '', ${NOW})`.execute(db);
}

function watch(db: Database) {
  const sent: string[] = [];
  const mail = {
    send: async ({ to }: Message) => void sent.push(to),
    verify: async () => undefined,
  };
  const options = { db, mail, baseUrl: 'https://tocsin.example.com', log: silent };
  return { sent, turn: (clock: () => Date) => notifyOperator({ ...options, clock }) };
}

test('a mail to the operator that was accepted while the database went away is not sent again', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await trouble(db);
  const when = 'NEW.notified_at IS DISTINCT FROM OLD.notified_at';
  await goesAway(db, { statement: 'UPDATE', table: 'troubles', when });
  const { sent, turn } = watch(db);
  await turn(() => NOW);
  await turn(() => later(60));
  assert.deepEqual(sent, ['ann@example.com']);
});

test('a trouble is not mailed by a server whose lease may end meanwhile: the next turn mails it', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await trouble(db);
  const { sent, turn } = watch(db);
  let asked = 0;
  await turn(() => (asked++ < 1 ? NOW : later(16)));
  assert.deepEqual(sent, []);
  await turn(() => later(30));
  assert.deepEqual(sent, ['ann@example.com']);
});
