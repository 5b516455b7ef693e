// Browser-safe. Host agents of an organization (docs/rules/agents.md).
import { type Static, type TOptional, type TSchema, type TUnknown, Type } from 'typebox';
import { AGENT_EVENTS, SERIES_RANGES, SERIES_UNITS } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, PageQuery, UnixSeconds } from '../platform/contract.ts';

const AgentParams = Type.Object({ org_id: Type.String(), agent_id: Type.String() });
const Labels = Type.String({ maxLength: 1000, description: 'comma-separated key=value or bare labels' });
const Percent = Nullable(Type.Number());

export const Agent = Type.Object({
  id: Type.String(),
  hostname: Type.String(),
  platform: Type.String(),
  os: Type.String(),
  arch: Type.String(),
  agent_version: Type.String(),
  latest_version: Type.String(),
  labels: Type.String({ description: 'comma-separated key=value or bare labels' }),
  modules: Type.Array(Type.String()),
  enrolled_at_unix: UnixSeconds(),
  last_heartbeat_at_unix: Nullable(UnixSeconds()),
  last_cpu_pct: Percent,
  last_mem_pct: Percent,
  last_disk_pct: Percent,
  online: Type.Boolean({ description: 'its last heartbeat is younger than 180 s' }),
  outdated: Type.Boolean({ description: 'agent_version is behind latest_version' }),
  monitor_count: Type.Integer({ description: 'enabled monitors on it; disabled when it is removed' }),
  inventory_enabled: Type.Boolean(),
  process_inventory: Type.Array(Type.String(), { description: 'names only; empty without the opt-in' }),
  process_inventory_at_unix: Nullable(UnixSeconds()),
  service_inventory: Type.Array(Type.Object({ kind: Type.String(), name: Type.String() }), {
    description: 'additive: services that could be watched; empty without the opt-in',
  }),
  expected_offline: Type.Boolean({ description: 'additive: its silence is no outage (a laptop)' }),
  readings: Type.Record(Type.String(), Type.Number(), {
    description: 'additive: the latest readings by metric, one for each mount as disk_pct:<mount>',
  }),
  services: Type.Array(
    Type.Object({
      kind: Type.String(),
      name: Type.String(),
      running: Type.Boolean(),
      cpu_pct: Nullable(Type.Number()),
      mem_mb: Nullable(Type.Number()),
    }),
    { description: 'additive: the watched services, as last reported' },
  ),
  booted_at_unix: Nullable(UnixSeconds()),
  silent_since_unix: Nullable(
    UnixSeconds({ description: 'additive: its last heartbeat, once it counts as silent' }),
  ),
  upgrade_asked: Type.Boolean({
    description: 'additive: it is asked to take over the version of the server',
  }),
});
export type Agent = Static<typeof Agent>;

/** Read-only fields are accepted as they are, so that what was read can be sent back. */
const { labels: _l, inventory_enabled: _i, expected_offline: _e, ...readOnly } = Agent.properties;
export const AgentUpdate = Type.Object(
  {
    labels: Type.Optional(Nullable(Labels)),
    inventory_enabled: Type.Optional(Nullable(Type.Boolean())),
    expected_offline: Type.Optional(Nullable(Type.Boolean())),
    ...asItIs(readOnly),
  },
  closed,
);
export type AgentUpdate = Static<typeof AgentUpdate>;

/** Optional fields of any value, by the names of other fields. */
function asItIs<Names extends string>(fields: Record<Names, TSchema>): Record<Names, TOptional<TUnknown>> {
  const names = Object.keys(fields) as Names[];
  return Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown())])) as never;
}

const ofAgents = { tag: 'Agents', resource: 'organization' } as const;
const toRead = { ...ofAgents, right: 'member', scope: 'agents:read', narrowed: 'filtered' } as const;
const toWrite = { ...ofAgents, right: 'project_management', scope: 'agents:write' } as const;

export const listAgents = operation({
  ...toRead,
  id: 'listAgents',
  method: 'GET',
  path: '/organizations/{org_id}/agents',
  summary: 'Host agents of an organization, newest first',
  params: OrganizationParams,
  query: PageQuery('an agent id'),
  status: 200,
  reply: Type.Array(Agent),
});

export const getAgent = operation({
  ...toRead,
  id: 'getAgent',
  method: 'GET',
  path: '/organizations/{org_id}/agents/{agent_id}',
  summary: 'A host agent',
  params: AgentParams,
  status: 200,
  reply: Agent,
});

export const updateAgent = operation({
  ...toWrite,
  id: 'updateAgent',
  method: 'PATCH',
  path: '/organizations/{org_id}/agents/{agent_id}',
  summary: 'Change labels, the opt-in to inventories, and whether silence is expected',
  params: AgentParams,
  body: AgentUpdate,
  status: 200,
  reply: Agent,
});

export const removeAgent = operation({
  ...toWrite,
  id: 'removeAgent',
  method: 'DELETE',
  path: '/organizations/{org_id}/agents/{agent_id}',
  summary: 'Decommission an agent: its credential is void at once, its monitors are disabled',
  params: AgentParams,
  status: 204,
});

export const EnrollmentToken = Type.Object({
  id: Type.String(),
  labels: Type.String(),
  uses: Type.Integer(),
  used: Type.Integer(),
  created_at_unix: UnixSeconds(),
  expires_at_unix: UnixSeconds(),
});
export type EnrollmentToken = Static<typeof EnrollmentToken>;

export const EnrollmentTokenCreate = Type.Object(
  {
    labels: Type.Optional(Nullable(Labels)),
    expires_in_seconds: Type.Optional(
      Nullable(Type.Integer({ minimum: 60, maximum: 604_800, default: 3600 })),
    ),
    uses: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }))),
  },
  closed,
);
export type EnrollmentTokenCreate = Static<typeof EnrollmentTokenCreate>;

export const createEnrollmentToken = operation({
  ...toWrite,
  id: 'createEnrollmentToken',
  method: 'POST',
  path: '/organizations/{org_id}/agents/enrollment-tokens',
  summary: 'A token that enrols hosts for a while, with the command to paste; shown this once',
  params: OrganizationParams,
  body: Type.Optional(EnrollmentTokenCreate),
  status: 201,
  refusals: [409],
  reply: Type.Object({
    ...EnrollmentToken.properties,
    token: Type.String({ description: 'shown this once' }),
    command: Type.String({
      description: 'fetches the agent, verifies it, enrols and installs it as a service',
    }),
    checked_command: Type.String({
      description: 'additive: the same in steps that can be read first, without a script from the server',
    }),
  }),
});

export const listEnrollmentTokens = operation({
  ...toWrite,
  id: 'listEnrollmentTokens',
  method: 'GET',
  path: '/organizations/{org_id}/agents/enrollment-tokens',
  summary: 'Enrolment tokens that still work, newest first',
  scope: 'agents:read',
  params: OrganizationParams,
  query: PageQuery('a token id'),
  status: 200,
  reply: Type.Array(EnrollmentToken),
});

export const revokeEnrollmentToken = operation({
  ...toWrite,
  id: 'revokeEnrollmentToken',
  method: 'DELETE',
  path: '/organizations/{org_id}/agents/enrollment-tokens/{token_id}',
  summary: 'Revoke an enrolment token; agents that were enrolled with it stay',
  params: Type.Object({ org_id: Type.String(), token_id: Type.String() }),
  status: 204,
});

export const upgradeAgent = operation({
  ...toWrite,
  id: 'upgradeAgent',
  method: 'POST',
  path: '/organizations/{org_id}/agents/{agent_id}/upgrade',
  summary: 'Ask an agent to take over the version of the server with its next heartbeat',
  params: AgentParams,
  status: 200,
  reply: Agent,
});

export const AgentSeries = Type.Object({
  metric: Type.String(),
  unit: Type.Enum([...SERIES_UNITS]),
  range: Type.String(),
  from_unix: UnixSeconds(),
  to_unix: UnixSeconds(),
  bucket_seconds: Type.Integer(),
  points: Type.Array(
    Type.Object({
      bucket_unix: UnixSeconds(),
      count: Type.Integer({ description: 'readings in the bucket' }),
      avg: Type.Number(),
      max: Type.Number(),
    }),
  ),
  stats: Type.Object({
    count: Type.Integer(),
    avg: Nullable(Type.Number()),
    max: Nullable(Type.Number()),
  }),
});
export type AgentSeries = Static<typeof AgentSeries>;

export const getAgentSeries = operation({
  ...toRead,
  id: 'getAgentSeries',
  method: 'GET',
  path: '/organizations/{org_id}/agents/{agent_id}/series',
  summary: 'One metric of a host over a range; buckets without readings are absent',
  params: AgentParams,
  query: Type.Object(
    {
      metric: Type.String({ maxLength: 512, description: 'cpu_pct, …, disk_pct:<mount>' }),
      range: Type.Optional(Type.Enum([...SERIES_RANGES])),
    },
    closed,
  ),
  status: 200,
  reply: AgentSeries,
});

/** The last three hours of each host, in 36 buckets of five minutes, oldest first; null for a bucket without a reading. */
export const AgentCurve = Type.Object({
  agent_id: Type.String(),
  from_unix: UnixSeconds(),
  bucket_seconds: Type.Integer(),
  cpu_pct: Type.Array(Percent),
  mem_pct: Type.Array(Percent),
  load1: Type.Array(Percent),
});
export type AgentCurve = Static<typeof AgentCurve>;

export const listAgentCurves = operation({
  ...toRead,
  id: 'listAgentCurves',
  method: 'GET',
  path: '/organizations/{org_id}/agent-curves',
  summary: 'The last three hours of each host of a page of the list of agents',
  params: OrganizationParams,
  query: PageQuery('an agent id'),
  status: 200,
  reply: Type.Array(AgentCurve),
});

export const AgentEvent = Type.Object({
  at_unix: UnixSeconds(),
  kind: Type.Enum([...AGENT_EVENTS]),
  detail: Type.String(),
});
export type AgentEvent = Static<typeof AgentEvent>;

export const listAgentEvents = operation({
  ...toRead,
  id: 'listAgentEvents',
  method: 'GET',
  path: '/organizations/{org_id}/agents/{agent_id}/events',
  summary: 'What happened to a host, newest first',
  params: AgentParams,
  query: PageQuery('Unix seconds, or as the Link header gives it'),
  status: 200,
  reply: Type.Array(AgentEvent),
});
