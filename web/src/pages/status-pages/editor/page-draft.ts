// The draft of a status page, and its request bodies. Pure.
import type { AccessMode } from '#src/domain/names.ts';
import { slugFrom } from '#src/domain/slug.ts';
import type { StatusPage, StatusPageDetail, StatusPageSettings } from '#src/status-pages/contract.ts';
import { changedOf } from '#web/meanwhile/clashes.ts';
import { accessModeOf } from '../page-access.ts';
import { groupsOf, listOf, type ShownMonitor } from './monitor-list.ts';

/** `key`: identifies a link, which has no other identity than its row. */
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
  /** Monitors added by hand. */
  monitors: ShownMonitor[];
  tags: string[];
  /** Monitors that the stored tags add after them. */
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

/** The request body for the settings; deleted groups are removed from the collapsed ones. */
export function settingsBody({ settings, monitors, tagged }: PageDraft): StatusPageSettings {
  const groups = groupsOf([...monitors, ...tagged]);
  return {
    name: settings.name.trim(),
    slug: slugFrom(settings.slug),
    // Null would keep the stored value.
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

/** The request body for the settings that differ from the stored ones, beside those that every request has. */
export function changesOf(draft: PageDraft, stored: PageDraft): StatusPageSettings {
  const all = settingsBody(draft);
  const { name, enabled, public_viewable, access_mode } = all;
  return { name, enabled, public_viewable, access_mode, ...changedOf(settingsBody(stored), all) };
}

export type Problems = {
  name?: 'missing';
  slug?: 'missing';
  /** Rows without a label or a URL, by key. */
  headerNav: ReadonlyMap<number, { label: boolean; href: boolean }>;
  mode?: 'no_password';
};

/** Problems that prevent saving. */
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
