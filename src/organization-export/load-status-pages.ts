// Writes the status pages of an export. What visitors will see is held to the rules of the interface: a link that runs
// script, or a file that is no image, does not come in by a file either.
import { isTimezone } from '../domain/cron.ts';
import { emailAddress } from '../domain/email-address.ts';
import { hrefProblem } from '../domain/header-link.ts';
import { checkedTags } from '../platform/tags.ts';
import type { Work } from '../platform/work.ts';
import { announcePage } from '../status-pages/changed.ts';
import { newDomain } from '../status-pages/domains/add.ts';
import { checkedDomain } from '../status-pages/domains/checked-domain.ts';
import { checkedImage } from '../status-pages/logos/check-image.ts';
import type { DataOf, LineKind } from './format.ts';
import { type Columns, insertRows } from './insert.ts';
import { BrokenLine, within } from './read-lines.ts';
import { refusedAt } from './refused-at.ts';

/** The part of the file that has been loaded already. */
type Loaded = {
  work: Work;
  orgId: string;
  monitorNos: ReadonlyMap<string, number>;
  incidents: Set<string>;
  statusPages: Set<string>;
};
type LinesOf<K extends LineKind> = readonly { number: number; data: DataOf<K> }[];

const STATUS_PAGE: Columns = {
  id: 'text',
  org_id: 'text',
  name: 'text',
  slug: 'text',
  description: 'text',
  headline: 'text',
  enabled: 'boolean',
  access_mode: 'text',
  hide_platform_brand: 'boolean',
  collapsed_groups: 'text[]',
  header_nav: 'jsonb',
  auto_link_incidents: 'boolean',
  timezone: 'text',
  shared_password_hash: 'text',
  unlock_version: 'int',
  created_at: 'timestamptz',
  archived_at: 'timestamptz',
  monitor_tags: 'text[]',
};

const STATUS_PAGE_MONITOR: Columns = {
  status_page_id: 'text',
  monitor_no: 'int',
  display_name: 'text',
  group_label: 'text',
  show_sparkline: 'boolean',
  show_uptime_bars: 'boolean',
  show_uptime_chart: 'boolean',
  sort_order: 'int',
  uptime_window_days: 'smallint',
  by_tag: 'boolean',
};

const VIEWER: Columns = {
  id: 'text',
  status_page_id: 'text',
  username: 'text',
  email: 'text',
  password_hash: 'text',
  created_at: 'timestamptz',
  last_login_at: 'timestamptz',
};

const SUBSCRIBER: Columns = {
  id: 'text',
  status_page_id: 'text',
  email: 'text',
  language: 'text',
  created_at: 'timestamptz',
  confirmed_at: 'timestamptz',
  all_monitors: 'boolean',
  bounces: 'smallint',
};

const PAGE_LINK: Columns = { incident_id: 'text', status_page_id: 'text', linked_at: 'timestamptz' };

/** What pages had before they had it. */
const BEFORE = {
  auto_link_incidents: true,
  timezone: 'UTC',
  shared_password_hash: null,
  unlock_version: 0,
  monitor_tags: [] as string[],
};

export async function loadStatusPages(
  { work, orgId, statusPages }: Loaded,
  lines: LinesOf<'status_page'>,
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    const page = { ...BEFORE, ...data, org_id: orgId };
    page.monitor_tags = refusedAt(number, () => checkedTags(page.monitor_tags));
    for (const { href } of page.header_nav) {
      const problem = hrefProblem(href);
      if (problem !== null) throw new BrokenLine(number, `an href in its header_nav ${problem}.`);
    }
    if (!isTimezone(page.timezone)) throw new BrokenLine(number, 'its timezone is none that is known here.');
    return page;
  });
  await insertRows(work.tx, 'status_pages', STATUS_PAGE, rows);
  for (const { id } of rows) {
    statusPages.add(id);
    await announcePage(work, id);
  }
}

export async function loadPageMonitors(
  { work, monitorNos, statusPages }: Loaded,
  lines: LinesOf<'status_page_monitor'>,
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    within(number, statusPages, data.status_page_id, 'status_page_id');
    within(number, monitorNos, data.monitor_id, 'monitor_id');
    return { ...data, by_tag: data.by_tag ?? false, monitor_no: monitorNos.get(data.monitor_id) };
  });
  await insertRows(work.tx, 'status_page_monitors', STATUS_PAGE_MONITOR, rows);
}

export async function loadPageLogos(
  { work, statusPages }: Loaded,
  lines: LinesOf<'status_page_logo'>,
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    within(number, statusPages, data.status_page_id, 'status_page_id');
    const { status_page_id, ground, uploaded_at } = data;
    const { bytes, mediaType } = refusedAt(number, () => checkedImage(Buffer.from(data.bytes, 'base64')));
    return { status_page_id, ground, uploaded_at: new Date(uploaded_at), bytes, media_type: mediaType };
  });
  await work.tx.insertInto('status_page_logos').values(rows).execute();
}

/** Under a target of its own, like one that is added: nobody takes over a record by a file that names its target. */
export async function loadPageDomains(
  { work, orgId, statusPages }: Loaded,
  lines: LinesOf<'status_page_domain'>,
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    within(number, statusPages, data.status_page_id, 'status_page_id');
    const domain = refusedAt(number, () => checkedDomain(data.domain, ANY_NAMES));
    return { ...data, domain, org_id: orgId, ...newDomain(work.now), created_at: new Date(data.created_at) };
  });
  await work.tx.insertInto('status_page_domains').values(rows).execute();
}

/** Whose names they are is found out when they are verified. */
const ANY_NAMES = { names: [], edgeDomain: null, allowTest: true };

export async function loadPageViewers(
  { work, statusPages }: Loaded,
  lines: LinesOf<'status_page_viewer'>,
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    within(number, statusPages, data.status_page_id, 'status_page_id');
    const email = emailAddress(data.email);
    if (email === null) throw new BrokenLine(number, 'its email must be an e-mail address.');
    return { ...data, email };
  });
  await insertRows(work.tx, 'status_page_viewers', VIEWER, rows);
}

export async function loadPageSubscribers(
  { work, monitorNos, statusPages }: Loaded,
  lines: LinesOf<'status_page_subscriber'>,
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    within(number, statusPages, data.status_page_id, 'status_page_id');
    const email = emailAddress(data.email);
    if (email === null) throw new BrokenLine(number, 'its email must be an e-mail address.');
    return { ...data, email, all_monitors: data.monitor_ids === null };
  });
  const chosen = lines.flatMap(({ number, data }) =>
    (data.monitor_ids ?? []).map((id) => {
      within(number, monitorNos, id, 'monitor_ids');
      return { subscriber_id: data.id, monitor_no: monitorNos.get(id) };
    }),
  );
  await insertRows(work.tx, 'status_page_subscribers', SUBSCRIBER, rows);
  const columns: Columns = { subscriber_id: 'text', monitor_no: 'int' };
  if (chosen.length > 0) await insertRows(work.tx, 'status_page_subscriber_monitors', columns, chosen);
}

export async function loadPageLinks(
  { work, incidents, statusPages }: Loaded,
  lines: LinesOf<'incident_status_page'>,
): Promise<void> {
  for (const { number, data } of lines) {
    within(number, incidents, data.incident_id, 'incident_id');
    within(number, statusPages, data.status_page_id, 'status_page_id');
  }
  const rows = lines.map(({ data }) => data);
  await insertRows(work.tx, 'incident_status_pages', PAGE_LINK, rows);
}
