import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordHash } from '#src/accounts/password-hashing.ts';
import type { Database } from '#src/platform/work.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { logIn } from './log-in.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const PAGE = {
  id: 'page',
  orgId: 'one',
  slug: 'shop',
  accessMode: 'viewer_login' as const,
  unlockVersion: 1,
};

/** The answer to a viewer's right password, if `meanwhile` happens right after it was compared; and the sessions there are then. */
async function signIn(meanwhile: (db: Database) => Promise<unknown>) {
  await using database = await freshDatabase();
  const { db } = database;
  const made = { created_at: NOW, name: 'Shop', slug: 'shop' };
  await db
    .insertInto('organizations')
    .values({ ...made, id: 'one', plan: 'unlimited' })
    .execute();
  await db
    .insertInto('status_pages')
    .values({ ...made, id: 'page', org_id: 'one' })
    .execute();
  const viewer = { id: 'vera', status_page_id: 'page', username: 'vera', email: 'vera@example.com' };
  const password_hash = await passwordHash('correct horse');
  await db
    .insertInto('status_page_viewers')
    .values({ ...viewer, password_hash, created_at: NOW })
    .execute();
  const slowDown = {
    enter: async () => ({
      known: false,
      right: async () => void (await meanwhile(db)),
      void: async () => {},
    }),
    knows: async () => {},
    forgive: async () => {},
    forget: async () => {},
  };
  const given = { username: 'vera', password: 'correct horse' };
  const cookie = await logIn({ db, slowDown }, PAGE, given, { address: '203.0.113.9' }, NOW);
  const sessions = await db.selectFrom('status_page_viewer_sessions').select('viewer_id').execute();
  return { signedIn: cookie !== null, sessions: sessions.length };
}

const REFUSED = { signedIn: false, sessions: 0 };

test('a viewer is signed in with the right password', async () => {
  assert.deepEqual(await signIn(async () => undefined), { signedIn: true, sessions: 1 });
});

test('a new password ends also the session that was about to begin with the old one', async () => {
  const changed = await signIn((db) =>
    db.updateTable('status_page_viewers').set({ password_hash: 'another' }).execute(),
  );
  assert.deepEqual(changed, REFUSED);
});

test('a viewer who is deleted while signing in is refused like a stranger', async () => {
  assert.deepEqual(await signIn((db) => db.deleteFrom('status_page_viewers').execute()), REFUSED);
});
