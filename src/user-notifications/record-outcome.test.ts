import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { freshDatabase } from '#test/harness/database.ts';
import { runWork, SYSTEM } from '../platform/work.ts';
import { claimNotices } from './claim.ts';
import { noticeEnded } from './ended.ts';
import { ClaimedElsewhere, recordNoticeOutcome } from './record-outcome.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

test('nothing is recorded of an attempt whose notice another sender claims meanwhile, nor by reactions', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await sql`INSERT INTO organizations (id, name, slug, plan, created_at)
    VALUES ('one', 'one', 'one', 'unlimited', ${NOW})`.execute(db);
  await sql`INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
    VALUES ('ann', 'Ann', 'ann@example.com', true, ${NOW}, ${NOW})`.execute(db);
  await sql`INSERT INTO members (org_id, user_id, role, joined_at) VALUES ('one', 'ann', 'owner', ${NOW})`.execute(
    db,
  );
  await sql`INSERT INTO notices (org_id, user_id, channel, kind, data, state, next_attempt_at, created_at)
    VALUES ('one', 'ann', 'mail', 'alarm', '{}', 'pending', ${NOW}, ${NOW})`.execute(db);
  const claim = (now: Date) =>
    runWork(db, now, SYSTEM, (work) => claimNotices(work.tx, work.now, 'mail', { free: 1, reserved: 0 }));
  const [claimed] = await claim(NOW);
  assert.ok(claimed);
  const late = new Date(NOW.getTime() + 26_000);
  noticeEnded.on(async ({ tx }) => {
    await tx.updateTable('users').set({ name: 'Reached' }).execute();
    assert.equal((await claim(late)).length, 1);
  });
  const arrived = { done: true, error: null, reached: true };
  const recording = runWork(db, late, SYSTEM, (work) => recordNoticeOutcome(work, claimed, arrived, 0.5));
  await assert.rejects(recording, ClaimedElsewhere);
  const { rows } = await sql`SELECT u.name, n.state, n.attempts FROM users u, notices n`.execute(db);
  assert.deepEqual(rows, [{ name: 'Ann', state: 'pending', attempts: 2 }]);
});
