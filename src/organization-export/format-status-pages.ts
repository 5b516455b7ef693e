// The kinds of lines about status pages.
import { Type } from 'typebox';
import { ACCESS_MODES, PAGE_LANGUAGES, UPTIME_WINDOW_DAYS } from '../domain/names.ts';
import { Count, Instant, id, Name, Names, nullable, object, oneOf, Slug, Text } from './format-fields.ts';

/** As src/accounts/password-hashing.ts makes it: an import must not bring one that checking a password fails on. */
const PasswordHash = Type.String({ pattern: '^[0-9a-f]{32}:[0-9a-f]{128}$' });
const Label = nullable(Type.String({ minLength: 1, maxLength: 200 }));

export const KINDS_OF_STATUS_PAGES = {
  status_page: object({
    id: id('stp'),
    name: Name,
    slug: Slug,
    description: nullable(Text),
    headline: nullable(Text),
    enabled: Type.Boolean(),
    access_mode: oneOf(ACCESS_MODES),
    hide_platform_brand: Type.Boolean(),
    collapsed_groups: Names,
    header_nav: Type.Array(object({ label: Text, href: Text }), { maxItems: 1000 }),
    created_at: Instant,
    archived_at: nullable(Instant),
    /** Not in exports of before they were there. */
    auto_link_incidents: Type.Optional(Type.Boolean()),
    timezone: Type.Optional(Text),
    shared_password_hash: Type.Optional(nullable(PasswordHash)),
    unlock_version: Type.Optional(Count),
    monitor_tags: Type.Optional(Type.Array(Text, { maxItems: 20 })),
  }),
  status_page_monitor: object({
    status_page_id: id('stp'),
    monitor_id: id('mon'),
    display_name: Label,
    group_label: Label,
    show_sparkline: Type.Boolean(),
    show_uptime_bars: Type.Boolean(),
    show_uptime_chart: Type.Boolean(),
    sort_order: Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }),
    uptime_window_days: Type.Enum([...UPTIME_WINDOW_DAYS]),
    by_tag: Type.Optional(Type.Boolean()),
  }),
  status_page_logo: object({
    status_page_id: id('stp'),
    ground: oneOf(['light', 'dark']),
    media_type: Text,
    /** Base64. */
    bytes: Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$', maxLength: 1_000_000 }),
    uploaded_at: Instant,
  }),
  status_page_viewer: object({
    id: id('spv'),
    status_page_id: id('stp'),
    username: Type.String({ minLength: 1, maxLength: 200 }),
    email: Text,
    password_hash: nullable(PasswordHash),
    created_at: Instant,
    last_login_at: nullable(Instant),
  }),
  /** To be verified anew: its record points at the installation that it comes from. */
  status_page_domain: object({
    id: id('spd'),
    status_page_id: id('stp'),
    domain: Type.String({ minLength: 1, maxLength: 253 }),
    created_at: Instant,
  }),
  status_page_subscriber: object({
    id: id('sub'),
    status_page_id: id('stp'),
    email: Text,
    language: oneOf(PAGE_LANGUAGES),
    created_at: Instant,
    confirmed_at: nullable(Instant),
    bounces: Type.Integer({ minimum: 0, maximum: 100 }),
    /** null: everything on the page. */
    monitor_ids: nullable(Type.Array(id('mon'), { maxItems: 1000 })),
  }),
  incident_status_page: object({
    incident_id: id('inc'),
    status_page_id: id('stp'),
    linked_at: Instant,
  }),
} as const;
