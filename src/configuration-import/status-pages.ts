// Status pages, as drafts: nobody sees one before somebody has looked at it and opened it.

import type { DataOf } from '../organization-export/format.ts';
import { checkedName } from '../platform/checked-name.ts';
import { validate } from '../platform/http/validate.ts';
import { Refusal } from '../platform/refusals.ts';
import { checkedTags } from '../platform/tags.ts';
import {
  createStatusPage as createContract,
  setStatusPageMonitors as monitorsContract,
  StatusPageSettings,
} from '../status-pages/contract.ts';
import { createStatusPage } from '../status-pages/create.ts';
import type { PageRow } from '../status-pages/lock.ts';
import { setStatusPageMonitors, shownRows } from '../status-pages/set-monitors.ts';
import { updateStatusPage, validateSettings } from '../status-pages/update.ts';
import { attempt, type Importing, type Note } from './importing.ts';

type Line = DataOf<'status_page'>;

/** The slug is unique in an installation: another page may have it. */
const SLUGS_TRIED = 20;

export async function importStatusPages(importing: Importing): Promise<void> {
  const { work, orgId, given } = importing;
  const rows = await work.tx
    .selectFrom('status_pages')
    .select('name')
    .where('org_id', '=', orgId)
    .where('archived_at', 'is', null)
    .execute();
  // Read before the import, so that two of the file with the same name are both imported.
  const existing = new Set(rows.map(({ name }) => name));
  for (const line of given.status_page) {
    if (line.archived_at !== null) continue;
    await attempt(importing, 'status_page', line.name, async () => {
      const name = checkedName(line.name);
      if (existing.has(name)) return { exists: true };
      const notes: Note[] = [];
      const settings = admittedSettings(name, line);
      const shown = admittedMonitors(importing, line, notes);
      validate(createContract.body!, { name, slug: line.slug });
      const page = await withFreeSlug(line.slug, (slug) => createStatusPage(work, orgId, { name, slug }));
      if (page.slug !== line.slug) notes.push('slug_changed');
      await updateStatusPage(work, page.id, settings);
      await setStatusPageMonitors(work, page.id, shown);
      return { notes };
    });
  }
}

/** The settings of a page before its first write. */
const NEW_PAGE = {
  ...{ access_mode: 'draft', shared_password_hash: null, description: null, headline: null, header_nav: [] },
  ...{
    collapsed_groups: [],
    hide_platform_brand: false,
    auto_link_incidents: true,
    timezone: 'UTC',
    slug: '',
  },
} as unknown as PageRow;

/** Without the plan's capabilities: hiding the brand is turned on by hand, like access. */
function admittedSettings(name: string, line: Line): StatusPageSettings {
  const settings: StatusPageSettings = {
    name,
    enabled: line.enabled,
    public_viewable: false,
    access_mode: 'draft',
    description: line.description,
    headline: line.headline,
    header_nav: line.header_nav,
    collapsed_groups: line.collapsed_groups,
    auto_link_incidents: line.auto_link_incidents ?? true,
    timezone: line.timezone ?? 'UTC',
  };
  validate(StatusPageSettings, settings);
  validateSettings(NEW_PAGE, settings);
  return settings;
}

function admittedMonitors({ given, monitors }: Importing, line: Line, notes: Note[]) {
  const placed = given.status_page_monitor.filter((row) => row.status_page_id === line.id && !row.by_tag);
  const byId = new Map<string, (typeof placed)[number]>();
  for (const row of placed) {
    const id = monitors.get(row.monitor_id);
    if (id !== undefined && !byId.has(id)) byId.set(id, row);
  }
  if (byId.size < placed.length) notes.push('monitors_left_out');
  const shown = {
    monitors: [...byId].map(([monitor_id, row]) => ({
      monitor_id,
      display_name: row.display_name,
      group_label: row.group_label,
      show_sparkline: row.show_sparkline,
      show_uptime_bars: row.show_uptime_bars,
      show_uptime_chart: row.show_uptime_chart,
      sort_order: row.sort_order,
      uptime_window_days: row.uptime_window_days as 90,
    })),
    tags: checkedTags(line.monitor_tags ?? []),
  };
  validate(monitorsContract.body!, shown);
  shownRows(shown.monitors, new Map(shown.monitors.map(({ monitor_id }, i) => [monitor_id, i])));
  return shown;
}

async function withFreeSlug<T>(slug: string, create: (slug: string) => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await create(n === 1 ? slug : `${slug.slice(0, 60)}-${n}`);
    } catch (error) {
      const isInUse = error instanceof Refusal && ['slug_taken', 'slug_reserved'].includes(error.code);
      if (!isInUse || n >= SLUGS_TRIED) throw error;
    }
  }
}
