import { notFound } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import type { StatusPageDetail, StatusPageMonitor } from './contract.ts';
import { showPage } from './row.ts';

/** A status page with its settings and monitors; 404 for an archived one. */
export async function getStatusPage(db: Database, pageId: string): Promise<StatusPageDetail> {
  const [row, logos, monitors] = await Promise.all([
    db
      .selectFrom('status_pages')
      .selectAll()
      .where('id', '=', pageId)
      .where('archived_at', 'is', null)
      .executeTakeFirst(),
    db.selectFrom('status_page_logos').select('ground').where('status_page_id', '=', pageId).execute(),
    monitorsOf(db, pageId),
  ]);
  if (!row) return notFound('status page');
  const has = (ground: 'light' | 'dark') => logos.some((logo) => logo.ground === ground);
  return {
    has_logo: has('light'),
    has_logo_dark: has('dark'),
    page: showPage(row),
    monitors,
    tags: row.monitor_tags,
  };
}

/** The monitors of a page in their order on it. */
export async function monitorsOf(db: Database, pageId: string): Promise<StatusPageMonitor[]> {
  const rows = await db
    .selectFrom('status_page_monitors as shown')
    .innerJoin('monitors', 'monitors.no', 'shown.monitor_no')
    .innerJoin('projects', 'projects.id', 'monitors.project_id')
    .select([
      'monitors.id as monitor',
      'monitors.name as monitor_name',
      'projects.name as project',
      'shown.display_name',
      'shown.group_label',
      'shown.show_sparkline',
      'shown.show_uptime_bars',
      'shown.show_uptime_chart',
      'shown.sort_order',
      'shown.uptime_window_days',
      'shown.by_tag',
    ])
    .where('shown.status_page_id', '=', pageId)
    .orderBy('shown.sort_order')
    .orderBy('shown.monitor_no')
    .execute();
  return rows.map(({ monitor_name, ...row }) => ({ ...row, label: row.display_name ?? monitor_name }));
}
