// Status pages, by their slug, or by their name where the file has no slug.
import { isDeepStrictEqual } from 'node:util';
import { slugFrom } from '../domain/slug.ts';
import { visibleName } from '../domain/visible-name.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { BodyOf } from '../platform/contract.ts';
import { validate } from '../platform/http/validate.ts';
import { refuse } from '../platform/refusals.ts';
import { checkedTags } from '../platform/tags.ts';
import { archiveStatusPage } from '../status-pages/archive.ts';
import {
  createStatusPage as createContract,
  setStatusPageMonitors as monitorsContract,
  StatusPageSettings,
} from '../status-pages/contract.ts';
import { createStatusPage } from '../status-pages/create.ts';
import { monitorsOf } from '../status-pages/detail.ts';
import { lockPage, type PageRow } from '../status-pages/lock.ts';
import { numbersOf, setStatusPageMonitors, shownRows } from '../status-pages/set-monitors.ts';
import { updateStatusPage, validateSettings } from '../status-pages/update.ts';
import { type Applying, attempt, changedAmong, leftOver, refuseTwice } from './applying.ts';
import type { DeclaredPage } from './contract.ts';

type Monitors = BodyOf<typeof monitorsContract>['monitors'];
type Known = { id: string; slug: string; name: string };

/** Applies the section `status_pages`. A page that the file creates is a draft unless it says otherwise. */
export async function applyStatusPages(applying: Applying): Promise<void> {
  const { work, orgId, file } = applying;
  if (file.status_pages === undefined) return;
  const pages: Known[] = await work.tx
    .selectFrom('status_pages')
    .select(['id', 'slug', 'name'])
    .where('org_id', '=', orgId)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute();
  const declared = new Set(file.status_pages.flatMap((page) => matching(pages, page).map(({ id }) => id)));
  for (const { id, name } of pages.filter(({ id }) => !declared.has(id)))
    await leftOver(applying, 'status_page', name, () => archiveStatusPage(work, id));
  const seen = new Set<string>();
  const named = Map.groupBy(file.status_pages, ({ name }) => visibleName(name));
  for (const [i, page] of file.status_pages.entries())
    await attempt(applying, { kind: 'status_page', name: page.name, path: `status_pages.${i}` }, async () => {
      const name = checkedName(page.name);
      const [known, other] = matching(pages, page);
      if (other || (!page.slug && (named.get(name)?.length ?? 0) > 1))
        refuse(
          'invalid_request',
          `Several status pages are called ${JSON.stringify(name)}; give each its slug.`,
          { field: 'slug' },
        );
      refuseTwice(seen, known?.id ?? page.slug ?? name, 'status pages');
      if (known) return { changed: await change(applying, known.id, page) };
      validate(createContract.body!, { name, slug: page.slug ?? null });
      const { id } = await createStatusPage(work, orgId, { name, slug: page.slug ?? null });
      await change(applying, id, page);
      return { changed: null };
    });
}

function matching(pages: readonly Known[], { slug, name }: DeclaredPage): Known[] {
  return slug
    ? pages.filter((page) => page.slug === slugFrom(slug))
    : pages.filter((page) => page.name === visibleName(name));
}

/** Brings a page to what the file says of it, and returns the fields that differed. */
async function change(applying: Applying, pageId: string, page: DeclaredPage): Promise<string[]> {
  const { monitors, tags, ...settings } = page;
  const row = await lockPage(applying.work, pageId);
  return [
    ...(await changeSettings(applying, row, settings)),
    ...(monitors === undefined && tags === undefined ? [] : await changeMonitors(applying, row, page)),
  ];
}

async function changeSettings(
  { work }: Applying,
  row: PageRow,
  declared: Omit<DeclaredPage, 'monitors' | 'tags'>,
): Promise<string[]> {
  const settings = {
    ...declared,
    enabled: declared.enabled ?? row.enabled,
    access_mode: declared.access_mode ?? (row.access_mode as NonNullable<StatusPageSettings['access_mode']>),
    // Of an earlier interface: `access_mode` comes first.
    public_viewable: false,
  };
  validate(StatusPageSettings, settings);
  const changed = changedAmong(validateSettings(row, settings), row);
  if (changed.length > 0) await updateStatusPage(work, row.id, settings);
  return changed;
}

async function changeMonitors(
  { work, orgId, monitors: names }: Applying,
  row: PageRow,
  { monitors: declared, tags }: DeclaredPage,
): Promise<string[]> {
  const placed = (await monitorsOf(work.tx, row.id)).filter(({ by_tag }) => !by_tag);
  const before = placed.map(({ label: _label, project: _project, by_tag: _byTag, ...shown }) => shown);
  const given = (declared ?? before).map(({ monitor, ...shown }, i) => ({
    monitor_id: declared ? names.find(monitor, `monitors.${i}.monitor`, null) : monitor,
    ...shown,
  })) as Monitors;
  const body = { monitors: given, ...(tags === undefined ? {} : { tags }) };
  validate(monitorsContract.body!, body);
  const numbers = await numbersOf(work, orgId, given);
  const ids = new Map([...numbers].map(([id, no]) => [no, id]));
  const after = shownRows(given, numbers).map(({ monitor_no, ...shown }) => ({
    monitor: ids.get(monitor_no) ?? '',
    ...shown,
  }));
  const changed = [
    ...(isDeepStrictEqual(sorted(after), sorted(before)) ? [] : ['monitors']),
    ...(tags === undefined || isDeepStrictEqual(checkedTags(tags), row.monitor_tags) ? [] : ['tags']),
  ];
  if (changed.length > 0) await setStatusPageMonitors(work, row.id, body);
  return changed;
}

const sorted = <Shown extends { sort_order: number; monitor: string }>(shown: readonly Shown[]) =>
  [...shown].sort((a, b) => a.sort_order - b.sort_order || (a.monitor < b.monitor ? -1 : 1));
