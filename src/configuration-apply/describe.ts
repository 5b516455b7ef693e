// An organization as the file that declares it: applied to the organization again, it changes nothing.
import { selectProfiles } from '../alarm-policy/profile-row.ts';
import { getStandard } from '../alarm-policy/standard.ts';
import { withoutNulls } from '../domain/without-nulls.ts';
import { membersByAddress } from '../members/by-address.ts';
import { isRegionless } from '../monitors/entitlements.ts';
import { type MonitorRow, selectMonitors } from '../monitors/row.ts';
import { maskConfig } from '../monitors/sealing.ts';
import { rulesOf } from '../monitors/types.ts';
import { isChat } from '../notifications/delivery/send.ts';
import { isPaging } from '../notifications/targets/operator-addresses.ts';
import { readOnCall } from '../on-call/on-call-config.ts';
import { getSettings } from '../on-call/settings.ts';
import type { Database, Tx } from '../platform/work.ts';
import { monitorsOf } from '../status-pages/detail.ts';
import type {
  ConfigurationFile,
  DeclaredMonitor,
  DeclaredOnCall,
  DeclaredPage,
  DeclaredWebhook,
} from './contract.ts';
import { fullName } from './monitor-names.ts';

type Described = { db: Database | Tx; orgId: string; now: Date };
type Named = { name: string; project: string };

/** What a monitor is called in the file, by its id. */
type Names = ReadonlyMap<string, Named>;

export const SECTIONS = [
  'alarm_standard',
  'alert_profiles',
  'projects',
  'webhooks',
  'on_call',
  'status_pages',
] as const;
export type Section = (typeof SECTIONS)[number];

/**
 * The sections of the file; one in which there is nothing is left out. A field with its default is left out where the default is
 * the same for every organization. Secrets are masks; addresses of chats and keys of paging targets are left out.
 */
export async function describeConfiguration(
  described: Described,
  sections: readonly Section[],
): Promise<ConfigurationFile> {
  const { db, orgId, now } = described;
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const projectNames = new Map(projects.map(({ id, name }) => [id, name]));
  const monitors = await selectMonitors(db, now)
    .where('monitors.org_id', '=', orgId)
    .where('monitors.example', '=', false)
    .orderBy('monitors.no')
    .execute();
  const names: Names = new Map(
    monitors.map(({ id, name, project_id }) => [id, { name, project: projectNames.get(project_id) ?? '' }]),
  );
  const profiles = await selectProfiles(db).where('org_id', '=', orgId).orderBy('id').execute();
  const all: { [Key in Section]: () => Promise<ConfigurationFile[Key]> } = {
    alarm_standard: async () => {
      const standard = await getStandard(db, orgId);
      return standard ? { min_regions: standard.min_regions, ...withoutNulls(standard) } : undefined;
    },
    alert_profiles: async () => profiles.map(({ name, policy }) => ({ name, ...withoutNulls(policy) })),
    projects: async () => {
      const profileNames = new Map(profiles.map(({ id, name }) => [id, name]));
      const byProject = Map.groupBy(monitors, ({ project_id }) => project_id);
      return projects.map(({ id, name }) => ({
        name,
        monitors: (byProject.get(id) ?? []).map((row) => describeMonitor(row, names, profileNames)),
      }));
    },
    webhooks: () => describeWebhooks(described, projectNames),
    on_call: () => describeOnCall(described),
    status_pages: () => describePages(described, names),
  };
  const given = await Promise.all(sections.map(async (section) => [section, await all[section]()] as const));
  return Object.fromEntries(given.filter(([, value]) => Object.keys(value ?? {}).length > 0));
}

function describeMonitor(
  row: MonitorRow,
  names: Names,
  profileNames: ReadonlyMap<string, string>,
): DeclaredMonitor {
  const { name, type, enabled, interval_seconds, regions, severity, tags, alarm_gate, depends_on } = row;
  const { alert_profile_id: profileId, ...policy } = row.policy;
  const project = names.get(row.id)?.project ?? '';
  const referred = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const named = names.get(id);
      return named ? [named.project === project ? named.name : fullName(named)] : [];
    });
  const config = maskConfig(rulesOf(type), row.config);
  const set = withoutNulls(policy);
  return {
    ...{ name, type },
    config: type === 'group' ? { ...config, members: referred(config.members as string[]) } : config,
    ...(enabled ? {} : { enabled }),
    interval_seconds,
    ...(isRegionless(type) ? {} : { regions }),
    ...(profileId ? { alert_profile: profileNames.get(profileId) ?? null } : {}),
    ...(Object.keys(set).length > 0 ? { policy: set } : {}),
    ...(alarm_gate ? { alarm_gate } : {}),
    ...(depends_on.length > 0 ? { depends_on: referred(depends_on) } : {}),
    ...(severity === 'critical' ? {} : { severity: severity as 'default' }),
    ...(tags.length > 0 ? { tags } : {}),
  };
}

async function describeWebhooks(
  { db, orgId }: Described,
  projectNames: ReadonlyMap<string, string>,
): Promise<DeclaredWebhook[]> {
  const rows = await db
    .selectFrom('webhook_targets')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute();
  const existing = (ids: readonly string[]) => ids.flatMap((id) => projectNames.get(id) ?? []);
  return rows.map(({ name, kind, url, region, events, active, project_ids, tags, min_severity }) => ({
    ...{ name, kind },
    ...(isChat(kind) || isPaging(kind) ? {} : { url }),
    ...(region === null ? {} : { region: region as 'global' }),
    events,
    ...(active ? {} : { active }),
    // One whose projects are all deleted receives nothing; an empty list would mean every project.
    ...(existing(project_ids).length > 0 ? { projects: existing(project_ids) } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(min_severity === 'degraded' ? {} : { min_severity: min_severity as 'default' }),
  }));
}

async function describeOnCall({ db, orgId, now }: Described): Promise<DeclaredOnCall | undefined> {
  const written = await db
    .selectFrom('on_call_settings')
    .select('org_id')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  const { roster } = await readOnCall(db, orgId, now);
  if (!written && roster.length === 0) return undefined;
  const addresses = new Map([...(await membersByAddress(db, orgId))].map(([address, id]) => [id, address]));
  const settings = await getSettings(db, orgId, now);
  const {
    entitled: _entitled,
    current_duty_user_id: _duty,
    manual_duty_user_id: manual,
    ...fields
  } = settings;
  const duty = manual === null ? undefined : addresses.get(manual);
  return {
    ...(written ? fields : {}),
    ...(duty === undefined ? {} : { manual_duty: duty }),
    // The place of a person who left has no address: a list without it would close the gap.
    ...(roster.every(({ userId }) => userId !== null)
      ? { roster: roster.flatMap(({ userId }) => addresses.get(userId ?? '') ?? []) }
      : {}),
  };
}

async function describePages({ db, orgId }: Described, names: Names): Promise<DeclaredPage[]> {
  const rows = await db
    .selectFrom('status_pages')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute();
  const pages: DeclaredPage[] = [];
  for (const row of rows) {
    const links = row.header_nav as NonNullable<DeclaredPage['header_nav']>;
    const shown = (await monitorsOf(db, row.id)).filter(({ by_tag }) => !by_tag);
    pages.push({
      ...{ name: row.name, slug: row.slug, access_mode: row.access_mode as 'draft' },
      ...(row.enabled ? {} : { enabled: false }),
      ...withoutNulls({ description: row.description, headline: row.headline }),
      ...(links.length > 0 ? { header_nav: links } : {}),
      ...(row.collapsed_groups.length > 0 ? { collapsed_groups: row.collapsed_groups } : {}),
      ...(row.hide_platform_brand ? { hide_platform_brand: true } : {}),
      ...(row.auto_link_incidents ? {} : { auto_link_incidents: false }),
      timezone: row.timezone,
      monitors: shown.map((each, i) => describeShown(each, i, names)),
      ...(row.monitor_tags.length > 0 ? { tags: row.monitor_tags } : {}),
    });
  }
  return pages;
}

function describeShown(
  {
    monitor,
    display_name,
    group_label,
    sort_order,
    uptime_window_days,
    ...shows
  }: Awaited<ReturnType<typeof monitorsOf>>[number],
  position: number,
  names: Names,
): NonNullable<DeclaredPage['monitors']>[number] {
  const named = names.get(monitor);
  const hidden = (['show_sparkline', 'show_uptime_bars', 'show_uptime_chart'] as const).filter(
    (field) => !shows[field],
  );
  return {
    monitor: named ? fullName(named) : monitor,
    ...withoutNulls({ display_name, group_label }),
    ...Object.fromEntries(hidden.map((field) => [field, false])),
    ...(sort_order === position ? {} : { sort_order }),
    ...(uptime_window_days === 90 ? {} : { uptime_window_days: uptime_window_days as 30 }),
  };
}
