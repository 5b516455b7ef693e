// Browser-safe. Probe regions (docs/rules/regions-and-probes.md#regions).
import { type Static, Type } from 'typebox';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

export const Region = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  online: Type.Boolean({
    description: 'one of its probes was heard from within 30 s and delivers results of what it was given',
  }),
  internal: Type.Boolean({ description: 'not usable for monitors of customers' }),
});
export type Region = Static<typeof Region>;

export const listRegions = operation({
  id: 'listRegions',
  method: 'GET',
  path: '/regions',
  summary: 'Regions that monitors can be checked from',
  tag: 'Regions',
  right: 'signed_in',
  resource: 'none',
  scope: 'monitors:read',
  status: 200,
  reply: Type.Array(Region),
});

/** A process that checks from a region. */
export const Probe = Type.Object({
  probe_id: Type.String(),
  online: Type.Boolean({ description: 'its last request is younger than 30 s' }),
  admission: Type.Enum(['admitted', 'waiting', 'refused'], {
    description: 'only an admitted probe is given monitors; one that waits is admitted by the operator',
  }),
  stalled: Type.Boolean({
    description:
      'it asks for monitors and has delivered no result of them for four of their shortest interval, at least 60 s: the others check its share too',
  }),
  set_aside_at_unix: Nullable(
    UnixSeconds({
      description: 'when it last reported that it has set aside a check which froze it; null: never',
    }),
  ),
  busy_at_unix: Nullable(
    UnixSeconds({
      description:
        'additive: when it last said that it was too busy for a check: it had no room for it, or was itself too late to judge it; null: never',
    }),
  ),
  first_seen_at_unix: UnixSeconds(),
  last_seen_at_unix: UnixSeconds(),
  monitors: Nullable(
    Type.Integer({ description: 'its share of the region’s monitors; null while it has none' }),
  ),
});
export type Probe = Static<typeof Probe>;

export const ProbeToken = Type.Object({
  id: Type.String(),
  created_at_unix: UnixSeconds(),
  last_used_at_unix: Nullable(UnixSeconds()),
  hint: Type.String({ description: 'its last four characters' }),
  max_probes: Nullable(
    Type.Integer({
      description: 'how many probes it admits automatically, the first ones; null: any number',
    }),
  ),
  bundled: Type.Boolean({
    description: 'of the probe that the server starts itself: revoked, it is followed by another',
  }),
});
export type ProbeToken = Static<typeof ProbeToken>;

export const ProbeTokenCreate = Type.Object(
  {
    max_probes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 3,
        description: 'how many probes it admits automatically; further ones wait for the operator',
      }),
    ),
  },
  closed,
);

/** A region as the operator sees it. */
export const AdministeredRegion = Type.Object({
  ...Region.properties,
  allow_private_targets: Type.Boolean(),
  private_targets_by: Type.Enum(['default', 'operator', 'environment'], {
    description: 'additive: who decided allow_private_targets',
  }),
  keep_private_responses: Type.Boolean({
    description:
      'additive: whether what failing private targets answered is kept; where nobody decided, only in the bundled region while there is one organization',
  }),
  private_responses_by: Type.Enum(['default', 'operator'], {
    description: 'additive: who decided keep_private_responses',
  }),
  canaries: Type.Array(Type.String(), {
    description:
      'host:port, tried when a check gets no answer: if all are silent it was the probe’s own network',
  }),
  monitor_count: Type.Integer(),
  probes: Type.Array(Probe),
  probe_tokens: Type.Array(ProbeToken),
});
export type AdministeredRegion = Static<typeof AdministeredRegion>;

// Judged by domain/target, like any other host.
const Canaries = Type.Array(Type.String({ maxLength: 300 }), { maxItems: 10 });

export const RegionCreate = Type.Object(
  {
    slug: Type.String({
      maxLength: 200,
      description: 'lower-case letters, digits, single hyphens; at most 63',
    }),
    name: Type.String({ maxLength: 200 }),
    internal: Type.Optional(Nullable(Type.Boolean())),
    allow_private_targets: Type.Optional(Nullable(Type.Boolean())),
    keep_private_responses: Type.Optional(Nullable(Type.Boolean())),
    canaries: Type.Optional(Nullable(Canaries)),
  },
  closed,
);
export type RegionCreate = Static<typeof RegionCreate>;

export const RegionUpdate = Type.Object(
  {
    name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    internal: Type.Optional(Nullable(Type.Boolean())),
    allow_private_targets: Type.Optional(Nullable(Type.Boolean())),
    keep_private_responses: Type.Optional(Nullable(Type.Boolean())),
    canaries: Type.Optional(Nullable(Canaries)),
    // Read-only: accepted, so that what was read can be sent back.
    slug: Type.Optional(Type.Unknown()),
    private_targets_by: Type.Optional(Type.Unknown()),
    private_responses_by: Type.Optional(Type.Unknown()),
    online: Type.Optional(Type.Unknown()),
    monitor_count: Type.Optional(Type.Unknown()),
    probes: Type.Optional(Type.Unknown()),
    probe_tokens: Type.Optional(Type.Unknown()),
  },
  closed,
);
export type RegionUpdate = Static<typeof RegionUpdate>;

const RegionParams = Type.Object({ region_slug: Type.String({ maxLength: 200 }) });
const ProbeParams = Type.Object({
  ...RegionParams.properties,
  probe_id: Type.String({ maxLength: 200 }),
});
const operated = { tag: 'Operator', right: 'operator', resource: 'none' } as const;

export const listAdministeredRegions = operation({
  ...operated,
  id: 'listAdministeredRegions',
  method: 'GET',
  path: '/admin/regions',
  summary: 'Regions of the installation with their probes and probe tokens',
  status: 200,
  reply: Type.Array(AdministeredRegion),
});

export const createRegion = operation({
  ...operated,
  id: 'createRegion',
  fresh: true,
  method: 'POST',
  path: '/admin/regions',
  summary: 'Create a region; slug_taken (409) when there is one of that slug',
  body: RegionCreate,
  status: 201,
  reply: AdministeredRegion,
  refusals: [409],
});

export const updateRegion = operation({
  ...operated,
  id: 'updateRegion',
  fresh: true,
  method: 'PATCH',
  path: '/admin/regions/{region_slug}',
  summary: 'Change a region; internal ones are not offered for new monitors',
  refusals: [404],
  params: RegionParams,
  body: RegionUpdate,
  status: 200,
  reply: AdministeredRegion,
});

export const createProbeToken = operation({
  ...operated,
  id: 'createProbeToken',
  fresh: true,
  method: 'POST',
  path: '/admin/regions/{region_slug}/probe-tokens',
  summary: 'Make a token for the probes of a region; it is shown once',
  refusals: [404],
  params: RegionParams,
  body: Type.Optional(ProbeTokenCreate),
  status: 201,
  reply: Type.Object({
    token: Type.String(),
    id: Type.String(),
    command: Type.String({ description: 'starts a probe with it' }),
  }),
});

export const revokeProbeToken = operation({
  ...operated,
  id: 'revokeProbeToken',
  fresh: true,
  method: 'DELETE',
  path: '/admin/regions/{region_slug}/probe-tokens/{token_id}',
  summary: 'Revoke a probe token: its probes are refused from their next request on',
  refusals: [404],
  params: Type.Object({ ...RegionParams.properties, token_id: Type.String({ maxLength: 200 }) }),
  status: 204,
});

export const updateProbe = operation({
  ...operated,
  id: 'updateProbe',
  fresh: true,
  method: 'PATCH',
  path: '/admin/regions/{region_slug}/probes/{probe_id}',
  summary: 'Admit a probe, or refuse it: it gets no monitors any more, from its next request on',
  refusals: [404],
  params: ProbeParams,
  body: Type.Object({ admission: Type.Enum(['admitted', 'refused']) }, closed),
  status: 200,
  reply: AdministeredRegion,
});

export const removeProbe = operation({
  ...operated,
  id: 'removeProbe',
  fresh: true,
  method: 'DELETE',
  path: '/admin/regions/{region_slug}/probes/{probe_id}',
  summary: 'Forget a probe, so that another one may come with its token',
  refusals: [404],
  params: ProbeParams,
  status: 204,
});
