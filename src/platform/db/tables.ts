// Generated from the migrated schema by `npm run generate:tables`; do not edit. A test fails when it is stale.
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
// Written as JSON text: pg would turn a JavaScript array into a PostgreSQL array.
type Json = ColumnType<unknown, string, string>;
type Defaulted<T> =
  [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
type Nullable<T> =
  [T] extends [ColumnType<infer S, infer I, infer U>]
    ? ColumnType<S | null, I | null | undefined, U | null>
    : ColumnType<T | null, T | null | undefined, T | null>;
type ReadOnly<T> = [T] extends [ColumnType<infer S, infer _I, infer _U>] ? ColumnType<S, never, never> : ColumnType<T, never, never>;

export interface Accounts {
  id: string;
  user_id: string;
  account_id: string;
  provider_id: string;
  access_token: Nullable<string>;
  refresh_token: Nullable<string>;
  id_token: Nullable<string>;
  access_token_expires_at: Nullable<Instant>;
  refresh_token_expires_at: Nullable<Instant>;
  scope: Nullable<string>;
  password: Nullable<string>;
  created_at: Defaulted<Instant>;
  updated_at: Defaulted<Instant>;
}

export interface AcknowledgeLinks {
  hash: Buffer;
  org_id: string;
  user_id: string;
  alarm_no: number;
  created_at: Instant;
  expires_at: Instant;
  used_at: Nullable<Instant>;
}

export interface Activity {
  id: string;
  org_id: Nullable<string>;
  at: Instant;
  actor_kind: string;
  actor_id: Nullable<string>;
  actor_name: Nullable<string>;
  action: string;
  resource_kind: string;
  resource_id: string;
  resource_name: Nullable<string>;
  address: Nullable<string>;
  before: Nullable<Json>;
  after: Nullable<Json>;
  chain_no: Nullable<number>;
  chain_hash: Nullable<Buffer>;
  actor_salt: Nullable<Buffer>;
  actor_digest: Nullable<Buffer>;
  subject_salt: Nullable<Buffer>;
  subject_digest: Nullable<Buffer>;
}

export interface AgentBuckets10m {
  bucket: Instant;
  agent_no: number;
  metrics: Json;
}

export interface AgentBuckets12h {
  bucket: Instant;
  agent_no: number;
  metrics: Json;
}

export interface AgentEnrollmentTokens {
  id: string;
  org_id: string;
  hash: Buffer;
  labels: string;
  uses: number;
  used: Defaulted<number>;
  created_at: Instant;
  expires_at: Instant;
}

export interface AgentEvents {
  at: Instant;
  agent_no: number;
  kind: string;
  detail: string;
}

export interface AgentInventories {
  agent_no: number;
  at: Instant;
  processes: string[];
  services: Json;
}

export interface AgentReadings {
  at: Instant;
  sent_ms: number;
  agent_no: number;
  cpu_pct: Nullable<number>;
  mem_pct: Nullable<number>;
  disk_pct: Nullable<number>;
  swap_pct: Nullable<number>;
  load1: Nullable<number>;
  load5: Nullable<number>;
  load15: Nullable<number>;
  net_rx_bps: Nullable<number>;
  net_tx_bps: Nullable<number>;
  temp_c: Nullable<number>;
  disks: Nullable<Json>;
}

export interface AgentStates {
  agent_no: number;
  agent_version: string;
  modules: Defaulted<string[]>;
  last_heartbeat_at: Nullable<Instant>;
  readings: Defaulted<Json>;
  measured_at: Nullable<Instant>;
  services: Defaulted<Json>;
  booted_at: Nullable<Instant>;
  silent_since: Nullable<Instant>;
  look_at: Nullable<Instant>;
  excused: Defaulted<number>;
  undecided_from: Nullable<Instant>;
  rolled_until: Instant;
  dirty_from: Nullable<Instant>;
}

export interface Agents {
  id: string;
  org_id: string;
  hostname: string;
  enrolled_at: Instant;
  no: ReadOnly<number>;
  platform: string;
  os: string;
  arch: string;
  labels: Defaulted<string>;
  inventory_enabled: Defaulted<boolean>;
  expected_offline: Defaulted<boolean>;
  upgrade_asked_at: Nullable<Instant>;
  credential_hash: Buffer;
  enrolled_with: Nullable<string>;
  enrollment_id: Nullable<string>;
}

export interface AlarmAudience {
  alarm_no: number;
  user_id: string;
  since: Instant;
}

export interface AlarmHolds {
  no: ReadOnly<number>;
  monitor_no: number;
  origin: string;
  held_by_name: string;
  held_by_user_id: Nullable<string>;
  held_until: Instant;
  created_at: Instant;
}

export interface AlarmStandards {
  org_id: string;
  standard: Json;
}

export interface AlarmSteps {
  alarm_no: number;
  step: string;
  due_at: Instant;
  done_at: Nullable<Instant>;
  put_off_at: Nullable<Instant>;
  times: Defaulted<number>;
}

export interface Alarms {
  no: ReadOnly<number>;
  org_id: string;
  group_no: Nullable<number>;
  started_at: Instant;
  paused_at: Nullable<Instant>;
  ended_at: Nullable<Instant>;
  joined_no: Nullable<number>;
  drill_id: Nullable<string>;
}

export interface AlertProfiles {
  id: string;
  org_id: string;
  name: string;
  policy: Json;
  created_at: Instant;
}

export interface ApiKeys {
  id: string;
  org_id: string;
  name: string;
  hash: Buffer;
  prefix: string;
  scopes: string[];
  project_ids: Nullable<string[]>;
  monitor_ids: Nullable<string[]>;
  created_by_user_id: Nullable<string>;
  created_at: Instant;
  expires_at: Nullable<Instant>;
  last_used_at: Nullable<Instant>;
}

export interface Assignments {
  region_no: number;
  monitor_no: number;
  monitor_id: string;
  revision: number;
  interval_seconds: number;
  removed: Defaulted<boolean>;
  changed_at: Instant;
  offset_ms: Nullable<number>;
}

export interface CertificateOrders {
  no: ReadOnly<number>;
  org_id: string;
  domain: string;
  at: Instant;
}

export interface CheckBuckets10m {
  bucket: Instant;
  monitor_no: number;
  region_no: number;
  up: number;
  degraded: number;
  down: number;
  maintenance_up: Nullable<number>;
  maintenance_degraded: Nullable<number>;
  maintenance_down: Nullable<number>;
  latency_count: Nullable<number>;
  latency_max: Nullable<number>;
  latency_sum: Nullable<number>;
  latencies: Nullable<number[]>;
  metric_count: Nullable<number>;
  metric_sum: Nullable<number>;
  metric_max: Nullable<number>;
  metrics: Nullable<number[]>;
  metric_2_count: Nullable<number>;
  metric_2_sum: Nullable<number>;
  metric_2_max: Nullable<number>;
  metrics_2: Nullable<number[]>;
}

export interface CheckBuckets12h {
  bucket: Instant;
  monitor_no: number;
  region_no: number;
  up: number;
  degraded: number;
  down: number;
  maintenance_up: Nullable<number>;
  maintenance_degraded: Nullable<number>;
  maintenance_down: Nullable<number>;
  latency_count: Nullable<number>;
  latency_max: Nullable<number>;
  latency_sum: Nullable<number>;
  latencies: Nullable<number[]>;
  metric_count: Nullable<number>;
  metric_sum: Nullable<number>;
  metric_max: Nullable<number>;
  metrics: Nullable<number[]>;
  metric_2_count: Nullable<number>;
  metric_2_sum: Nullable<number>;
  metric_2_max: Nullable<number>;
  metrics_2: Nullable<number[]>;
}

export interface CheckBuckets1h {
  bucket: Instant;
  monitor_no: number;
  region_no: number;
  up: number;
  degraded: number;
  down: number;
  maintenance_up: Nullable<number>;
  maintenance_degraded: Nullable<number>;
  maintenance_down: Nullable<number>;
  latency_count: Nullable<number>;
  latency_max: Nullable<number>;
  latency_sum: Nullable<number>;
  latencies: Nullable<number[]>;
  metric_count: Nullable<number>;
  metric_sum: Nullable<number>;
  metric_max: Nullable<number>;
  metrics: Nullable<number[]>;
  metric_2_count: Nullable<number>;
  metric_2_sum: Nullable<number>;
  metric_2_max: Nullable<number>;
  metrics_2: Nullable<number[]>;
}

export interface CheckResponses {
  check_id: string;
  checked_at: Instant;
  response_sealed: string;
}

export interface Checks {
  checked_at: Instant;
  monitor_no: number;
  latency_ms: Nullable<number>;
  dns_ms: Nullable<number>;
  connect_ms: Nullable<number>;
  tls_ms: Nullable<number>;
  first_byte_ms: Nullable<number>;
  region_no: number;
  response_code: Nullable<number>;
  status: number;
  failure_class: Nullable<string>;
  cause_layer: Nullable<string>;
  detail: Nullable<string>;
  metric_value: Nullable<number>;
  metric_value_2: Nullable<number>;
}

export interface CommanderReminders {
  incident_id: string;
  due_at: Instant;
}

export interface Deliveries {
  id: string;
  created_at: Instant;
  seq: Defaulted<number>;
  org_id: string;
  target_id: string;
  lane: string;
  event_id: string;
  event: string;
  state: string;
  attempts: Defaulted<number>;
  next_attempt_at: Nullable<Instant>;
  status_code: Nullable<number>;
  error: Nullable<string>;
  finished_at: Nullable<Instant>;
}

export interface DeliveryQueue {
  seq: number;
  delivery_id: string;
  created_at: Instant;
  event_id: string;
  org_id: string;
  target_id: string;
  lane: string;
  attempts: Defaulted<number>;
  next_attempt_at: Instant;
  leased_until: Nullable<Instant>;
  urgency: Defaulted<number>;
}

export interface DowntimeBuckets {
  bucket: Instant;
  monitor_no: number;
  region_no: number;
  up: number;
  degraded: number;
  down: number;
  incident_ids: string[];
}

export interface Edges {
  address: string;
  seen_at: Instant;
  failing_since: Nullable<Instant>;
  failure: Nullable<string>;
  sentence: Nullable<string>;
}

export interface ExampleOutages {
  id: string;
  org_id: string;
  monitor_no: Nullable<number>;
  user_id: Nullable<string>;
  started_at: Instant;
  fails_since: Nullable<Instant>;
  heals_at: Instant;
  ends_at: Instant;
  removed_at: Instant;
  next_at: Nullable<Instant>;
}

export interface FireDrillReaches {
  drill_id: string;
  recipient_id: string;
  channel: string;
  user_id: Nullable<string>;
  target_name: Nullable<string>;
  step: string;
  at: Instant;
  state: string;
  settled_at: Nullable<Instant>;
  error: Nullable<string>;
}

export interface FireDrills {
  id: string;
  org_id: string;
  for_person: boolean;
  user_id: Nullable<string>;
  started_at: Instant;
  started_by_user_id: Nullable<string>;
  started_by_key_name: Nullable<string>;
  ended_at: Nullable<Instant>;
  ended_by_user_id: Nullable<string>;
  ended_by_key_name: Nullable<string>;
  outcome: Nullable<string>;
}

export interface FirstOwners {
  org_id: Nullable<string>;
  user_id: Nullable<string>;
}

export interface GroupedLanes {
  lane: string;
  org_id: string;
  not_before: Instant;
  reported: Nullable<string>;
  posted: Nullable<string>;
  paged: Defaulted<string[]>;
  open_pages: Defaulted<string[]>;
  tried_at: Nullable<Instant>;
  uncertain: Defaulted<boolean>;
}

export interface HeartbeatWatch {
  only_row: Defaulted<boolean>;
  watched_at: Nullable<Instant>;
}

export interface Heartbeats {
  monitor_no: number;
  token_clear: Nullable<string>;
  paused: boolean;
  schedule: Json;
  grace_seconds: number;
  max_runtime_seconds: Nullable<number>;
  upcoming: Defaulted<number[]>;
  last_beat_at: Nullable<Instant>;
  last_ok: Nullable<boolean>;
  last_code: Nullable<number>;
  last_duration_ms: Nullable<number>;
  last_result_at: Nullable<Instant>;
  runs: Defaulted<Json>;
  due_at: Nullable<Instant>;
  extended: Defaulted<boolean>;
  excused: Defaulted<number>;
  unsettled: Defaulted<boolean>;
  unread_from: Nullable<Instant>;
  look_at: Nullable<Instant>;
  token_sealed: Nullable<string>;
  token_hash: string;
  recheck_at: Nullable<Instant>;
}

export interface ImportedPeople {
  org_id: string;
  user_id: string;
  email: string;
}

export interface IncidentCapsules {
  capsule_id: string;
  incident_id: string;
  region_no: number;
  org_id: string;
  monitor_id: string;
  asked_at: Instant;
  skipped: boolean;
  claimed_by: Nullable<string>;
  arrived_at: Nullable<Instant>;
  capsule_sealed: Nullable<string>;
}

export interface IncidentGroups {
  no: ReadOnly<number>;
  org_id: string;
  opened_at: Instant;
  last_opened_at: Instant;
  name: Nullable<string>;
}

export interface IncidentNotes {
  id: string;
  incident_id: string;
  kind: string;
  visibility: string;
  body: string;
  author_name: string;
  author_user_id: Nullable<string>;
  created_at: Instant;
}

export interface IncidentStatusPages {
  incident_id: string;
  status_page_id: string;
  linked_at: Instant;
}

export interface IncidentTimeline {
  no: ReadOnly<number>;
  incident_id: string;
  at: Instant;
  kind: string;
  actor_name: Nullable<string>;
  detail: Nullable<string>;
  actor_user_id: Nullable<string>;
}

export interface Incidents {
  id: string;
  org_id: string;
  monitor_id: string;
  monitor_no: Nullable<number>;
  project_id: Nullable<string>;
  origin: string;
  check_kind: Nullable<string>;
  cause: string;
  summary: string;
  severity: string;
  severity_level: Nullable<string>;
  status: string;
  auto_resolved: Defaulted<boolean>;
  discarded: Defaulted<boolean>;
  down_regions: string[];
  region_count: number;
  started_at: Instant;
  resolved_at: Nullable<Instant>;
  acknowledged_at: Nullable<Instant>;
  acknowledged_by_user_id: Nullable<string>;
  commander_user_id: Nullable<string>;
  alarm_held_until: Nullable<Instant>;
  alarm_held_by_name: Nullable<string>;
  failure_phase_started_at: Nullable<Instant>;
  evidence: Nullable<Json>;
  created_at: Instant;
  group_no: Nullable<number>;
  alarm_held_by_hand: Defaulted<boolean>;
  alarm_held_by_user_id: Nullable<string>;
  alarm_no: Nullable<number>;
  host: Nullable<string>;
  example: Defaulted<boolean>;
}

export interface Installation {
  only_row: Defaulted<boolean>;
  setup_token_hash: Nullable<Buffer>;
  incarnation: Defaulted<string>;
  silent_from: Nullable<Instant>;
  silent_until: Nullable<Instant>;
  bundled_token_no: Defaulted<number>;
}

export interface InvitationMails {
  no: ReadOnly<number>;
  user_id: string;
  at: Instant;
  org_id: Nullable<string>;
  address_hash: Nullable<Buffer>;
}

export interface Invitations {
  id: string;
  org_id: string;
  email: string;
  role: string;
  token_hash: Buffer;
  mailed: Defaulted<boolean>;
  invited_by_user_id: Nullable<string>;
  created_at: Instant;
  expires_at: Instant;
}

export interface KnownAddresses {
  account_hash: Buffer;
  address: string;
  last_at: Instant;
}

export interface LastingKeys {
  purpose: string;
  key_sealed: string;
  created_at: Instant;
}

export interface LateChecks {
  checked_at: Instant;
  monitor_no: number;
  latency_ms: Nullable<number>;
  dns_ms: Nullable<number>;
  connect_ms: Nullable<number>;
  tls_ms: Nullable<number>;
  first_byte_ms: Nullable<number>;
  region_no: number;
  response_code: Nullable<number>;
  status: number;
  failure_class: Nullable<string>;
  cause_layer: Nullable<string>;
  detail: Nullable<string>;
  metric_value: Nullable<number>;
  metric_value_2: Nullable<number>;
}

export interface LiveEvents {
  org_id: string;
  seq: number;
  at: Instant;
  kind: string;
  payload: Json;
}

export interface MaintenanceMonitors {
  window_id: string;
  monitor_no: number;
  starts_at: Instant;
  ends_at: Instant;
  by_tag: Defaulted<boolean>;
}

export interface MaintenanceSeries {
  id: string;
  org_id: string;
  rrule: string;
  timezone: string;
  repeat_until: Nullable<Instant>;
  first_start: Instant;
  first_end: Instant;
  title: string;
  body: string;
  public_visible: boolean;
  made_until: Instant;
  next_at: Nullable<Instant>;
  created_at: Instant;
  tags: Defaulted<string[]>;
}

export interface MaintenanceSeriesMonitors {
  series_id: string;
  monitor_no: number;
}

export interface MaintenanceWindows {
  id: string;
  org_id: string;
  title: string;
  body: string;
  scheduled_start: Instant;
  scheduled_end: Instant;
  public_visible: boolean;
  cancelled_at: Nullable<Instant>;
  started_at: Nullable<Instant>;
  ended_at: Nullable<Instant>;
  created_at: Instant;
  series_id: Nullable<string>;
  occurs_at: Nullable<Instant>;
  tags: Defaulted<string[]>;
  changed_at: Nullable<Instant>;
}

export interface Members {
  org_id: string;
  user_id: string;
  role: string;
  joined_at: Instant;
  first_steps_hidden_at: Nullable<Instant>;
}

export interface MonitorState {
  monitor_no: number;
  calm: Defaulted<boolean>;
  not_before: Instant;
  state: Json;
  last_status: Nullable<string>;
  last_severity: Nullable<string>;
  last_status_since: Nullable<Instant>;
  reevaluate_at: Nullable<Instant>;
  manual_incident: Defaulted<boolean>;
  faster_since: Nullable<Instant>;
  confirming: Nullable<number>;
}

export interface MonitorViews {
  id: string;
  org_id: string;
  user_id: Nullable<string>;
  name: string;
  search: Json;
  created_at: Instant;
}

export interface Monitors {
  id: string;
  no: ReadOnly<number>;
  org_id: string;
  project_id: string;
  name: string;
  slug: string;
  type: string;
  config: Json;
  enabled: boolean;
  interval_seconds: number;
  regions: string[];
  policy: Json;
  alarm_gate: Nullable<Json>;
  created_at: Instant;
  alert_profile_id: ReadOnly<string>;
  depends_on: Defaulted<string[]>;
  severity: Defaulted<string>;
  disabled_reason: Nullable<string>;
  tags: Defaulted<string[]>;
  example: Defaulted<boolean>;
}

export interface Notices {
  no: ReadOnly<number>;
  org_id: string;
  user_id: string;
  channel: string;
  kind: string;
  data: Json;
  alarm_no: Nullable<number>;
  state: string;
  attempts: Defaulted<number>;
  next_attempt_at: Nullable<Instant>;
  leased_until: Nullable<Instant>;
  reached: Defaulted<string[]>;
  error: Nullable<string>;
  created_at: Instant;
  finished_at: Nullable<Instant>;
}

export interface OnCallCalendars {
  org_id: string;
  user_id: string;
  token_hash: Buffer;
  shifts: string;
  created_at: Instant;
}

export interface OnCallOverrides {
  no: ReadOnly<number>;
  id: string;
  org_id: string;
  user_id: string;
  starts_at: Instant;
  ends_at: Instant;
  created_at: Instant;
}

export interface OnCallRosterMembers {
  org_id: string;
  position: number;
  user_id: Nullable<string>;
}

export interface OnCallRosters {
  org_id: string;
  set_at: Instant;
}

export interface OnCallSettings {
  org_id: string;
  enabled: boolean;
  timezone: string;
  rotation_mode: string;
  channel_step_minutes: number;
  escalation_stage1_minutes: number;
  escalation_stage2_minutes: number;
  manual_duty_user_id: Nullable<string>;
  reminder_minutes: Defaulted<number>;
}

export interface Organizations {
  id: string;
  name: string;
  slug: string;
  plan: string;
  live_seq: Defaulted<number>;
  created_at: Instant;
  activity_no: Defaulted<number>;
  activity_hash: Defaulted<Buffer>;
  activity_dropped_no: Defaulted<number>;
  activity_dropped_hash: Defaulted<Buffer>;
  activity_unchained: Defaulted<number>;
  language: Defaulted<string>;
}

export interface Outbox {
  id: string;
  created_at: Instant;
  org_id: string;
  event: string;
  incident_id: Nullable<string>;
  body: string;
  actor_user_id: Nullable<string>;
}

export interface PackedChecks {
  day: Instant;
  monitor_no: number;
  checks: number;
  region_no: number;
  body: string;
  texts: Nullable<string[]>;
  numbers: Nullable<number[]>;
}

export interface PackingState {
  one: Defaulted<boolean>;
  begins_at: Defaulted<Instant>;
  sealed_until: Instant;
  packed_until: Instant;
  packed_no: Defaulted<number>;
  settled_at: Nullable<Instant>;
}

export interface Passkeys {
  id: string;
  user_id: string;
  name: Nullable<string>;
  public_key: string;
  credential_id: string;
  counter: number;
  device_type: string;
  backed_up: boolean;
  transports: Nullable<string>;
  aaguid: Nullable<string>;
  created_at: Nullable<Instant>;
}

export interface Plans {
  name: string;
  monitors: Nullable<number>;
  regions_per_monitor: Nullable<number>;
  seats: Nullable<number>;
  custom_domains_per_page: Nullable<number>;
  min_interval_seconds: number;
  raw_check_retention_days: Nullable<number>;
  on_call: boolean;
  incident_command: boolean;
  private_status_pages: boolean;
  white_label: boolean;
}

export interface Postmortems {
  incident_id: string;
  title: Defaulted<string>;
  summary: Defaulted<string>;
  impact: Defaulted<string>;
  root_cause: Defaulted<string>;
  contributing_factors: Defaulted<string>;
  what_went_well: Defaulted<string>;
  what_went_wrong: Defaulted<string>;
  lessons: Defaulted<string>;
  status: Defaulted<string>;
  visibility: Defaulted<string>;
  published_at: Nullable<Instant>;
  updated_at: Instant;
}

export interface ProbeTokens {
  hash: Buffer;
  region_no: number;
  created_at: Instant;
  id: Defaulted<string>;
  hint: Defaulted<string>;
  last_used_at: Nullable<Instant>;
  max_probes: Nullable<number>;
  bundled: Defaulted<boolean>;
}

export interface Probes {
  region_no: number;
  probe_id: string;
  first_seen_at: Instant;
  last_seen_at: Instant;
  asked_at: Nullable<Instant>;
  token_id: Nullable<string>;
  admission: Defaulted<string>;
  awaited_since: Nullable<Instant>;
  patience_seconds: Defaulted<number>;
  set_aside_at: Nullable<Instant>;
  busy_at: Nullable<Instant>;
  clock_off_ms: Nullable<number>;
}

export interface Projects {
  id: string;
  org_id: string;
  name: string;
  slug: string;
  created_at: Instant;
}

export interface PushSubscriptions {
  id: string;
  user_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  browser: string;
  created_at: Instant;
  last_success_at: Nullable<Instant>;
  last_error: Nullable<string>;
}

export interface Regions {
  no: ReadOnly<number>;
  slug: string;
  name: string;
  internal: Defaulted<boolean>;
  allow_private_targets: Defaulted<boolean>;
  revision: Defaulted<number>;
  created_at: Instant;
  canaries: Defaulted<string[]>;
  private_targets_fixed: Defaulted<boolean>;
  private_targets_choice: Nullable<boolean>;
  private_responses_choice: Nullable<boolean>;
  probe_seen_at: Nullable<Instant>;
}

export interface ReportSubscriptions {
  id: string;
  org_id: string;
  user_id: string;
  kind: string;
  subject_id: Defaulted<string>;
  timezone: string;
  period: string;
  attempts: Defaulted<number>;
  next_try_at: Instant;
  last_sent_at: Nullable<Instant>;
  last_error: Nullable<string>;
  created_at: Instant;
}

export interface ReportedTimes {
  bucket: Instant;
  monitor_no: number;
  rule_since: Instant;
  times: string;
}

export interface ReportingRules {
  monitor_no: number;
  since: Instant;
  until: Nullable<Instant>;
  window_ms: Nullable<number>;
  enabled: boolean;
}

export interface RollupDirty {
  no: ReadOnly<number>;
  monitor_no: number;
  since: Instant;
  until: Instant;
}

export interface RollupState {
  one: Defaulted<boolean>;
  closed_until: Instant;
  rolled_until: Instant;
}

export interface SelfWatch {
  only_row: Defaulted<boolean>;
  watched_at: Nullable<Instant>;
  watching_since: Nullable<Instant>;
  storing_since: Nullable<Instant>;
}

export interface Sessions {
  id: string;
  user_id: string;
  token: string;
  expires_at: Instant;
  ip_address: Nullable<string>;
  user_agent: Nullable<string>;
  created_at: Defaulted<Instant>;
  updated_at: Defaulted<Instant>;
  authenticated_at: Nullable<Instant>;
}

export interface SignInFailures {
  no: ReadOnly<number>;
  account_hash: Buffer;
  address: string;
  at: Instant;
}

export interface Silences {
  monitor_no: number;
  since: Instant;
  cannot_check: Nullable<string>;
  trouble_no: Nullable<number>;
}

export interface StatusPageAnnouncements {
  no: ReadOnly<number>;
  status_page_id: string;
  kind: string;
  monitor_nos: number[];
  facts: Json;
  at: Instant;
}

export interface StatusPageDomains {
  id: string;
  org_id: string;
  status_page_id: string;
  domain: string;
  target_label: string;
  verification_token: string;
  status: string;
  created_at: Instant;
  pending_since: Instant;
  next_check_at: Nullable<Instant>;
  tries: Defaulted<number>;
  verified_at: Nullable<Instant>;
  dangling_since: Nullable<Instant>;
  last_error: Nullable<string>;
  edge_synced: Defaulted<boolean>;
  cert_status: Nullable<string>;
  cert_error: Nullable<string>;
  cert_next_check_at: Nullable<Instant>;
}

export interface StatusPageLogos {
  status_page_id: string;
  ground: string;
  media_type: string;
  bytes: Buffer;
  uploaded_at: Instant;
}

export interface StatusPageMailings {
  no: ReadOnly<number>;
  status_page_id: string;
  announcements: Json;
  created_at: Instant;
}

export interface StatusPageMails {
  no: ReadOnly<number>;
  mailing_no: Nullable<number>;
  subscriber_id: string;
  attempts: Defaulted<number>;
  next_at: Instant;
}

export interface StatusPageMonitors {
  status_page_id: string;
  monitor_no: number;
  display_name: Nullable<string>;
  group_label: Nullable<string>;
  show_sparkline: boolean;
  show_uptime_bars: boolean;
  show_uptime_chart: boolean;
  sort_order: number;
  uptime_window_days: number;
  by_tag: Defaulted<boolean>;
}

export interface StatusPageSlugChanges {
  status_page_id: string;
  at: Instant;
  no: ReadOnly<number>;
}

export interface StatusPageSubscriberMonitors {
  subscriber_id: string;
  monitor_no: number;
}

export interface StatusPageSubscribers {
  id: string;
  status_page_id: string;
  email: string;
  language: string;
  created_at: Instant;
  confirmed_at: Nullable<Instant>;
  all_monitors: Defaulted<boolean>;
  bounces: Defaulted<number>;
}

export interface StatusPageSubscriptionRequests {
  no: ReadOnly<number>;
  status_page_id: string;
  address_hash: Buffer;
  client: string;
  at: Instant;
}

export interface StatusPageViewerLinks {
  token_hash: Buffer;
  viewer_id: string;
  created_at: Instant;
  expires_at: Instant;
}

export interface StatusPageViewerSessions {
  token_hash: Buffer;
  viewer_id: string;
  created_at: Instant;
  expires_at: Instant;
}

export interface StatusPageViewers {
  id: string;
  status_page_id: string;
  username: string;
  email: string;
  password_hash: Nullable<string>;
  created_at: Instant;
  last_login_at: Nullable<Instant>;
}

export interface StatusPages {
  id: string;
  org_id: string;
  name: string;
  slug: string;
  description: Nullable<string>;
  headline: Nullable<string>;
  enabled: Defaulted<boolean>;
  access_mode: Defaulted<string>;
  hide_platform_brand: Defaulted<boolean>;
  collapsed_groups: Defaulted<string[]>;
  header_nav: Defaulted<Json>;
  created_at: Instant;
  archived_at: Nullable<Instant>;
  auto_link_incidents: Defaulted<boolean>;
  timezone: Defaulted<string>;
  shared_password_hash: Nullable<string>;
  unlock_version: Defaulted<number>;
  monitor_tags: Defaulted<string[]>;
}

export interface TargetConcerns {
  about_id: string;
  target_id: string;
  org_id: string;
  concerned: boolean;
}

export interface TestRuns {
  id: string;
  region_no: number;
  type: string;
  config_sealed: string;
  claimed_by: Nullable<string>;
  outcome: Nullable<Json>;
  created_at: Instant;
  org_id: string;
}

export interface Troubles {
  no: ReadOnly<number>;
  kind: string;
  subject: string;
  org_id: Nullable<string>;
  data: Defaulted<Json>;
  began_at: Instant;
  ended_at: Nullable<Instant>;
  notified_at: Nullable<Instant>;
  sending_until: Nullable<Instant>;
  end_notified_at: Nullable<Instant>;
  unmailed: Defaulted<string[]>;
}

export interface TwoFactors {
  id: string;
  user_id: string;
  secret: string;
  backup_codes: string;
  verified: Defaulted<boolean>;
  failed_verification_count: Defaulted<number>;
  locked_until: Nullable<Instant>;
}

export interface Users {
  id: string;
  name: string;
  email: string;
  email_verified: Defaulted<boolean>;
  image: Nullable<string>;
  operator: Defaulted<boolean>;
  created_at: Defaulted<Instant>;
  updated_at: Defaulted<Instant>;
  two_factor_enabled: Defaulted<boolean>;
  first_proof: Nullable<Json>;
  language: Nullable<string>;
}

export interface Verifications {
  id: string;
  identifier: string;
  value: string;
  expires_at: Instant;
  created_at: Defaulted<Instant>;
  updated_at: Defaulted<Instant>;
}

export interface WallLinks {
  id: string;
  org_id: string;
  name: string;
  hash: Buffer;
  created_by_user_id: Nullable<string>;
  created_at: Instant;
  last_seen_at: Nullable<Instant>;
}

export interface WebhookTargets {
  id: string;
  org_id: string;
  name: string;
  kind: string;
  url: string;
  region: Nullable<string>;
  events: string[];
  active: boolean;
  secret_sealed: Nullable<string>;
  secret_hint: string;
  created_at: Instant;
  last_delivery_at: Nullable<Instant>;
  last_delivery_ok: Nullable<boolean>;
  last_error: Nullable<string>;
  failing_since: Nullable<Instant>;
  recent_failures: Defaulted<Instant[]>;
  warned_at: Nullable<Instant>;
  slow: Defaulted<boolean>;
  project_ids: Defaulted<string[]>;
  tags: Defaulted<string[]>;
  min_severity: Defaulted<string>;
  off_since: Nullable<Instant>;
}

export interface DB {
  accounts: Accounts;
  acknowledge_links: AcknowledgeLinks;
  activity: Activity;
  agent_buckets_10m: AgentBuckets10m;
  agent_buckets_12h: AgentBuckets12h;
  agent_enrollment_tokens: AgentEnrollmentTokens;
  agent_events: AgentEvents;
  agent_inventories: AgentInventories;
  agent_readings: AgentReadings;
  agent_states: AgentStates;
  agents: Agents;
  alarm_audience: AlarmAudience;
  alarm_holds: AlarmHolds;
  alarm_standards: AlarmStandards;
  alarm_steps: AlarmSteps;
  alarms: Alarms;
  alert_profiles: AlertProfiles;
  api_keys: ApiKeys;
  assignments: Assignments;
  certificate_orders: CertificateOrders;
  check_buckets_10m: CheckBuckets10m;
  check_buckets_12h: CheckBuckets12h;
  check_buckets_1h: CheckBuckets1h;
  check_responses: CheckResponses;
  checks: Checks;
  commander_reminders: CommanderReminders;
  deliveries: Deliveries;
  delivery_queue: DeliveryQueue;
  downtime_buckets: DowntimeBuckets;
  edges: Edges;
  example_outages: ExampleOutages;
  fire_drill_reaches: FireDrillReaches;
  fire_drills: FireDrills;
  first_owners: FirstOwners;
  grouped_lanes: GroupedLanes;
  heartbeat_watch: HeartbeatWatch;
  heartbeats: Heartbeats;
  imported_people: ImportedPeople;
  incident_capsules: IncidentCapsules;
  incident_groups: IncidentGroups;
  incident_notes: IncidentNotes;
  incident_status_pages: IncidentStatusPages;
  incident_timeline: IncidentTimeline;
  incidents: Incidents;
  installation: Installation;
  invitation_mails: InvitationMails;
  invitations: Invitations;
  known_addresses: KnownAddresses;
  lasting_keys: LastingKeys;
  late_checks: LateChecks;
  live_events: LiveEvents;
  maintenance_monitors: MaintenanceMonitors;
  maintenance_series: MaintenanceSeries;
  maintenance_series_monitors: MaintenanceSeriesMonitors;
  maintenance_windows: MaintenanceWindows;
  members: Members;
  monitor_state: MonitorState;
  monitor_views: MonitorViews;
  monitors: Monitors;
  notices: Notices;
  on_call_calendars: OnCallCalendars;
  on_call_overrides: OnCallOverrides;
  on_call_roster_members: OnCallRosterMembers;
  on_call_rosters: OnCallRosters;
  on_call_settings: OnCallSettings;
  organizations: Organizations;
  outbox: Outbox;
  packed_checks: PackedChecks;
  packing_state: PackingState;
  passkeys: Passkeys;
  plans: Plans;
  postmortems: Postmortems;
  probe_tokens: ProbeTokens;
  probes: Probes;
  projects: Projects;
  push_subscriptions: PushSubscriptions;
  regions: Regions;
  report_subscriptions: ReportSubscriptions;
  reported_times: ReportedTimes;
  reporting_rules: ReportingRules;
  rollup_dirty: RollupDirty;
  rollup_state: RollupState;
  self_watch: SelfWatch;
  sessions: Sessions;
  sign_in_failures: SignInFailures;
  silences: Silences;
  status_page_announcements: StatusPageAnnouncements;
  status_page_domains: StatusPageDomains;
  status_page_logos: StatusPageLogos;
  status_page_mailings: StatusPageMailings;
  status_page_mails: StatusPageMails;
  status_page_monitors: StatusPageMonitors;
  status_page_slug_changes: StatusPageSlugChanges;
  status_page_subscriber_monitors: StatusPageSubscriberMonitors;
  status_page_subscribers: StatusPageSubscribers;
  status_page_subscription_requests: StatusPageSubscriptionRequests;
  status_page_viewer_links: StatusPageViewerLinks;
  status_page_viewer_sessions: StatusPageViewerSessions;
  status_page_viewers: StatusPageViewers;
  status_pages: StatusPages;
  target_concerns: TargetConcerns;
  test_runs: TestRuns;
  troubles: Troubles;
  two_factors: TwoFactors;
  users: Users;
  verifications: Verifications;
  wall_links: WallLinks;
  webhook_targets: WebhookTargets;
}
