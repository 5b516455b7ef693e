// Browser-safe. Status pages and their settings (docs/rules/status-pages.md). access-contract.ts has their access,
// logo-contract.ts their logos, public/contract.ts the requests of visitors.
import { type Static, Type } from 'typebox';
import { ACCESS_MODES, UPTIME_WINDOW_DAYS } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Id, Int32, LARGE_BODY_LIMIT, Nullable, operation } from '../platform/contract.ts';

export const StatusPageParams = Type.Object({ id: Type.String() });

export const HeaderLink = Type.Object({ label: Type.String(), href: Type.String() });

export const StatusPage = Type.Object({
  id: Type.String(),
  organization_id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  description: Nullable(Type.String()),
  headline: Nullable(Type.String()),
  enabled: Type.Boolean(),
  public_viewable: Type.Boolean(),
  password_protected: Type.Boolean(),
  shared_password_protected: Type.Boolean(),
  shared_password_set: Type.Boolean(),
  hide_platform_brand: Type.Boolean(),
  collapsed_groups: Type.Array(Type.String()),
  header_nav: Type.Array(HeaderLink),
  auto_link_incidents: Type.Boolean({
    description: 'additive: automatic incidents of its monitors are linked when they open',
  }),
  timezone: Type.String({ description: 'additive: IANA zone of the times on the page' }),
});
export type StatusPage = Static<typeof StatusPage>;

/** A page in the list of an organization. */
export const ListedStatusPage = Type.Object({
  ...StatusPage.properties,
  monitor_count: Type.Integer({ description: 'additive: monitors on the page' }),
});
export type ListedStatusPage = Static<typeof ListedStatusPage>;

export const listStatusPages = operation({
  id: 'listStatusPages',
  method: 'GET',
  path: '/organizations/{org_id}/status-pages',
  summary: 'Status pages of an organization',
  tag: 'Status pages',
  right: 'member',
  resource: 'organization',
  scope: 'status-pages:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  status: 200,
  reply: Type.Array(ListedStatusPage),
});

export const createStatusPage = operation({
  id: 'createStatusPage',
  method: 'POST',
  path: '/organizations/{org_id}/status-pages',
  summary: 'Create a status page as a draft',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'organization',
  scope: 'status-pages:write',
  params: OrganizationParams,
  body: Type.Object(
    {
      name: Type.String({ maxLength: 200 }),
      slug: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    },
    closed,
  ),
  status: 201,
  reply: StatusPage,
  refusals: [409],
});

export const archiveStatusPage = operation({
  id: 'archiveStatusPage',
  method: 'DELETE',
  path: '/status-pages/{id}',
  summary: 'Archive a status page: it goes offline at once, and its slug is free again',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: StatusPageParams,
  status: 204,
});

export const StatusPageMonitor = Type.Object({
  monitor: Type.String({ description: 'monitor id' }),
  label: Type.String({ description: 'effective public label' }),
  display_name: Nullable(Type.String({ description: 'null: the name of the monitor' })),
  group_label: Nullable(Type.String({ description: 'null: the name of the project' })),
  project: Type.String(),
  show_sparkline: Type.Boolean(),
  show_uptime_bars: Type.Boolean(),
  show_uptime_chart: Type.Boolean({ description: 'chart of the response time' }),
  sort_order: Type.Integer(),
  uptime_window_days: Type.Integer(),
  by_tag: Type.Boolean({ description: 'additive: shown because it has one of the tags' }),
});
export type StatusPageMonitor = Static<typeof StatusPageMonitor>;

export const StatusPageDetail = Type.Object({
  has_logo: Type.Boolean(),
  has_logo_dark: Type.Boolean(),
  page: StatusPage,
  monitors: Type.Array(StatusPageMonitor),
  tags: Type.Array(Type.String(), {
    description: 'additive: monitors that have one of these are shown as well, behind those that were placed',
  }),
});
export type StatusPageDetail = Static<typeof StatusPageDetail>;

export const getStatusPage = operation({
  id: 'getStatusPage',
  method: 'GET',
  path: '/status-pages/{id}',
  summary: 'A status page with its settings and monitors',
  tag: 'Status pages',
  right: 'member',
  resource: 'status_page',
  scope: 'status-pages:read',
  params: StatusPageParams,
  status: 200,
  reply: StatusPageDetail,
});

const NAV_LINK = Type.Object(
  { label: Type.String({ maxLength: 200 }), href: Type.String({ maxLength: 2048 }) },
  closed,
);

/** Settings of a page that a write may have; the preview takes any of them. */
export const StatusPageSettings = Type.Object(
  {
    name: Type.String({ maxLength: 200 }),
    enabled: Type.Boolean(),
    public_viewable: Type.Boolean(),
    access_mode: Type.Optional(
      Nullable(Type.Enum([...ACCESS_MODES], { description: 'takes precedence over the two legacy flags' })),
    ),
    password_protected: Type.Optional(
      Nullable(Type.Boolean({ description: 'legacy: viewer login, if access_mode is absent' })),
    ),
    description: Type.Optional(Nullable(Type.String({ maxLength: 20_000 }))),
    headline: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    slug: Type.Optional(
      Nullable(Type.String({ maxLength: 200, description: 'normalized; absent or empty keeps the current' })),
    ),
    header_nav: Type.Optional(Nullable(Type.Array(NAV_LINK, { maxItems: 20 }))),
    collapsed_groups: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 }))),
    hide_platform_brand: Type.Optional(Nullable(Type.Boolean())),
    auto_link_incidents: Type.Optional(Nullable(Type.Boolean())),
    timezone: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    // Read-only: accepted with their stored values, so that a client can send back the page it read.
    id: Type.Optional(Type.String()),
    organization_id: Type.Optional(Type.String()),
    shared_password_protected: Type.Optional(Type.Boolean()),
    shared_password_set: Type.Optional(Type.Boolean()),
    monitor_count: Type.Optional(Type.Integer()),
  },
  closed,
);
export type StatusPageSettings = Static<typeof StatusPageSettings>;

export const updateStatusPage = operation({
  id: 'updateStatusPage',
  method: 'PATCH',
  path: '/status-pages/{id}',
  summary: 'Change the settings of a status page',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: StatusPageParams,
  body: StatusPageSettings,
  status: 200,
  reply: StatusPage,
  refusals: [402, 403, 409, 429],
});

export const StatusPageMonitors = Type.Array(
  Type.Object(
    {
      monitor_id: Id,
      display_name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
      group_label: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
      show_sparkline: Type.Optional(Type.Boolean({ default: true })),
      show_uptime_bars: Type.Optional(Type.Boolean({ default: true })),
      show_uptime_chart: Type.Optional(Type.Boolean({ default: true })),
      sort_order: Type.Optional(Int32(-2147483648, 2147483647)),
      uptime_window_days: Type.Optional(Type.Enum([...UPTIME_WINDOW_DAYS], { default: 90 })),
    },
    closed,
  ),
  { maxItems: 200 },
);

/** Absent: unchanged. */
const StatusPageTags = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 });

export const setStatusPageMonitors = operation({
  id: 'setStatusPageMonitors',
  bodyLimit: LARGE_BODY_LIMIT,
  method: 'PUT',
  path: '/status-pages/{id}/monitors',
  summary: 'Set the monitors that a status page shows; replaces the list',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: StatusPageParams,
  body: Type.Object({ monitors: StatusPageMonitors, tags: Type.Optional(StatusPageTags) }, closed),
  status: 200,
  reply: StatusPageDetail,
});

export const previewStatusPage = operation({
  id: 'previewStatusPage',
  bodyLimit: LARGE_BODY_LIMIT,
  method: 'POST',
  path: '/status-pages/{id}/preview',
  summary: 'The page as visitors would see it with these settings, as HTML; nothing is stored',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:read',
  params: StatusPageParams,
  body: Type.Object(
    {
      settings: Type.Optional(Type.Partial(StatusPageSettings)),
      monitors: Type.Optional(StatusPageMonitors),
      tags: Type.Optional(StatusPageTags),
      language: Type.Optional(Type.Enum(['en', 'de'])),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ html: Type.String() }),
});
