// Browser-safe. Incidents (docs/rules/confirmation.md#incident-values).
import { type Static, Type } from 'typebox';
import { CapsuleState, IncidentCapsule } from '../capsules/contract.ts';
import { INCIDENT_SEVERITIES } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, PageQuery, pageFields, UnixSeconds } from '../platform/contract.ts';

export const IncidentParams = Type.Object({ org_id: Type.String(), incident_id: Type.String() });

const GroupName = Nullable(
  Type.String({
    description:
      'what the incidents of its storm share, in words; null without a storm, or if they share nothing',
  }),
);

const Example = Type.Boolean({
  description:
    'additive: of an example outage; it is in no figure and no report, and only the person who started it is notified',
});

export const IncidentSummary = Type.Object({
  id: Type.String(),
  monitor_id: Type.String(),
  monitor_name: Nullable(Type.String()),
  project_name: Nullable(Type.String()),
  cause: Type.String(),
  severity: Type.String(),
  status: Type.String(),
  down_regions: Type.Array(Type.String()),
  region_count: Type.Integer(),
  started_at_unix: UnixSeconds(),
  resolved_at_unix: Nullable(UnixSeconds()),
  // Additive: the state of the incident, and its storm.
  lifecycle_state: Type.String(),
  acknowledged_by_email: Nullable(Type.String()),
  acknowledged_by_name: Nullable(Type.String()),
  commander_name: Nullable(Type.String()),
  alarm_held_until_unix: Nullable(UnixSeconds()),
  group_id: Nullable(Type.String()),
  group_name: GroupName,
  example: Example,
});
export type IncidentSummary = Static<typeof IncidentSummary>;

const EvidenceCheck = Type.Object({
  check_id: Type.String(),
  checked_at_unix: UnixSeconds(),
  region: Type.String(),
  status: Type.String(),
  cause_layer: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  latency_ms: Nullable(Type.Integer()),
  response_code: Nullable(Type.Integer()),
});

const EvidenceFinding = Type.Object({
  failure_class: Type.String(),
  expected_summary: Type.String(),
  actual_summary: Type.String(),
  occurrence_count: Type.Integer(),
  latest_checked_at_unix: UnixSeconds(),
  regions: Type.Array(Type.String()),
});

/** An immutable snapshot of the checks that opened the incident. */
export const Evidence = Type.Object({
  version: Type.Integer(),
  reason: Type.String(),
  confirmation_state: Type.String(),
  check_kind: Type.String(),
  failure_class: Type.String(),
  expected_summary: Type.String(),
  actual_summary: Type.String(),
  monitor_id: Type.String(),
  monitor_name: Type.String(),
  project_id: Type.String(),
  project_name: Type.String(),
  first_failure_at_unix: UnixSeconds(),
  confirmed_outage_since_unix: UnixSeconds(),
  triggered_at_unix: UnixSeconds(),
  consecutive_failures_observed: Type.Integer(),
  consecutive_failures_required: Type.Integer(),
  expected_regions: Type.Integer(),
  failed_regions: Type.Integer(),
  reporting_regions: Type.Integer(),
  required_regions: Type.Integer(),
  minimum_confirmed_outage_seconds: Type.Integer(),
  checks: Type.Array(EvidenceCheck),
  findings: Type.Array(EvidenceFinding),
});
export type Evidence = Static<typeof Evidence>;

export const IncidentDetail = Type.Object({
  id: Type.String(),
  monitor_id: Type.String(),
  monitor_name: Nullable(Type.String()),
  project_id: Nullable(Type.String()),
  project_name: Nullable(Type.String()),
  check_kind: Nullable(Type.String()),
  cause: Type.String(),
  summary: Type.String(),
  status: Type.String(),
  lifecycle_state: Type.String(),
  severity: Type.String(),
  severity_level: Nullable(Type.String()),
  auto_resolved: Type.Boolean(),
  down_regions: Type.Array(Type.String()),
  region_count: Type.Integer(),
  started_at_unix: UnixSeconds(),
  resolved_at_unix: Nullable(UnixSeconds()),
  acknowledged_at_unix: Nullable(UnixSeconds()),
  acknowledged_by_email: Nullable(Type.String()),
  commander_email: Nullable(Type.String()),
  // Additive: their names. Null with the addresses, for an API key say.
  acknowledged_by_name: Nullable(Type.String()),
  commander_name: Nullable(Type.String()),
  alarm_held_until_unix: Nullable(UnixSeconds()),
  alarm_held_by_name: Nullable(Type.String()),
  failure_phase_started_at_unix: Nullable(UnixSeconds()),
  evidence: Nullable(Evidence),
  group_id: Nullable(Type.String()),
  group_name: GroupName,
  example: Example,
});
export type IncidentDetail = Static<typeof IncidentDetail>;

/** With the failure capsule; only `getIncident` returns it, and no event contains it. */
export const IncidentWithCapsule = Type.Object({
  ...IncidentDetail.properties,
  // Additive: null until the first region answers, and for keys without monitors:write.
  capsule: Nullable(IncidentCapsule),
  capsule_regions: Type.Array(CapsuleState, {
    description: 'additive: how far the regions are that were asked to look up what failed',
  }),
  has_postmortem: Type.Boolean({
    description: 'additive: whether a post-mortem is written, draft or published; false: reading it is 404',
  }),
});
export type IncidentWithCapsule = Static<typeof IncidentWithCapsule>;

export const TimelineEntry = Type.Object({
  id: Type.String(),
  at_unix: UnixSeconds(),
  kind: Type.String(),
  actor_name: Type.Optional(Nullable(Type.String())),
  detail: Nullable(Type.String()),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

export const listIncidents = operation({
  id: 'listIncidents',
  method: 'GET',
  path: '/organizations/{org_id}/incidents',
  summary: 'Incidents of an organization, newest first; open ones unless asked otherwise',
  tag: 'Incidents',
  right: 'member',
  resource: 'organization',
  scope: 'incidents:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: Type.Object(
    {
      status: Type.Optional(Type.Enum(['open', 'closed', 'all'])),
      ...pageFields('an incident id'),
    },
    closed,
  ),
  status: 200,
  reply: Type.Array(IncidentSummary),
});

export const getIncidentTable = operation({
  id: 'getIncidentTable',
  method: 'GET',
  path: '/organizations/{org_id}/incidents.csv',
  summary: 'additive: incidents of an organization as CSV, newest first; open ones unless asked otherwise',
  tag: 'Incidents',
  right: 'member',
  resource: 'organization',
  scope: 'incidents:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: Type.Object(
    {
      status: Type.Optional(Type.Enum(['open', 'closed', 'all'])),
      severity: Type.Optional(Type.Enum([...INCIDENT_SEVERITIES])),
      state: Type.Optional(
        Type.Enum(['triggered', 'acknowledged', 'held', 'resolved', 'discarded'], {
          description: 'held: nobody has it, and its alarm is held',
        }),
      ),
      text: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'part of the name of the monitor, of its project, or of the cause, whatever the case',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  produces: 'text/csv',
});

export const getIncident = operation({
  id: 'getIncident',
  method: 'GET',
  path: '/organizations/{org_id}/incidents/{incident_id}',
  summary: 'One incident with its evidence, and what was looked up at its opening',
  tag: 'Incidents',
  right: 'member',
  resource: 'organization',
  scope: 'incidents:read',
  narrowed: 'filtered',
  params: IncidentParams,
  status: 200,
  reply: IncidentWithCapsule,
});

export const acknowledgeIncident = operation({
  id: 'acknowledgeIncident',
  method: 'POST',
  path: '/organizations/{org_id}/incidents/{incident_id}/ack',
  summary:
    'Acknowledge an incident: the caller becomes commander if there is none; `group=true` acknowledges its whole storm',
  tag: 'Incidents',
  right: 'member',
  resource: 'organization',
  scope: 'incidents:write',
  narrowed: 'filtered',
  params: IncidentParams,
  query: Type.Object(
    {
      group: Type.Optional(
        Type.Enum(['true', 'false'], {
          description: 'also acknowledges all open incidents of its storm',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  reply: IncidentDetail,
});

export const resolveIncident = operation({
  id: 'resolveIncident',
  method: 'POST',
  path: '/organizations/{org_id}/incidents/{incident_id}/resolve',
  summary: 'Close an incident by hand; idempotent',
  tag: 'Incidents',
  right: 'member',
  resource: 'organization',
  scope: 'incidents:write',
  narrowed: 'filtered',
  params: IncidentParams,
  status: 200,
  reply: IncidentDetail,
});

export const listIncidentTimeline = operation({
  id: 'listIncidentTimeline',
  method: 'GET',
  path: '/organizations/{org_id}/incidents/{incident_id}/timeline',
  summary: 'Everything that happened in an incident, oldest first',
  tag: 'Incidents',
  right: 'member',
  resource: 'organization',
  scope: 'incidents:read',
  narrowed: 'filtered',
  params: IncidentParams,
  query: PageQuery('an entry id'),
  status: 200,
  reply: Type.Array(TimelineEntry),
});

/** The subject is the monitor, so that rights follow the monitor's organization. */
export const listMonitorIncidents = operation({
  id: 'listMonitorIncidents',
  method: 'GET',
  path: '/monitors/{monitor_id}/incidents',
  summary: 'Up to 50 recent incidents of a monitor',
  tag: 'Incidents',
  right: 'member',
  resource: 'monitor',
  scope: 'incidents:read',
  params: Type.Object({ monitor_id: Type.String() }),
  status: 200,
  reply: Type.Array(IncidentSummary),
});
