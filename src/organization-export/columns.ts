// The columns of tables whose rows are inserted many at a time (insert.ts).
import type { Columns } from './insert.ts';

const instant = 'timestamptz';

export const ALERT_PROFILE: Columns = {
  id: 'text',
  org_id: 'text',
  name: 'text',
  policy: 'jsonb',
  created_at: instant,
};

export const MONITOR: Columns = {
  id: 'text',
  org_id: 'text',
  project_id: 'text',
  name: 'text',
  slug: 'text',
  type: 'text',
  config: 'jsonb',
  enabled: 'boolean',
  interval_seconds: 'int',
  regions: 'text[]',
  policy: 'jsonb',
  alarm_gate: 'jsonb',
  depends_on: 'text[]',
  severity: 'text',
  disabled_reason: 'text',
  tags: 'text[]',
  created_at: instant,
};

export const MONITOR_STATE: Columns = {
  monitor_no: 'int',
  calm: 'boolean',
  not_before: instant,
  state: 'jsonb',
  last_status: 'text',
  last_severity: 'text',
  last_status_since: instant,
  reevaluate_at: instant,
  faster_since: instant,
  confirming: 'int',
};

export const MAINTENANCE_WINDOW: Columns = {
  id: 'text',
  org_id: 'text',
  title: 'text',
  body: 'text',
  scheduled_start: instant,
  scheduled_end: instant,
  public_visible: 'boolean',
  cancelled_at: instant,
  started_at: instant,
  ended_at: instant,
  created_at: instant,
  changed_at: instant,
  series_id: 'text',
  occurs_at: instant,
  tags: 'text[]',
};

export const MAINTENANCE_SERIES: Columns = {
  id: 'text',
  org_id: 'text',
  rrule: 'text',
  timezone: 'text',
  repeat_until: instant,
  first_start: instant,
  first_end: instant,
  title: 'text',
  body: 'text',
  public_visible: 'boolean',
  made_until: instant,
  next_at: instant,
  created_at: instant,
  tags: 'text[]',
};

export const SERIES_MONITOR: Columns = { series_id: 'text', monitor_no: 'int' };

export const MAINTENANCE_MONITOR: Columns = {
  window_id: 'text',
  monitor_no: 'int',
  starts_at: instant,
  ends_at: instant,
  by_tag: 'boolean',
};

export const INCIDENT: Columns = {
  id: 'text',
  org_id: 'text',
  monitor_id: 'text',
  monitor_no: 'int',
  project_id: 'text',
  origin: 'text',
  check_kind: 'text',
  cause: 'text',
  summary: 'text',
  severity: 'text',
  severity_level: 'text',
  status: 'text',
  auto_resolved: 'boolean',
  discarded: 'boolean',
  down_regions: 'text[]',
  region_count: 'int',
  started_at: instant,
  resolved_at: instant,
  acknowledged_at: instant,
  acknowledged_by_user_id: 'text',
  commander_user_id: 'text',
  alarm_held_until: instant,
  alarm_held_by_name: 'text',
  alarm_held_by_user_id: 'text',
  alarm_held_by_hand: 'boolean',
  failure_phase_started_at: instant,
  evidence: 'jsonb',
  created_at: instant,
};

export const TIMELINE: Columns = {
  incident_id: 'text',
  at: instant,
  kind: 'text',
  actor_name: 'text',
  actor_user_id: 'text',
  detail: 'text',
};

export const TARGET: Columns = {
  id: 'text',
  org_id: 'text',
  name: 'text',
  kind: 'text',
  url: 'text',
  region: 'text',
  events: 'text[]',
  active: 'boolean',
  off_since: instant,
  secret_sealed: 'text',
  secret_hint: 'text',
  created_at: instant,
  last_delivery_at: instant,
  last_delivery_ok: 'boolean',
  last_error: 'text',
  project_ids: 'text[]',
  tags: 'text[]',
  min_severity: 'text',
};

export const CONCERN: Columns = {
  about_id: 'text',
  target_id: 'text',
  org_id: 'text',
  concerned: 'boolean',
};

export const EVENT: Columns = {
  id: 'text',
  created_at: instant,
  org_id: 'text',
  event: 'text',
  incident_id: 'text',
  body: 'text',
};

export const DELIVERY: Columns = {
  id: 'text',
  created_at: instant,
  org_id: 'text',
  target_id: 'text',
  lane: 'text',
  event_id: 'text',
  event: 'text',
  state: 'text',
  attempts: 'int',
  next_attempt_at: instant,
  status_code: 'int',
  error: 'text',
  finished_at: instant,
};

export const API_KEY: Columns = {
  id: 'text',
  org_id: 'text',
  name: 'text',
  hash: 'bytea',
  prefix: 'text',
  scopes: 'text[]',
  project_ids: 'text[]',
  monitor_ids: 'text[]',
  created_by_user_id: 'text',
  created_at: instant,
  expires_at: instant,
  last_used_at: instant,
};

export const ACTIVITY: Columns = {
  id: 'text',
  org_id: 'text',
  at: instant,
  actor_kind: 'text',
  actor_id: 'text',
  actor_name: 'text',
  action: 'text',
  resource_kind: 'text',
  resource_id: 'text',
  resource_name: 'text',
  address: 'text',
  before: 'jsonb',
  after: 'jsonb',
  chain_no: 'bigint',
  chain_hash: 'bytea',
  actor_salt: 'bytea',
  actor_digest: 'bytea',
  subject_salt: 'bytea',
  subject_digest: 'bytea',
};

export const CHECK: Columns = {
  monitor_no: 'int',
  region_no: 'smallint',
  checked_at: instant,
  status: 'smallint',
  latency_ms: 'int',
  dns_ms: 'int',
  connect_ms: 'int',
  tls_ms: 'int',
  first_byte_ms: 'int',
  response_code: 'smallint',
  failure_class: 'text',
  cause_layer: 'text',
  detail: 'text',
  metric_value: 'double precision',
  metric_value_2: 'double precision',
};

export const BUCKET: Columns = {
  monitor_no: 'int',
  region_no: 'smallint',
  bucket: instant,
  up: 'int',
  degraded: 'int',
  down: 'int',
  maintenance_up: 'int',
  maintenance_degraded: 'int',
  maintenance_down: 'int',
  latency_count: 'int',
  latency_max: 'int',
  latency_sum: 'bigint',
  latencies: 'int[]',
  metric_count: 'int',
  metric_sum: 'double precision',
  metric_max: 'double precision',
  metrics: 'int[]',
  metric_2_count: 'int',
  metric_2_sum: 'double precision',
  metric_2_max: 'double precision',
  metrics_2: 'int[]',
};

export const DOWNTIME: Columns = {
  monitor_no: 'int',
  region_no: 'smallint',
  bucket: instant,
  up: 'int',
  degraded: 'int',
  down: 'int',
  incident_ids: 'text[]',
};

export const REPORTING_RULE: Columns = {
  monitor_no: 'int',
  since: instant,
  until: instant,
  window_ms: 'bigint',
  enabled: 'boolean',
};
