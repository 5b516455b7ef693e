import { recordActivity } from '#src/activity/record.ts';
import type { Work } from '#src/platform/work.ts';
import { announcePage } from '../changed.ts';
import { lockPage } from '../lock.ts';
import { type DomainOptions, findDomain, showDomain } from './row.ts';

/** Removes a custom domain: it no longer shows the page, and others may use it. */
export async function removeDomain(
  work: Work,
  pageId: string,
  domainId: string,
  options: DomainOptions,
): Promise<void> {
  const page = await lockPage(work, pageId);
  const row = await findDomain(work.tx, pageId, domainId);
  await work.tx.deleteFrom('status_page_domains').where('id', '=', domainId).execute();
  await announcePage(work, pageId);
  await recordActivity(work, {
    orgId: page.org_id,
    action: 'status_page.remove_domain',
    resource: { kind: 'status_page', id: pageId, name: page.name },
    before: showDomain(row, options),
  });
}
