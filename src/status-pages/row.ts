// A status page as it is stored, and as the API shows it.
import type { Selectable } from 'kysely';
import type { DB } from '../platform/db/tables.ts';
import type { StatusPage } from './contract.ts';

/** Exactly one access flag is true, or none for a draft (docs/rules/status-pages.md#access). */
export function showPage(row: Selectable<DB['status_pages']>): StatusPage {
  return {
    id: row.id,
    organization_id: row.org_id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    headline: row.headline,
    enabled: row.enabled,
    public_viewable: row.access_mode === 'public',
    password_protected: row.access_mode === 'viewer_login',
    shared_password_protected: row.access_mode === 'shared_password',
    shared_password_set: row.shared_password_hash !== null,
    hide_platform_brand: row.hide_platform_brand,
    collapsed_groups: row.collapsed_groups,
    header_nav: row.header_nav as StatusPage['header_nav'],
    auto_link_incidents: row.auto_link_incidents,
    timezone: row.timezone,
  };
}
