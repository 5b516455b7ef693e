// The page and the monitors that a snapshot is read for: as they are stored, or as an editor is about to store them.
import { sql } from 'kysely';
import type { AccessMode } from '#src/domain/names.ts';
import type { Database, Tx } from '#src/platform/work.ts';

/** The settings of a page that affect its visitors. */
export type ShownPage = {
  id: string;
  org_id: string;
  name: string;
  slug: string;
  description: string | null;
  headline: string | null;
  header_nav: { label: string; href: string }[];
  collapsed_groups: string[];
  timezone: string;
  hide_platform_brand: boolean;
  access_mode: AccessMode;
  has_logo: boolean;
  has_logo_dark: boolean;
};

/** A monitor on a page, with its settings there. */
export type ShownMonitor = {
  no: number;
  display_name: string | null;
  group_label: string | null;
  show_sparkline: boolean;
  show_uptime_bars: boolean;
  show_uptime_chart: boolean;
  uptime_window_days: number;
};

/** A page by its id; null if there is none, or if it is archived. */
export async function readShownPage(db: Database | Tx, pageId: string): Promise<ShownPage | null> {
  const { rows } = await sql<ShownPage>`
    SELECT p.id, p.org_id, p.name, p.slug, p.description, p.headline, p.header_nav, p.collapsed_groups, p.timezone,
      p.hide_platform_brand, p.access_mode,
      EXISTS (SELECT FROM status_page_logos l WHERE l.status_page_id = p.id AND l.ground = 'light') AS has_logo,
      EXISTS (SELECT FROM status_page_logos l WHERE l.status_page_id = p.id AND l.ground = 'dark') AS has_logo_dark
    FROM status_pages p WHERE p.id = ${pageId} AND p.archived_at IS NULL`.execute(db);
  return rows[0] ?? null;
}

/** The monitors of a page, in their order. */
export async function readShownMonitors(db: Database | Tx, pageId: string): Promise<ShownMonitor[]> {
  return db
    .selectFrom('status_page_monitors')
    .select(['monitor_no as no', 'display_name', 'group_label', 'show_sparkline', 'show_uptime_bars'])
    .select(['show_uptime_chart', 'uptime_window_days'])
    .where('status_page_id', '=', pageId)
    .orderBy('sort_order')
    .orderBy('monitor_no')
    .execute();
}
