import type { Selectable } from 'kysely';
import type { DB } from '../platform/db/tables.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database, Work } from '../platform/work.ts';

export type PageRow = Selectable<DB['status_pages']>;

/** The page; 404 for an archived one. */
export async function findPage(db: Database, pageId: string): Promise<PageRow> {
  return (await notArchived(db, pageId).executeTakeFirst()) ?? notFound('status page');
}

/** The page, locked until the end of the unit of work; 404 if it was archived meanwhile. */
export async function lockPage({ tx }: Work, pageId: string): Promise<PageRow> {
  return (await notArchived(tx, pageId).forNoKeyUpdate().executeTakeFirst()) ?? notFound('status page');
}

const notArchived = (db: Database, pageId: string) =>
  db.selectFrom('status_pages').selectAll().where('id', '=', pageId).where('archived_at', 'is', null);
