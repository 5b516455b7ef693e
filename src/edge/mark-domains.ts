// Records which domains the edges serve.
import { sql } from 'kysely';
import type { Work } from '#src/platform/work.ts';
import { announcePage } from '#src/status-pages/changed.ts';

/**
 * Sets `edge_synced` of the verified domains that every edge that answers has (`names`), and clears it of all others. From
 * then on the certificate of a domain is `pending` until it was looked at. Only rows that change are written.
 */
export async function markDomains(work: Work, names: ReadonlySet<string>): Promise<void> {
  const isServed = sql`(d.status = 'verified' AND d.domain = ANY(${[...names]}::text[]))`;
  const { rows } = await sql<{ status_page_id: string }>`
    UPDATE status_page_domains d SET edge_synced = ${isServed},
      cert_status = CASE WHEN ${isServed} THEN coalesce(d.cert_status, 'pending') ELSE d.cert_status END
    WHERE (d.status = 'verified' OR d.edge_synced) AND d.edge_synced <> ${isServed}
    RETURNING d.status_page_id`.execute(work.tx);
  for (const pageId of new Set(rows.map(({ status_page_id }) => status_page_id)))
    await announcePage(work, pageId);
}
