// Browser-safe. The live stream of an organization (decisions, section 3): Server-Sent Events, `Last-Event-ID` resumes.
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { Nullable, operation } from '../platform/contract.ts';

/** `event: monitor` — a monitor's confirmed status changed, or it was created, changed or deleted. */
export const MonitorEvent = Type.Object({
  monitor_id: Type.String(),
  project_id: Type.String(),
  change: Type.Enum(['created', 'updated', 'deleted', 'status']),
  last_status: Nullable(Type.String()),
});
export type MonitorEvent = Static<typeof MonitorEvent>;

/** `event: incident` — an incident opened, was acknowledged or resolved, its alarm is held (longer) or no longer held. */
export const IncidentEvent = Type.Object({
  incident_id: Type.String(),
  monitor_id: Type.String(),
  monitor_name: Nullable(Type.String()),
  project_id: Nullable(Type.String()),
  change: Type.Enum(['opened', 'acknowledged', 'resolved', 'held', 'hold_ended']),
  status: Type.String(),
  lifecycle_state: Type.String(),
  severity: Type.String(),
  cause: Type.String(),
});
export type IncidentEvent = Static<typeof IncidentEvent>;

export const streamEvents = operation({
  id: 'streamOrganizationEvents',
  method: 'GET',
  path: '/organizations/{org_id}/events',
  summary:
    'Server-Sent Events: incident and monitor status changes (events `incident` and `monitor`; data is JSON)',
  tag: 'Events',
  right: 'member',
  subject: 'organization',
  scope: 'incidents:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  status: 200,
});
