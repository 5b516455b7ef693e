// Browser-safe. The closed lists of the interface: every value that a client may see or send, once.

/** Roles of a member, highest first (docs/rules/access.md#roles). */
export const ROLES = ['owner', 'admin', 'manager', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The roles of a server (docs/rules/command-line.md#roles-of-servers). */
export const SERVER_ROLES = ['api', 'ingest', 'jobs', 'pages'] as const;
export type ServerRole = (typeof SERVER_ROLES)[number];

/** Monitor types (docs/rules/monitor-types.md). */
export const MONITOR_TYPES = [
  'http',
  'tcp',
  'ping',
  'dns',
  'tls',
  'domain',
  'websocket',
  'grpc',
  'mail',
  'udp',
  'database',
  'heartbeat',
  'agent',
  'service',
  'group',
] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];

/** Types whose `regions` is empty: nothing is checked from a region (docs/rules/confirmation.md#no-region). */
export const REGIONLESS_MONITOR_TYPES = ['heartbeat', 'agent', 'service', 'group'] as const;
export type RegionlessMonitorType = (typeof REGIONLESS_MONITOR_TYPES)[number];

/** Status of one raw check (docs/rules/confirmation.md#results). */
export const CHECK_STATUSES = ['up', 'degraded', 'down'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** `last_status` of a monitor; null before its first check (docs/rules/confirmation.md#displayed-status). */
export const DISPLAY_STATUSES = ['failed', 'degraded', 'passed'] as const;
export type DisplayStatus = (typeof DISPLAY_STATUSES)[number];

/** `last_severity` of a monitor (docs/rules/confirmation.md#last-severity). */
export const LAST_SEVERITIES = ['ok', 'degraded', 'critical'] as const;
export type LastSeverity = (typeof LAST_SEVERITIES)[number];

/** The cause of a failing check (docs/rules/monitor-types.md#cause-layers). */
export const CAUSE_LAYERS = [
  'probe',
  'target_dns',
  'target_connect',
  'target_tls',
  'target_http',
  'target_app',
  'agent',
] as const;
export type CauseLayer = (typeof CAUSE_LAYERS)[number];

/** Incident values (docs/rules/confirmation.md#incident-values). */
export const INCIDENT_STATUSES = ['open', 'closed'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];
export const INCIDENT_LIFECYCLE_STATES = ['triggered', 'acknowledged', 'resolved', 'discarded'] as const;
export const INCIDENT_SEVERITIES = ['critical', 'default', 'degraded'] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];
export const INCIDENT_SEVERITY_LEVELS = ['sev1', 'sev2', 'sev3'] as const;
export type IncidentSeverityLevel = (typeof INCIDENT_SEVERITY_LEVELS)[number];

/** Kinds of a note in an incident, and the audiences of a note or post-mortem (docs/rules/confirmation.md#notes). */
export const NOTE_KINDS = ['note', 'status_update'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];
export const VISIBILITIES = ['internal', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Texts of a post-mortem, in the order in which they are read (docs/rules/confirmation.md#post-mortems). */
export const POSTMORTEM_FIELDS = [
  'title',
  'summary',
  'impact',
  'root_cause',
  'contributing_factors',
  'what_went_well',
  'what_went_wrong',
  'lessons',
] as const;

/** Ways to determine the person on duty (docs/rules/on-call-and-alarms.md#rotation). */
export const ROTATION_MODES = ['manual', 'weekly'] as const;
export type RotationMode = (typeof ROTATION_MODES)[number];
export const DUTY_SOURCES = ['manual', 'rotation', 'override'] as const;

/** Steps of an alarm chain, and the ways in which an alarm reaches a person (docs/rules/on-call-and-alarms.md#chain). */
export const ALARM_STEPS = ['start', 'mail', 'stage1', 'stage2', 'reminder'] as const;
export const ALARM_CHANNELS = ['loud_alarm', 'push', 'mail'] as const;
/** How a fire drill ended: somebody acknowledged it, or stopped it; nobody did; a real alarm came (docs/rules/on-call-and-alarms.md#fire-drills). */
export const DRILL_OUTCOMES = ['acknowledged', 'stopped', 'unanswered', 'real_alarm'] as const;
export type DrillOutcome = (typeof DRILL_OUTCOMES)[number];
/** The outcome of one message of a drill; `cancelled`: the drill was over before it was sent. */
export const REACH_STATES = ['waiting', 'arrived', 'failed', 'cancelled'] as const;
/** Why a person or a target cannot be reached, and what an alarm plan warns of. */
export const CHANNEL_PROBLEMS = ['mail_not_configured', 'no_push_subscription'] as const;
export const TARGET_PROBLEMS = ['switched_off', 'failing'] as const;
export const ALARM_PLAN_WARNINGS = [
  'nobody',
  'mail_not_configured',
  'no_push_subscription',
  'one_person',
] as const;
/** Why an incident of a monitor would wake nobody now. */
export const QUIET_REASONS = ['disabled', 'maintenance', 'degraded'] as const;

/** The windows of a repetition that a change is of. */
export const MAINTENANCE_SCOPES = ['this', 'following', 'all'] as const;
export type MaintenanceScope = (typeof MAINTENANCE_SCOPES)[number];

/** Whose shifts a calendar has (docs/rules/on-call-and-alarms.md#calendar). */
export const CALENDAR_SHIFTS = ['mine', 'everybody'] as const;
export type CalendarShifts = (typeof CALENDAR_SHIFTS)[number];

/** States by which maintenance windows are listed (docs/rules/confirmation.md#maintenance-windows). */
export const MAINTENANCE_STATES = ['upcoming', 'active', 'past', 'cancelled'] as const;
export type MaintenanceState = (typeof MAINTENANCE_STATES)[number];

/** Kinds of an incident's timeline entries (docs/rules/confirmation.md#timeline). */
export const TIMELINE_KINDS = [
  'opened',
  'acknowledged',
  'resolved',
  'note',
  'held',
  'hold_ended',
  'suppressed',
  'paged',
  'escalated',
  'delivered',
  'delivery_failed',
  'discarded',
  'restored',
  'linked',
  'unlinked',
  'postmortem_published',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** Events a webhook target subscribes to (docs/rules/notifications.md#events). */
export const EVENT_NAMES = [
  'opened',
  'acknowledged',
  'resolved',
  'updated',
  'escalated',
  'discarded',
  'restored',
  'postmortem_published',
  'maintenance_started',
  'maintenance_ended',
  'test',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Channels of notification targets: one generic, four for chat, two for paging (docs/rules/notifications.md#targets). */
export const CHANNEL_NAMES = [
  'webhook',
  'slack',
  'msteams',
  'discord',
  'mattermost',
  'pagerduty',
  'opsgenie',
] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

/** Families of channels: paging targets belong to the alarm chain, chat targets get one message about a storm. */
export const CHANNEL_FAMILIES = {
  webhook: 'webhook',
  slack: 'chat',
  msteams: 'chat',
  discord: 'chat',
  mattermost: 'chat',
  pagerduty: 'paging',
  opsgenie: 'paging',
} as const satisfies Record<ChannelName, 'webhook' | 'chat' | 'paging'>;
export type ChannelFamily = (typeof CHANNEL_FAMILIES)[ChannelName];

/** Regions of the paging providers (docs/rules/notifications.md#targets). */
export const PAGING_REGIONS = ['global', 'eu'] as const;
export type PagingRegion = (typeof PAGING_REGIONS)[number];

/** Quorum modes, for alarm and for recovery (docs/rules/confirmation.md#quorum). */
export const QUORUM_MODES = ['any', 'majority', 'all', 'count', 'percent'] as const;
export type QuorumMode = (typeof QUORUM_MODES)[number];

/** `effective_alarm.source`, lowest level first (docs/rules/confirmation.md#policy-sources). */
export const POLICY_SOURCES = ['platform', 'organization', 'alert_profile', 'monitor'] as const;
export type PolicySource = (typeof POLICY_SOURCES)[number];

/** Origins of an announced change that an alarm gate can hold for (docs/rules/confirmation.md#alarm-gate). */
export const ALARM_GATE_ORIGINS = ['deployment', 'reboot', 'agent_update', 'dependency', 'manual'] as const;

/** How a status page is opened to the public; docs/rules/status-pages.md#access. */
export const ACCESS_MODES = ['draft', 'public', 'shared_password', 'viewer_login'] as const;
export type AccessMode = (typeof ACCESS_MODES)[number];

/** Days of the window over which a status page shows the uptime of a monitor. */
export const UPTIME_WINDOW_DAYS = [7, 14, 30, 90, 180, 365] as const;
export type UptimeWindowDays = (typeof UPTIME_WINDOW_DAYS)[number];

/** States of a status page, of its groups and monitors; docs/rules/status-pages.md#states. */
export const PAGE_STATES = [
  'operational',
  'degraded',
  'partial_outage',
  'major_outage',
  'maintenance',
  'no_data',
] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** Languages of what the server itself shows to the public. */
export const PAGE_LANGUAGES = ['en', 'de'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Ranges of the time series, shortest first (docs/rules/figures.md#series). */
export const SERIES_RANGES = ['3h', '6h', '12h', '1d', '7d', '14d', '30d', '90d'] as const;
export type SeriesRange = (typeof SERIES_RANGES)[number];

/** The limits of a replay of a policy (docs/rules/confirmation.md#replay-of-a-policy). */
export const REPLAY_CAVEATS = [
  'arrival_unknown',
  'online_unknown',
  'maintenance_as_planned_now',
  'settings_of_now',
  'rhythm_unchanged',
] as const;
export type ReplayCaveat = (typeof REPLAY_CAVEATS)[number];

/** Units of a series; `none` is a metric without a unit. */
export const SERIES_UNITS = ['ms', 'pct', 'load', 'bps', 'celsius', 'mb', 'none'] as const;
export type SeriesUnit = (typeof SERIES_UNITS)[number];

/** Events of a host (docs/rules/agents.md#events-of-a-host). */
export const AGENT_EVENTS = ['enrolled', 'silent', 'back', 'rebooted', 'upgraded'] as const;
export type AgentEventKind = (typeof AGENT_EVENTS)[number];

/** Kinds of services that an agent watches (docs/rules/monitor-types.md#service). */
export const SERVICE_KINDS = ['process', 'systemd', 'docker'] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** `reason` of an `invalid_target` refusal (docs/rules/monitor-types.md#targets). */
export const INVALID_TARGET_REASONS = [
  'missing',
  'whitespace',
  'scheme_in_host',
  'path_in_host',
  'malformed_label',
  'too_long',
  'unsupported_scheme',
  'no_host',
  'needs_two_labels',
  'port_range',
] as const;
export type InvalidTargetReason = (typeof INVALID_TARGET_REASONS)[number];

/** `error` of a refused monitor write (docs/rules/errors-and-conventions.md#monitor-write-refusals). */
export const MONITOR_WRITE_ERRORS = [
  'quota_reached',
  'name_taken',
  'invalid_request',
  'unknown_type',
  'empty_name',
  'unknown_region',
  'internal_region',
  'too_many_regions',
  'alarm_standard_unreachable',
  'invalid_target',
  'unknown_agent_metric',
  'invalid_service_name',
  'foreign_agent',
] as const;

/** States of monitors, trouble first: the order in which lists show them. */
export const MONITOR_STATES = [
  'failed',
  'cannot_check',
  'no_data',
  'degraded',
  'pending',
  'passed',
  'paused',
] as const;

/** The confirmed status of a monitor, or why it has none. */
export type MonitorState = (typeof MONITOR_STATES)[number];

/** The state of a monitor in a field of all: planned work comes before what it causes. */
export const TILE_STATES = [...MONITOR_STATES, 'maintenance'] as const;
export type TileState = (typeof TILE_STATES)[number];
