// Browser-safe. The live stream of an organization (docs/rules/errors-and-conventions.md#live-events): Server-Sent Events,
// `Last-Event-ID` resumes.
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

/**
 * `event: monitor` — a monitor's confirmed status changed, it was created, changed or deleted, or (`data`) it fell silent or
 * reports again.
 */
export const MonitorEvent = Type.Object({
  monitor_id: Type.String(),
  project_id: Type.String(),
  change: Type.Enum(['created', 'updated', 'deleted', 'status', 'data']),
  last_status: Nullable(Type.String()),
  /** Failing results in a row and how many make an alarm, where the change is about them; null: nothing is to be confirmed. */
  confirming: Type.Optional(Nullable(Type.Object({ failures: Type.Integer(), required: Type.Integer() }))),
  no_data_since_unix: Type.Optional(Nullable(UnixSeconds({ description: 'additive: with change data' }))),
  cannot_check: Type.Optional(Nullable(Type.String({ description: 'additive: with change data' }))),
});
export type MonitorEvent = Static<typeof MonitorEvent>;

/** Incident changes on the live stream; dashboards show only the first three to everybody. */
export const INCIDENT_CHANGES = [
  'opened',
  'acknowledged',
  'resolved',
  'held',
  'hold_ended',
  'noted',
  'escalated',
  'discarded',
  'restored',
  'postmortem',
  'linked',
  'looked_up',
] as const;
export type IncidentChange = (typeof INCIDENT_CHANGES)[number];

/** `event: incident` — an incident opened or changed. */
export const IncidentEvent = Type.Object({
  incident_id: Type.String(),
  monitor_id: Type.String(),
  monitor_name: Nullable(Type.String()),
  project_id: Nullable(Type.String()),
  change: Type.Enum([...INCIDENT_CHANGES]),
  status: Type.String(),
  lifecycle_state: Type.String(),
  severity: Type.String(),
  cause: Type.String(),
  /** Of an example outage: nobody has to know at once (additive). */
  example: Type.Boolean(),
});
export type IncidentEvent = Static<typeof IncidentEvent>;

/**
 * `event: alarm` — the loud alarm of an incident starts or ends for the reader of the stream; nobody else gets the event.
 * `GET …/on-call/ringing` lists the alarms that ring now.
 */
export const AlarmEvent = Type.Object({
  incident_id: Type.String(),
  monitor_id: Type.String(),
  monitor_name: Nullable(Type.String()),
  project_id: Nullable(Type.String()),
  change: Type.Enum(['ringing', 'ended']),
  severity: Type.String(),
  cause: Type.String(),
});
export type AlarmEvent = Static<typeof AlarmEvent>;

/** `event: drill` — a fire drill began, went on or ended; `…/on-call/drills` says more (additive). */
export const DrillEvent = Type.Object({ drill_id: Type.String() });
export type DrillEvent = Static<typeof DrillEvent>;

/** `event: maintenance` — a maintenance window was planned, changed, cancelled or deleted, or it started or ended. */
export const MaintenanceEvent = Type.Object({ window_id: Type.String() });
export type MaintenanceEvent = Static<typeof MaintenanceEvent>;

export const streamEvents = operation({
  id: 'streamOrganizationEvents',
  method: 'GET',
  path: '/organizations/{org_id}/events',
  summary:
    'Server-Sent Events: incident and monitor status changes, the loud alarm, maintenance, fire drills (events `incident`, `monitor`, `alarm`, `maintenance`, `drill`; data is JSON)',
  tag: 'Events',
  right: 'member',
  resource: 'organization',
  scope: 'incidents:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: Type.Object(
    {
      heartbeats: Type.Optional(
        Type.Enum(['true', 'false'], {
          description:
            'true: the sign of life that comes every 4 s is an event `heartbeat` and no comment, for clients that cannot see comments',
        }),
      ),
    },
    closed,
  ),
  status: 200,
});
