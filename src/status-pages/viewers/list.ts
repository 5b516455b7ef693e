import { notFound } from '#src/platform/refusals.ts';
import { unix, unixOrNull } from '#src/platform/unix.ts';
import type { Database } from '#src/platform/work.ts';
import type { Viewer } from '../access-contract.ts';

/** Viewer accounts of a page, oldest first. */
export async function listViewers(db: Database, pageId: string): Promise<Viewer[]> {
  const rows = await viewersOf(db, pageId).orderBy('created_at').orderBy('id').execute();
  return rows.map(showViewer);
}

/** One viewer of a page; 404 if the page has none with this id. */
export async function findViewer(db: Database, pageId: string, viewerId: string): Promise<Viewer> {
  const row = await viewersOf(db, pageId).where('id', '=', viewerId).executeTakeFirst();
  return row ? showViewer(row) : notFound('viewer');
}

const viewersOf = (db: Database, pageId: string) =>
  db
    .selectFrom('status_page_viewers')
    .select(['id', 'username', 'email', 'created_at', 'last_login_at'])
    .where('status_page_id', '=', pageId);

export function showViewer(row: {
  id: string;
  username: string;
  email: string;
  created_at: Date;
  last_login_at: Date | null;
}): Viewer {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    created_at_unix: unix(row.created_at),
    last_login_at_unix: unixOrNull(row.last_login_at),
  };
}
