import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { freshDatabase } from '#test/harness/database.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { Database } from '../platform/work.ts';
import { claimNotices } from './claim.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const ROOM = { free: 10, reserved: 2 };

/** Adds this many waiting mails of a kind for one person of an organization, creating the person if necessary. */
async function waiting(db: Database, org: string, kind: string, howMany: number): Promise<void> {
  await sql`INSERT INTO organizations (id, name, slug, plan, created_at)
    VALUES (${org}, ${org}, ${org}, 'unlimited', ${NOW}) ON CONFLICT DO NOTHING`.execute(db);
  await sql`INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
    VALUES (${org}, ${org}, ${`${org}@example.com`}, true, ${NOW}, ${NOW}) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  await sql`INSERT INTO members (org_id, user_id, role, joined_at)
    VALUES (${org}, ${org}, 'owner', ${NOW}) ON CONFLICT DO NOTHING`.execute(db);
  await sql`INSERT INTO notices (org_id, user_id, channel, kind, data, state, next_attempt_at, created_at)
    SELECT ${org}, ${org}, 'mail', ${kind}, '{}', 'pending', ${NOW}, ${NOW}
    FROM generate_series(1, ${howMany}::int)`.execute(db);
}

const claim = (db: Database, room: typeof ROOM) =>
  inTransaction(db, (tx) => claimNotices(tx, NOW, 'mail', room));

const byOrganization = (claimed: readonly { orgId: string }[]) =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(claimed, ({ orgId }) => orgId),
      ([org, all]) => [org, all.length],
    ),
  );

test('each organization gets a slot, however many notices another has waiting and however long they take', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await waiting(db, 'noisy', 'alarm', 5_000);
  const first = await claim(db, ROOM);
  assert.deepEqual(byOrganization(first), { noisy: 6 });
  await waiting(db, 'quiet', 'alarm', 1);
  // None of them has ended, and the last slot of its owner stays for a sibling.
  const second = await claim(db, { ...ROOM, free: 3 });
  assert.deepEqual(byOrganization(second), { quiet: 1 });
});

test('urgent notices precede others, even of the same organization', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await waiting(db, 'one', 'target_failing', 50);
  await waiting(db, 'one', 'alarm', 3);
  const claimed = await claim(db, ROOM);
  assert.deepEqual(
    claimed.filter(({ kind }) => kind === 'alarm').length,
    3,
    claimed.map(({ kind }) => kind).join(),
  );
});

test('a fire drill does not delay an alarm of its organization: the alarm goes first, and has its own slots', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await waiting(db, 'one', 'drill', 200);
  const ofDrill = await claim(db, ROOM);
  assert.ok(ofDrill.length > 0);
  await waiting(db, 'one', 'alarm', 2);
  const next = await claim(db, { ...ROOM, free: ROOM.free - ofDrill.length });
  assert.deepEqual(
    next.slice(0, 2).map(({ kind }) => kind),
    ['alarm', 'alarm'],
    `after ${ofDrill.length} of the drill: ${next.map(({ kind }) => kind).join()}`,
  );
});
