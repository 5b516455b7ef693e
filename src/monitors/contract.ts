// Browser-safe. Monitors (docs/rules/monitor-types.md#monitor-fields).
import { type Static, Type } from 'typebox';
import { INCIDENT_SEVERITIES } from '../domain/names.ts';
import {
  closed,
  Int32,
  LARGE_BODY_LIMIT,
  Nullable,
  operation,
  PageQuery,
  UnixSeconds,
} from '../platform/contract.ts';
import { ProjectParams } from '../projects/contract.ts';

export const MonitorParams = Type.Object({ monitor_id: Type.String() });

export const EffectiveAlarm = Type.Object({
  alarm_consecutive: Type.Integer(),
  alarm_min_duration_seconds: Type.Integer(),
  alarm_quorum_mode: Type.String(),
  alarm_quorum_value: Nullable(Type.Integer()),
  source: Type.String({
    description: 'highest level that set any field: monitor, alert_profile, organization, platform',
  }),
});

/** Inherited fields are null. */
export const Policy = Type.Object({
  alarm_consecutive: Nullable(Type.Integer()),
  alarm_min_duration_seconds: Nullable(Type.Integer()),
  alarm_quorum_mode: Nullable(Type.String()),
  alarm_quorum_value: Nullable(Type.Integer()),
  alert_profile_id: Nullable(Type.String()),
  failed_interval_seconds: Nullable(Type.Integer()),
  recovery_consecutive: Nullable(Type.Integer()),
  recovery_quorum_mode: Nullable(Type.String()),
  recovery_quorum_value: Nullable(Type.Integer()),
  effective_alarm: EffectiveAlarm,
});
export type Policy = Static<typeof Policy>;

export const AlarmGate = Type.Object({
  grace_seconds: Nullable(Type.Integer()),
  origins: Type.Array(Type.String()),
});

/** Failing results in a row, and the number that opens an incident. */
export const Confirming = Type.Object({ failures: Type.Integer(), required: Type.Integer() });

export const Monitor = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  project_id: Type.String(),
  type: Type.String(),
  config: Type.Unknown({ description: 'structure depends on type; secrets read back as "••••"' }),
  enabled: Type.Boolean(),
  interval_seconds: Type.Integer(),
  regions: Type.Array(Type.String()),
  last_status: Nullable(Type.String()),
  last_severity: Nullable(Type.String()),
  last_status_since_unix: Nullable(UnixSeconds()),
  confirming: Nullable(Confirming),
  no_data_since_unix: Nullable(
    UnixSeconds({
      description:
        'additive: the time of its newest result, or of its making, while none of its regions reports; last_status is then what was known last. null while one reports, while it is disabled, and for heartbeats and groups',
    }),
  ),
  cannot_check: Nullable(
    Type.String({
      description:
        'additive: why its check cannot be made at all, and what to do; it then has no data. null where it can be made',
    }),
  ),
  /** The end of the maintenance in progress; null: there is none. */
  in_maintenance_until_unix: Nullable(UnixSeconds()),
  policy: Nullable(Policy),
  alarm_gate: Nullable(AlarmGate),
  depends_on: Type.Array(Type.String(), {
    description: 'while one of these monitors has a confirmed outage, an incident opens with its alarm held',
  }),
  disabled_reason: Nullable(
    Type.String({ description: 'additive: the reason if no person disabled it: its agent was removed' }),
  ),
  severity: Type.String({
    description: 'what its automatic incidents are: critical, default, or degraded, which wakes nobody',
  }),
  tags: Type.Array(Type.String(), { description: 'additive: words that people group monitors by' }),
  example: Type.Boolean({
    description:
      'additive: of an example outage: it cannot be changed, is in no figure but its own, and goes by itself',
  }),
});
export type Monitor = Static<typeof Monitor>;

// The schema fixes the shape only; validate.ts checks ranges and names, with the codes of the interface.
export const PolicyWrite = Type.Object(
  {
    alarm_consecutive: Type.Optional(Nullable(Int32())),
    alarm_min_duration_seconds: Type.Optional(Nullable(Int32())),
    alarm_quorum_mode: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
    alarm_quorum_value: Type.Optional(Nullable(Int32())),
    alert_profile_id: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    failed_interval_seconds: Type.Optional(Nullable(Int32())),
    recovery_consecutive: Type.Optional(Nullable(Int32())),
    recovery_quorum_mode: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
    recovery_quorum_value: Type.Optional(Nullable(Int32())),
    effective_alarm: Type.Optional(Type.Unknown({ description: 'read-only' })),
  },
  closed,
);
export type PolicyWrite = Static<typeof PolicyWrite>;

const AlarmGateWrite = Type.Object(
  {
    grace_seconds: Type.Optional(Nullable(Int32())),
    origins: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 }))),
  },
  closed,
);

const Regions = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1000 });
const Severity = Type.Enum([...INCIDENT_SEVERITIES]);
// The schema limits the size; tags.ts checks the tags and names the one at fault.
const Tags = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 });
const DependsOn = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 10 });
const Config = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'What the type needs. http: url. tcp: host, port. ping: host. dns: host, record_type. tls: host. domain: domain. ' +
      'websocket: url. grpc: host, port. mail: protocol, host. udp: host, port, payload. database: engine, host. ' +
      'heartbeat: schedule. group: members. agent: agent_id, metric. service: agent_id, service, kind. ' +
      'Every other field of a type has a default. Secrets read as ••••.',
  },
);

export const MonitorCreate = Type.Object(
  {
    name: Type.String({ maxLength: 200 }),
    type: Type.String({ maxLength: 64 }),
    config: Config,
    enabled: Type.Optional(Nullable(Type.Boolean())),
    interval_seconds: Type.Optional(Nullable(Int32())),
    regions: Type.Optional(Nullable(Regions)),
    policy: Type.Optional(Nullable(PolicyWrite)),
    alarm_gate: Type.Optional(Nullable(AlarmGateWrite)),
    depends_on: Type.Optional(Nullable(DependsOn)),
    severity: Type.Optional(Nullable(Severity)),
    tags: Type.Optional(Nullable(Tags)),
  },
  closed,
);
export type MonitorCreate = Static<typeof MonitorCreate>;

export const MonitorUpdate = Type.Object(
  {
    name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    type: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
    config: Type.Optional(Nullable(Config)),
    enabled: Type.Optional(Nullable(Type.Boolean())),
    interval_seconds: Type.Optional(Nullable(Int32())),
    regions: Type.Optional(Nullable(Regions)),
    policy: Type.Optional(Nullable(PolicyWrite)),
    alarm_gate: Type.Optional(Nullable(AlarmGateWrite)),
    depends_on: Type.Optional(Nullable(DependsOn)),
    severity: Type.Optional(Nullable(Severity)),
    tags: Type.Optional(Nullable(Tags)),
    // Read-only: accepted with their stored values, so that a client can send back the monitor it read.
    id: Type.Optional(Type.Unknown()),
    slug: Type.Optional(Type.Unknown()),
    project_id: Type.Optional(Type.Unknown()),
    last_status: Type.Optional(Type.Unknown()),
    last_severity: Type.Optional(Type.Unknown()),
    last_status_since_unix: Type.Optional(Type.Unknown()),
    confirming: Type.Optional(Type.Unknown()),
    no_data_since_unix: Type.Optional(Type.Unknown()),
    cannot_check: Type.Optional(Type.Unknown()),
    in_maintenance_until_unix: Type.Optional(Type.Unknown()),
    disabled_reason: Type.Optional(Type.Unknown()),
    example: Type.Optional(Type.Unknown()),
  },
  closed,
);
export type MonitorUpdate = Static<typeof MonitorUpdate>;

export const listMonitors = operation({
  id: 'listMonitors',
  method: 'GET',
  path: '/projects/{project_id}/monitors',
  summary: 'Monitors of a project',
  tag: 'Monitors',
  right: 'member',
  resource: 'project',
  scope: 'monitors:read',
  params: ProjectParams,
  query: PageQuery('a monitor id'),
  status: 200,
  reply: Type.Array(Monitor),
});

export const createMonitor = operation({
  id: 'createMonitor',
  bodyLimit: LARGE_BODY_LIMIT,
  method: 'POST',
  path: '/projects/{project_id}/monitors',
  summary: 'Create a monitor',
  tag: 'Monitors',
  right: 'project_management',
  resource: 'project',
  scope: 'monitors:write',
  params: ProjectParams,
  body: MonitorCreate,
  status: 201,
  reply: Monitor,
  refusals: [402],
});

export const getMonitor = operation({
  id: 'getMonitor',
  method: 'GET',
  path: '/monitors/{monitor_id}',
  summary: 'One monitor',
  tag: 'Monitors',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  status: 200,
  reply: Monitor,
});

export const updateMonitor = operation({
  id: 'updateMonitor',
  bodyLimit: LARGE_BODY_LIMIT,
  method: 'PATCH',
  path: '/monitors/{monitor_id}',
  summary: 'Change a monitor; omitted fields keep their value',
  tag: 'Monitors',
  right: 'project_management',
  resource: 'monitor',
  scope: 'monitors:write',
  params: MonitorParams,
  body: MonitorUpdate,
  status: 200,
  reply: Monitor,
  refusals: [402],
});

export const deleteMonitor = operation({
  id: 'deleteMonitor',
  method: 'DELETE',
  path: '/monitors/{monitor_id}',
  summary: 'Delete a monitor for good, with its data',
  tag: 'Monitors',
  right: 'project_management',
  resource: 'monitor',
  scope: 'monitors:write',
  params: MonitorParams,
  status: 204,
});

export const announceChange = operation({
  id: 'announceChange',
  method: 'POST',
  path: '/monitors/{monitor_id}/alarm-holds',
  summary:
    'Announce a change: incidents that open while it lasts have their alarm held; with 0 seconds it is over',
  tag: 'Monitors',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:write',
  params: MonitorParams,
  body: Type.Object(
    {
      origin: Type.String({ maxLength: 64 }),
      /** At most the gate's grace_seconds, which is the default; 0: the change is over. */
      seconds: Type.Optional(Nullable(Int32())),
      /** The author of the change; absent: the caller. */
      name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    },
    closed,
  ),
  status: 201,
  reply: Type.Object({ held_until_unix: UnixSeconds(), origin: Type.String() }),
  refusals: [409],
});
