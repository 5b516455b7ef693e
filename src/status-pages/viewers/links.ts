// Links with which a viewer chooses a password: after an invitation, and for a forgotten password. Only their hashes are
// stored.
import { sql } from 'kysely';
import { MINUTE_MS } from '#src/domain/durations.ts';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import type { Database, Work } from '#src/platform/work.ts';
import { announcePage } from '../changed.ts';

/** How long a link for a forgotten password is valid, and how many valid ones a viewer may have. */
const RESET_MS = 30 * MINUTE_MS;
const MAX_LINKS = 3;

export type Reset = { email: string; username: string; pageName: string; token: string };

/**
 * A link for the viewer of a page with this address; null if there is no such viewer, or too many of their links are valid: the
 * visitor gets the same answer.
 */
export async function makeResetLink({ tx, now }: Work, pageId: string, email: string): Promise<Reset | null> {
  const { rows } = await sql<{ id: string; email: string; username: string; page_name: string }>`
    SELECT v.id, v.email, v.username, p.name AS page_name FROM status_page_viewers v
    JOIN status_pages p ON p.id = v.status_page_id
    WHERE v.status_page_id = ${pageId} AND lower(v.email) = ${email.trim().toLowerCase()} FOR UPDATE OF v`.execute(
    tx,
  );
  const [viewer] = rows;
  if (!viewer) return null;
  const { open } = await tx
    .selectFrom('status_page_viewer_links')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('viewer_id', '=', viewer.id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(open) >= MAX_LINKS) return null;
  const token = randomToken(24);
  await tx
    .insertInto('status_page_viewer_links')
    .values({
      token_hash: hashToken(token),
      viewer_id: viewer.id,
      created_at: now,
      expires_at: new Date(now.getTime() + RESET_MS),
    })
    .execute();
  return { email: viewer.email, username: viewer.username, pageName: viewer.page_name, token };
}

/** The viewer of a page that the link is for; null if it is nobody's, another page's, or no longer valid. */
export async function viewerOfLink(
  db: Database,
  pageId: string,
  token: string,
  now: Date,
): Promise<string | null> {
  const row = await db
    .selectFrom('status_page_viewer_links as l')
    .innerJoin('status_page_viewers as v', 'v.id', 'l.viewer_id')
    .select('v.id')
    .where('l.token_hash', '=', hashToken(token))
    .where('v.status_page_id', '=', pageId)
    .where('l.expires_at', '>', now)
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Sets the password of the viewer of a link: all their links and sessions end. Null if the link was used or expired meanwhile.
 */
export async function choosePassword(
  work: Work,
  pageId: string,
  given: { token: string; passwordHash: string },
): Promise<string | null> {
  const { tx, now } = work;
  const { rows } = await sql<{ id: string }>`
    SELECT v.id FROM status_page_viewer_links l JOIN status_page_viewers v ON v.id = l.viewer_id
    WHERE l.token_hash = ${hashToken(given.token)} AND l.expires_at > ${now} AND v.status_page_id = ${pageId}
    FOR UPDATE OF v, l`.execute(tx);
  const id = rows[0]?.id;
  if (id === undefined) return null;
  await tx
    .updateTable('status_page_viewers')
    .set({ password_hash: given.passwordHash })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('status_page_viewer_links').where('viewer_id', '=', id).execute();
  await tx.deleteFrom('status_page_viewer_sessions').where('viewer_id', '=', id).execute();
  await announcePage(work, pageId);
  return id;
}

/** Deletes expired links and sessions of viewers. */
export async function forgetOldVisits(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('status_page_viewer_links').where('expires_at', '<', now).execute();
  await db.deleteFrom('status_page_viewer_sessions').where('expires_at', '<', now).execute();
}
