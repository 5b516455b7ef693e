// Browser-safe and agent-safe. The protocol between agent and server (docs/rules/agents.md#protocol).
import { type Static, Type } from 'typebox';
import { closed, Nullable, operation } from '../platform/contract.ts';

/** Heartbeats per post; an agent that was cut off sends its buffered heartbeats in several posts. */
export const MAX_HEARTBEATS = 500;
/** No real machine has more disks, services or names; the rest is dropped and named. */
export const MAX_DISKS = 64;
export const MAX_SERVICES = 200;
export const MAX_NAMES = 2000;

const Text = (maxLength: number) => Type.String({ maxLength });
/** Milliseconds of the agent's clock. */
const AgentTime = Type.Integer({ minimum: 0, maximum: 253402300799999 });
const Measured = Type.Optional(Nullable(Type.Number()));
/** Versions as npm and most others write them. */
const Version = Type.String({ maxLength: 64, pattern: '^[0-9A-Za-z][0-9A-Za-z.+_-]*$' });
const ServiceName = Type.Object({ kind: Text(64), name: Text(1024) }, closed);

export const Enrollment = Type.Object(
  {
    token: Text(200),
    hostname: Text(253),
    platform: Text(64),
    os: Text(200),
    arch: Text(64),
    agent_version: Version,
    labels: Type.Optional(Nullable(Text(1000))),
    enrollment_id: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 64,
          description:
            'additive: a random word of the agent. Said again with the same token, it gets the same agent and a fresh credential, and uses the token no further: the answer may have been lost',
        }),
      ),
    ),
  },
  closed,
);
export type Enrollment = Static<typeof Enrollment>;

export const Enrolled = Type.Object({
  agent_id: Type.String(),
  credential: Type.String({ description: 'shown this once' }),
  interval_seconds: Type.Integer(),
});
export type Enrolled = Static<typeof Enrolled>;

export const Readings = Type.Object(
  {
    cpu_pct: Measured,
    mem_pct: Measured,
    disk_pct: Measured,
    swap_pct: Measured,
    load1: Measured,
    load5: Measured,
    load15: Measured,
    net_rx_bps: Measured,
    net_tx_bps: Measured,
    temp_c: Measured,
    uptime_seconds: Measured,
    disks: Type.Optional(
      Nullable(Type.Array(Type.Object({ mount: Text(4096), pct: Nullable(Type.Number()) }, closed))),
    ),
  },
  closed,
);
export type Readings = Static<typeof Readings>;

export const WatchedService = Type.Object(
  {
    kind: Text(64),
    name: Text(1024),
    running: Type.Boolean(),
    cpu_pct: Measured,
    mem_mb: Measured,
  },
  closed,
);
export type WatchedService = Static<typeof WatchedService>;

export const Heartbeat = Type.Object(
  {
    sent_at_ms: AgentTime,
    agent_version: Version,
    modules: Type.Array(Text(64), { maxItems: 100 }),
    readings: Readings,
    services: Type.Optional(Nullable(Type.Array(WatchedService))),
    processes: Type.Optional(Nullable(Type.Array(Text(1024)))),
    service_inventory: Type.Optional(
      Nullable(Type.Array(ServiceName, { description: 'additive: services that could be watched' })),
    ),
  },
  closed,
);
export type Heartbeat = Static<typeof Heartbeat>;

const { sent_at_ms: _, ...ofOne } = Heartbeat.properties;

/** One heartbeat, or `heartbeats`, oldest first, with `sent_at_ms` beside it: the agent's clock when it posts. */
export const HeartbeatPost = Type.Object(
  {
    sent_at_ms: Type.Optional(AgentTime),
    ...Type.Partial(Type.Object(ofOne)).properties,
    heartbeats: Type.Optional(Type.Array(Heartbeat, { minItems: 1, maxItems: MAX_HEARTBEATS })),
  },
  closed,
);
export type HeartbeatPost = Static<typeof HeartbeatPost>;

export const HeartbeatReply = Type.Object({
  interval_seconds: Type.Integer(),
  latest_version: Type.String(),
  watched_services: Type.Array(Type.Object({ kind: Type.String(), name: Type.String() })),
  inventory_enabled: Type.Boolean(),
  server_time_ms: Type.Integer({ description: 'additive: the agent keeps its clock by it' }),
  dropped: Type.Optional(
    Type.Array(Type.String({ description: 'readings that were out of range, by their path' })),
  ),
  upgrade: Type.Optional(
    Type.Object({
      version: Type.String(),
      sha256: Type.String({ description: 'of /download/tocsin-agent.mjs' }),
    }),
  ),
});
export type HeartbeatReply = Static<typeof HeartbeatReply>;

export const enrollAgent = operation({
  id: 'enrollAgent',
  method: 'POST',
  path: '/agent/enroll',
  summary: 'Enrol this machine with an enrolment token',
  tag: 'Agents',
  right: 'public',
  resource: 'none',
  throttled: true,
  body: Enrollment,
  status: 200,
  refusals: [401, 409],
  reply: Enrolled,
});

export const postHeartbeat = operation({
  id: 'postAgentHeartbeat',
  method: 'POST',
  path: '/agent/heartbeat',
  summary: 'Readings of a host, one heartbeat or up to 500 kept ones',
  tag: 'Agents',
  right: 'agent',
  resource: 'none',
  body: HeartbeatPost,
  bodyLimit: 1024 * 1024,
  status: 200,
  refusals: [429, 503],
  reply: HeartbeatReply,
});
