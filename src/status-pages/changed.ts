// Notifies every server that a status page changed, so that it is rendered anew (docs/architecture.md#a-public-page-view). This
// process is notified at the commit, so a person who changes a page and opens it sees the change. Changes of monitors,
// incidents and windows are announced by their live events (../events/publish.ts).
import { sql } from 'kysely';
import { afterCommit, type Work } from '../platform/work.ts';

/** PostgreSQL channel; the payload is the id of a page, or of an organization whose figures changed. Delivered at commit. */
export const PAGES_CHANNEL = 'tocsin_pages';

type Listen = (id: string) => void;
const listeners = new Set<Listen>();

/** Calls `listen` with each id that this process announces; returns a function that ends that. */
export function onPagesChanged(listen: Listen): () => void {
  listeners.add(listen);
  return () => void listeners.delete(listen);
}

/** Call it in every unit of work that changes a page's settings, monitors, logos, passwords, viewers or address. */
export const announcePage = (work: Work, pageId: string): Promise<void> => announce(work, pageId);

/** All pages of an organization that is being deleted with them. */
export async function announcePagesOf(work: Work, orgId: string): Promise<void> {
  const pages = await work.tx.selectFrom('status_pages').select('id').where('org_id', '=', orgId).execute();
  for (const { id } of pages) await announcePage(work, id);
}

/**
 * The published figures or names of an organization's monitors changed: an incident was discarded or restored, a project
 * renamed.
 */
export const announceFigures = (work: Work, orgId: string): Promise<void> => announce(work, orgId);

/** The same for the organizations of these monitors: maintenance was added to their past, or removed from it. */
export async function announceFiguresOf(work: Work, monitorNos: readonly number[]): Promise<void> {
  if (monitorNos.length === 0) return;
  const rows = await work.tx
    .selectFrom('monitors')
    .select('org_id')
    .distinct()
    .where('no', 'in', [...monitorNos])
    .execute();
  for (const { org_id } of rows) await announceFigures(work, org_id);
}

async function announce(work: Work, id: string): Promise<void> {
  await sql`SELECT pg_notify(${PAGES_CHANNEL}, ${id})`.execute(work.tx);
  afterCommit(work, () => {
    for (const listen of listeners) listen(id);
  });
}
