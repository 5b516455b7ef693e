// The shared password of a status page (docs/rules/status-pages.md#access). Only its hash is stored; each change increments
// unlock_version, so that visitors who unlocked the page must unlock it again.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { Work } from '../platform/work.ts';
import { announcePage } from './changed.ts';
import { lockPage } from './lock.ts';
import { showPage } from './row.ts';

/**
 * Sets the shared password; `rotated`: the server generated it, which only the activity log shows. The hash is computed before.
 */
export async function setSharedPassword(
  work: Work,
  pageId: string,
  { hash, rotated }: { hash: string; rotated: boolean },
): Promise<void> {
  await change(work, pageId, rotated ? 'rotate_password' : 'set_password', { shared_password_hash: hash });
}

/** Removes the shared password, if there is one; a page that it protects returns to draft. */
export async function removeSharedPassword(work: Work, pageId: string): Promise<void> {
  const page = await lockPage(work, pageId);
  if (page.shared_password_hash === null) return;
  await change(work, pageId, 'remove_password', {
    shared_password_hash: null,
    ...(page.access_mode === 'shared_password' ? { access_mode: 'draft' } : {}),
  });
}

/** The activity log records the change, and never the password. */
async function change(
  work: Work,
  pageId: string,
  verb: 'set_password' | 'rotate_password' | 'remove_password',
  fields: { shared_password_hash: string | null; access_mode?: string },
): Promise<void> {
  const before = await lockPage(work, pageId);
  const after = await work.tx
    .updateTable('status_pages')
    .set({ ...fields, unlock_version: sql`unlock_version + 1` })
    .where('id', '=', pageId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await announcePage(work, pageId);
  await recordActivity(work, {
    orgId: before.org_id,
    action: `status_page.${verb}`,
    resource: { kind: 'status_page', id: pageId, name: before.name },
    before: showPage(before),
    after: showPage(after),
  });
}
