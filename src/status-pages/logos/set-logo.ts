import { recordActivity } from '#src/activity/record.ts';
import type { Work } from '#src/platform/work.ts';
import { announcePage } from '../changed.ts';
import { lockPage, type PageRow } from '../lock.ts';
import type { LogoImage } from './check-image.ts';

/** The background that a logo is made for. */
export type Ground = 'light' | 'dark';

/** Sets a logo, or replaces it. */
export async function setLogo(work: Work, pageId: string, ground: Ground, image: LogoImage): Promise<void> {
  const page = await lockPage(work, pageId);
  const { bytes, mediaType: media_type } = image;
  const logo = { media_type, bytes, uploaded_at: work.now };
  await work.tx
    .insertInto('status_page_logos')
    .values({ status_page_id: pageId, ground, ...logo })
    .onConflict((conflict) => conflict.columns(['status_page_id', 'ground']).doUpdateSet(logo))
    .execute();
  await record(work, page, 'set_logo', { ground, media_type, size_bytes: bytes.length });
}

/** Removes a logo, if there is one. */
export async function removeLogo(work: Work, pageId: string, ground: Ground): Promise<void> {
  const page = await lockPage(work, pageId);
  const removed = await work.tx
    .deleteFrom('status_page_logos')
    .where('status_page_id', '=', pageId)
    .where('ground', '=', ground)
    .returning('media_type')
    .executeTakeFirst();
  if (removed) await record(work, page, 'remove_logo', { ground, ...removed });
}

async function record(
  work: Work,
  page: PageRow,
  verb: 'set_logo' | 'remove_logo',
  logo: object,
): Promise<void> {
  await announcePage(work, page.id);
  await recordActivity(work, {
    orgId: page.org_id,
    action: `status_page.${verb}`,
    resource: { kind: 'status_page', id: page.id, name: page.name },
    ...(verb === 'set_logo' ? { after: logo } : { before: logo }),
  });
}
