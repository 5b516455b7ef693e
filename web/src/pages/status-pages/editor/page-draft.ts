// What the editor of a status page holds before it is saved, and what of it is sent. Pure.
import type { AccessMode } from '#src/domain/names.ts';
import { slugFrom } from '#src/domain/slug.ts';
import type { StatusPage, StatusPageDetail, StatusPageSettings } from '#src/status-pages/contract.ts';
import { accessModeOf } from '../page-access.ts';
import { groupsOf, listOf, type ShownMonitor } from './monitor-list.ts';

/** `key`: links have no identity but the line that they were written in. */
export type HeaderLine = { key: number; label: string; href: string };

export type Settings = {
  name: string;
  slug: string;
  headline: string;
  description: string;
  timezone: string;
  headerNav: HeaderLine[];
  collapsed: string[];
  hidesBrand: boolean;
  autoLinks: boolean;
  mode: AccessMode;
  enabled: boolean;
};

export type PageDraft = {
  settings: Settings;
  /** Those that somebody placed. */
  monitors: ShownMonitor[];
  tags: string[];
  /** Those that the stored tags put behind them. */
  tagged: ShownMonitor[];
};

export const settingsOf = (page: StatusPage): Settings => ({
  name: page.name,
  slug: page.slug,
  headline: page.headline ?? '',
  description: page.description ?? '',
  timezone: page.timezone,
  headerNav: page.header_nav.map((link, key) => ({ key, ...link })),
  collapsed: page.collapsed_groups,
  hidesBrand: page.hide_platform_brand,
  autoLinks: page.auto_link_incidents,
  mode: accessModeOf(page),
  enabled: page.enabled,
});

export const draftOf = (detail: StatusPageDetail): PageDraft => ({
  settings: settingsOf(detail.page),
  monitors: listOf(detail.monitors.filter((monitor) => !monitor.by_tag)),
  tags: detail.tags,
  tagged: listOf(detail.monitors.filter((monitor) => monitor.by_tag)),
});

/** The body that changes the settings; groups that are no longer there are not kept collapsed. */
export function settingsBody({ settings, monitors, tagged }: PageDraft): StatusPageSettings {
  const groups = groupsOf([...monitors, ...tagged]);
  return {
    name: settings.name.trim(),
    slug: slugFrom(settings.slug),
    // Null would keep what is stored.
    headline: settings.headline.trim(),
    description: settings.description.trim(),
    timezone: settings.timezone,
    header_nav: settings.headerNav.map(({ label, href }) => ({ label: label.trim(), href: href.trim() })),
    collapsed_groups: settings.collapsed.filter((group) => groups.includes(group)),
    hide_platform_brand: settings.hidesBrand,
    auto_link_incidents: settings.autoLinks,
    access_mode: settings.mode,
    enabled: settings.enabled,
    public_viewable: settings.mode === 'public',
  };
}

export type Problems = {
  name?: 'missing';
  slug?: 'missing';
  /** Lines that lack a label or an address, by their key. */
  headerNav: ReadonlyMap<number, { label: boolean; href: boolean }>;
  mode?: 'no_password';
};

/** What must be mended before it can be sent. */
export function problemsOf({ settings }: PageDraft, isPasswordSet: boolean): Problems {
  const lines = settings.headerNav.map(
    ({ key, label, href }) => [key, { label: label.trim() === '', href: href.trim() === '' }] as const,
  );
  return {
    ...(settings.name.trim() === '' ? { name: 'missing' as const } : {}),
    ...(slugFrom(settings.slug) === '' ? { slug: 'missing' as const } : {}),
    headerNav: new Map(lines.filter(([, line]) => line.label || line.href)),
    ...(settings.mode === 'shared_password' && !isPasswordSet ? { mode: 'no_password' as const } : {}),
  };
}
