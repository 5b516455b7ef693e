import { recordActivity } from '#src/activity/record.ts';
import type { Work } from '#src/platform/work.ts';
import { announcePage } from '../changed.ts';
import { lockPage } from '../lock.ts';
import { findViewer } from './list.ts';

/** Deletes a viewer account; its sessions and links go with it. */
export async function deleteViewer(work: Work, pageId: string, viewerId: string): Promise<void> {
  const page = await lockPage(work, pageId);
  const viewer = await findViewer(work.tx, pageId, viewerId);
  await work.tx.deleteFrom('status_page_viewers').where('id', '=', viewerId).execute();
  await announcePage(work, pageId);
  await recordActivity(work, {
    orgId: page.org_id,
    action: 'status_page.delete_viewer',
    resource: { kind: 'status_page', id: pageId, name: page.name },
    before: viewer,
  });
}
