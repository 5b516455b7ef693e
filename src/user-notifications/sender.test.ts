import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import type { Database } from '../platform/work.ts';
import type { NoticeChannel } from './data.ts';
import { sendDueNotices } from './sender.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** Ann, one browser of hers, and a waiting notice about an alarm. */
async function waitingNotice(db: Database, channel: NoticeChannel): Promise<void> {
  await sql`INSERT INTO organizations (id, name, slug, plan, created_at)
    VALUES ('one', 'one', 'one', 'unlimited', ${NOW})`.execute(db);
  await sql`INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
    VALUES ('ann', 'Ann', 'ann@example.com', true, ${NOW}, ${NOW})`.execute(db);
  await sql`INSERT INTO members (org_id, user_id, role, joined_at) VALUES ('one', 'ann', 'owner', ${NOW})`.execute(
    db,
  );
  await sql`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth, browser, created_at)
    VALUES ('browser', 'ann', 'https://push.example.com/1', '', '', 'Firefox', ${NOW})`.execute(db);
  const alarm = await sql<{ no: number }>`
    INSERT INTO alarms (org_id, started_at) VALUES ('one', ${NOW}) RETURNING no`.execute(db);
  const incidents = [
    { id: 'inc', monitor_name: 'Shop', cause: 'It is slow', started_at_unix: 1_800_000_000 },
  ];
  await sql`INSERT INTO notices (org_id, user_id, channel, kind, data, alarm_no, state, next_attempt_at, created_at)
    VALUES ('one', 'ann', ${channel}, 'alarm', ${JSON.stringify({ incidents, total: 1, stage: 'start' })}::jsonb,
      ${alarm.rows[0]?.no}, 'pending', ${NOW}, ${NOW})`.execute(db);
}

/** Senders of both channels; `clock` is asked for both claims first. Returns the seconds that each attempt's lease had left. */
function senders(db: Database, clock: () => Date) {
  const leftSeconds: number[] = [];
  const noteSent = async () => {
    const { rows } = await sql<{ leased_until: Date }>`SELECT leased_until FROM notices`.execute(db);
    leftSeconds.push(((rows[0]?.leased_until.getTime() ?? 0) - clock().getTime()) / 1000);
  };
  const options = {
    ...{ db, clock, log: silent, baseUrl: 'https://tocsin.example.com', random: () => 0.5 },
    mail: { send: noteSent, verify: async () => undefined },
    push: { publicKey: '', send: () => noteSent().then(() => ({ kind: 'accepted' as const })) },
  };
  return { options, leftSeconds };
}

const noticeOf = async (db: Database) =>
  (await sql`SELECT state, attempts, error, next_attempt_at FROM notices`.execute(db)).rows;

for (const channel of ['mail', 'push'] as const)
  test(`a ${channel} is not sent under a lease that may end meanwhile: it is claimed anew, and that try counts alone`, async () => {
    await using database = await freshDatabase();
    const { db } = database;
    await waitingNotice(db, channel);
    let asked = 0;
    const { options, leftSeconds } = senders(db, () => (asked++ < 2 ? NOW : later(11)));
    await sendDueNotices(options);
    assert.deepEqual(leftSeconds, [25]);
    assert.deepEqual(await noticeOf(db), [
      { state: 'sent', attempts: 1, error: null, next_attempt_at: null },
    ]);
  });

test('a mail whose acknowledge link cannot be stored, because the database is away, has used up no try', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await waitingNotice(db, 'mail');
  await sql`CREATE FUNCTION be_away() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the database went away' USING ERRCODE = '57P01'; END $$`.execute(db);
  await sql`CREATE TRIGGER be_away BEFORE INSERT ON acknowledge_links FOR EACH ROW EXECUTE FUNCTION be_away()`.execute(
    db,
  );
  const { options, leftSeconds } = senders(db, () => NOW);
  await sendDueNotices(options);
  assert.deepEqual(leftSeconds, []);
  const waits = { state: 'pending', attempts: 0, error: 'internal', next_attempt_at: later(5) };
  assert.deepEqual(await noticeOf(db), [waits]);
});
