import { sql } from 'kysely';
import type { WallCaller } from '../platform/http/caller.ts';
import { hashToken } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import { wallTokenOf } from './token.ts';

/** `last_seen_at` is exact to this: a screen costs one write a minute, not one per request. */
const SEEN_NOTED_EVERY_SECONDS = 60;

/**
 * The link that a Bearer token belongs to at `now`; null if the token is malformed, unknown or revoked. Never cached, so that a
 * revoked token is void at once on every server.
 */
export async function identifyWall(
  db: Database,
  authorization: string | undefined,
  now: Date,
): Promise<WallCaller | null> {
  const token = wallTokenOf(authorization);
  if (token === null) return null;
  const row = await db
    .selectFrom('wall_links')
    .select(['id', 'org_id', 'name', 'last_seen_at'])
    .where('hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!row) return null;
  const seenAgoMs = row.last_seen_at === null ? null : now.getTime() - row.last_seen_at.getTime();
  if (seenAgoMs === null || seenAgoMs >= SEEN_NOTED_EVERY_SECONDS * 1000) await noteSeen(db, row.id, now);
  return { kind: 'wall', linkId: row.id, name: row.name, orgId: row.org_id };
}

/** Of many requests in a minute one writes; the others find the row locked or up to date. */
async function noteSeen(db: Database, id: string, now: Date): Promise<void> {
  await sql`
    UPDATE wall_links SET last_seen_at = ${now}
    WHERE id = (
      SELECT id FROM wall_links
      WHERE id = ${id} AND (last_seen_at IS NULL OR last_seen_at <= ${now}::timestamptz - make_interval(secs => ${SEEN_NOTED_EVERY_SECONDS}))
      FOR UPDATE SKIP LOCKED
    )`.execute(db);
}
