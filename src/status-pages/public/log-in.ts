// Viewers: accounts of a single page, for pages behind a sign-in.
import { sql } from 'kysely';
import { passwordHash, passwordMatches } from '#src/accounts/password-hashing.ts';
import type { SlowDown } from '#src/accounts/slow-down.ts';
import { notFound, refuse } from '#src/platform/refusals.ts';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import { type Database, runWork, SYSTEM } from '#src/platform/work.ts';
import type { ServedPage } from './directory.ts';
import { LASTS_MS } from './gate.ts';
import type { Visitor } from './unlock.ts';

/** The most sessions of one viewer; a new one replaces the oldest. */
const MAX_SESSIONS = 20;

/**
 * Signs a viewer in by user name or e-mail address; returns the value of the page's cookie, or null if name and password do not
 * match. An unknown name takes as long. Throws as `isSharedPassword`.
 */
export async function logIn(
  { db, slowDown }: { db: Database; slowDown: SlowDown },
  page: ServedPage,
  given: { username: string; password: string },
  { address }: Visitor,
  now: Date,
): Promise<string | null> {
  if (page.accessMode !== 'viewer_login') return notFound('sign-in of this page');
  // PostgreSQL's text cannot hold NUL, so no viewer has such a name.
  if (given.username.includes('\0'))
    return refuse('invalid_request', 'username contains a NUL character.', { field: 'username' });
  const username = given.username.trim().toLowerCase();
  const account = `viewer of ${page.id} ${username}`;
  const guess = await slowDown.enter('password', account, address);
  const row = await db
    .selectFrom('status_page_viewers')
    .select(['id', 'password_hash as hash'])
    .where('status_page_id', '=', page.id)
    .where((eb) => eb.or([eb(sql`lower(username)`, '=', username), eb(sql`lower(email)`, '=', username)]))
    .orderBy(sql`lower(username) = ${username}`, 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row?.hash) {
    await passwordHash(given.password);
    return null;
  }
  if (!(await passwordMatches({ hash: row.hash, password: given.password }))) return null;
  await guess.right();
  await slowDown.knows(account, address);
  return startSession(db, row, now);
}

/**
 * Creates a session of a viewer; returns the value of its cookie. Null if the viewer is gone, or has another password than the one that
 * was proved: a new password ends every session, also one that was about to begin.
 */
export async function startSession(
  db: Database,
  { id: viewerId, hash }: { id: string; hash: string | null },
  now: Date,
): Promise<string | null> {
  const token = randomToken(32);
  return runWork(db, now, SYSTEM, async ({ tx }) => {
    const viewer = await tx
      .updateTable('status_page_viewers')
      .set({ last_login_at: now })
      .where('id', '=', viewerId)
      .where('password_hash', '=', hash)
      .returning('id')
      .executeTakeFirst();
    if (!viewer) return null;
    await sql`
      DELETE FROM status_page_viewer_sessions WHERE viewer_id = ${viewerId} AND (expires_at <= ${now} OR token_hash IN (
        SELECT token_hash FROM status_page_viewer_sessions WHERE viewer_id = ${viewerId}
        ORDER BY created_at DESC OFFSET ${MAX_SESSIONS - 1}))`.execute(tx);
    await tx
      .insertInto('status_page_viewer_sessions')
      .values({
        token_hash: hashToken(token),
        viewer_id: viewerId,
        created_at: now,
        expires_at: new Date(now.getTime() + LASTS_MS),
      })
      .execute();
    return `v${token}`;
  });
}
