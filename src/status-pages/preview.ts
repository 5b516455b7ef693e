import type { BodyOf } from '../platform/contract.ts';
import { notFound } from '../platform/refusals.ts';
import { checkedTags } from '../platform/tags.ts';
import type { Database, Work } from '../platform/work.ts';
import { shownByTag } from './by-tag.ts';
import type { previewStatusPage as contract } from './contract.ts';
import { findPage } from './lock.ts';
import { readLogo } from './public/logos.ts';
import { renderPage } from './public/page.ts';
import { readFigures } from './public/read-figures.ts';
import { readSnapshot } from './public/read-snapshot.ts';
import { readShownMonitors, readShownPage, type ShownMonitor } from './public/shown-page.ts';
import { ownAddress, shownAt } from './public/site.ts';
import { showPage } from './row.ts';
import { numbersOf, shownRows } from './set-monitors.ts';
import { refuseReadOnly, validateSettings } from './update.ts';

export type PreviewOptions = { baseUrl: string; canMail: boolean };

/**
 * The page as visitors would see it with these settings and monitors, from the same renderer; absent settings keep their stored
 * value. Refuses texts, links and monitors that the writes would refuse. Stores nothing.
 */
export async function previewStatusPage(
  work: Work,
  pageId: string,
  { settings, monitors, tags, language = 'en' }: BodyOf<typeof contract>,
  { baseUrl, canMail }: PreviewOptions,
): Promise<{ html: string }> {
  const { now } = work;
  const db = work.tx as Database;
  const row = await findPage(db, pageId);
  refuseReadOnly(showPage(row), settings ?? {});
  const stored = (await readShownPage(db, pageId)) ?? notFound('status page');
  // The access mode does not change the content.
  const current = { name: row.name, enabled: row.enabled, public_viewable: false, access_mode: null };
  const { name, headline, description, header_nav, collapsed_groups, timezone, hide_platform_brand } =
    validateSettings(row, { ...current, ...settings, access_mode: null, password_protected: null });
  const shown =
    monitors === undefined
      ? await readShownMonitors(db, pageId)
      : await listed(work, row.org_id, monitors, checkedTags(tags ?? row.monitor_tags));
  const figures = await readFigures(db, shown, now);
  const page = {
    ...stored,
    ...{ name, headline, description, collapsed_groups, timezone, hide_platform_brand },
    header_nav: header_nav as typeof stored.header_nav,
  };
  const { snapshot } = await readSnapshot(db, { page, monitors: shown, figures, canMail }, now);
  const [logo, logoDark] = [await dataOf(db, pageId, 'light'), await dataOf(db, pageId, 'dark')];
  const html = renderPage(snapshot, shownAt(ownAddress(baseUrl, row.slug), language), {
    ...{ asOf: false, subscribe: canMail },
    preview: { logo, logoDark },
  });
  return { html };
}

async function listed(
  work: Work,
  orgId: string,
  monitors: NonNullable<BodyOf<typeof contract>['monitors']>,
  tags: readonly string[],
): Promise<ShownMonitor[]> {
  const rows = shownRows(monitors, await numbersOf(work, orgId, monitors));
  const named = rows
    .map(({ monitor_no, ...row }) => ({ no: monitor_no, ...row }))
    .sort((a, b) => a.sort_order - b.sort_order || a.no - b.no);
  const nos = named.map(({ no }) => no);
  return [...named, ...(await shownByTag(work.tx, orgId, tags, nos))];
}

/** A logo inside the document, because the preview has no address of its own. */
async function dataOf(db: Database, pageId: string, ground: 'light' | 'dark'): Promise<string | null> {
  const logo = await readLogo(db, pageId, ground);
  return logo && `data:${logo.type};base64,${logo.body.toString('base64')}`;
}
