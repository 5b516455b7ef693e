// Browser-safe. The wall display of an organization, and the links that open it (docs/rules/overview.md#wall-display).
import { type Static, Type } from 'typebox';
import { TILE_STATES } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { Acknowledger, Counts } from '../overview/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

/** The most links of an organization. */
export const MAX_WALL_LINKS = 20;
/** Names are shown for up to this many monitors; no screen has room for more. */
export const MAX_NAMED_TILES = 200;
/** The most failing monitors that are named. */
export const MAX_WRONG = 12;

const ofLinks = { tag: 'Overview', right: 'project_management', resource: 'organization' } as const;

export const WallLink = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at_unix: UnixSeconds(),
  created_by_name: Nullable(Type.String({ description: 'null once the account is deleted' })),
  last_seen_at_unix: Nullable(
    UnixSeconds({ description: 'when a screen last asked with it, exact to a minute' }),
  ),
});
export type WallLink = Static<typeof WallLink>;

export const listWallLinks = operation({
  ...ofLinks,
  id: 'listWallLinks',
  method: 'GET',
  path: '/organizations/{org_id}/wall-links',
  summary: 'Links to the wall display, newest first',
  params: OrganizationParams,
  status: 200,
  reply: Type.Array(WallLink),
});

export const createWallLink = operation({
  ...ofLinks,
  id: 'createWallLink',
  method: 'POST',
  path: '/organizations/{org_id}/wall-links',
  summary: 'Make a link to the wall display, shown this once',
  params: OrganizationParams,
  body: Type.Object({ name: Type.String({ maxLength: 200 }) }, closed),
  status: 201,
  refusals: [409],
  reply: Type.Object({
    ...WallLink.properties,
    url: Type.String({ description: 'anybody who has it sees the wall; the token is after the #' }),
  }),
});

export const revokeWallLink = operation({
  ...ofLinks,
  id: 'revokeWallLink',
  method: 'DELETE',
  path: '/organizations/{org_id}/wall-links/{link_id}',
  summary: 'Revoke a link: screens that show it stop within seconds',
  params: Type.Object({ org_id: Type.String(), link_id: Type.String() }),
  status: 204,
});

const Person = Nullable(Type.String({ description: 'a name; null: nobody' }));

export const Wall = Type.Object({
  organization_name: Type.String(),
  link_name: Type.String(),
  counts: Counts,
  tiles: Type.Array(
    Type.Object({
      name: Nullable(Type.String({ description: `null where there are more than ${MAX_NAMED_TILES}` })),
      state: Type.Enum([...TILE_STATES]),
    }),
    { description: 'every monitor, by project and name' },
  ),
  wrong: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.Enum([...TILE_STATES]),
      since_unix: Nullable(UnixSeconds()),
    }),
    { description: `monitors of which something is wrong that nobody planned; the first ${MAX_WRONG}` },
  ),
  declared: Type.Array(
    Type.Object({ cause: Type.String(), started_at_unix: UnixSeconds(), acknowledged_by: Person }),
    {
      description: 'open incidents of no monitor, which people declared',
    },
  ),
  open: Type.Object({
    total: Type.Integer(),
    since_unix: Nullable(UnixSeconds()),
    since_same_minute: Type.Boolean(),
    unacknowledged: Type.Integer(),
    acknowledged_by: Type.Array(Acknowledger),
  }),
  on_call: Type.Object({
    enabled: Type.Boolean(),
    now: Person,
    until_unix: Nullable(UnixSeconds()),
    next: Person,
  }),
  maintenance: Type.Object({
    now: Type.Array(Type.Object({ title: Type.String(), ends_at_unix: UnixSeconds() })),
    next: Nullable(Type.Object({ title: Type.String(), starts_at_unix: UnixSeconds() })),
  }),
  holds: Type.Array(Type.Object({ name: Type.String(), by_name: Type.String(), until_unix: UnixSeconds() })),
  recent: Type.Array(
    Type.Object({ name: Type.String(), started_at_unix: UnixSeconds(), resolved_at_unix: UnixSeconds() }),
  ),
  nobody_notified: Type.Boolean({ description: 'an outage would notify nobody' }),
  uptime: Nullable(Type.Object({ period: Type.String(), pct: Nullable(Type.Number()) })),
});
export type Wall = Static<typeof Wall>;

export const readWall = operation({
  id: 'readWall',
  method: 'GET',
  path: '/wall',
  summary:
    'What the wall display shows, for the bearer of a link’s token; 304 with its ETag in If-None-Match while nothing changed',
  tag: 'Overview',
  right: 'wall',
  resource: 'none',
  status: 200,
  reply: Wall,
});
