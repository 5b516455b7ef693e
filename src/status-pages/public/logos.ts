import type { Database } from '#src/platform/work.ts';
import { type Document, makeDocument } from './documents.ts';

/** The logo of a page for light or dark backgrounds; null if there is none. */
export async function readLogo(
  db: Database,
  pageId: string,
  ground: 'light' | 'dark',
): Promise<Document | null> {
  const row = await db
    .selectFrom('status_page_logos')
    .select(['media_type', 'bytes'])
    .where('status_page_id', '=', pageId)
    .where('ground', '=', ground)
    .executeTakeFirst();
  return row ? makeDocument(row.media_type, row.bytes) : null;
}

/** Whatever the file contains, nothing in it runs, not even if somebody opens it by its address. */
export const LOGO_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'content-disposition': 'inline',
};
