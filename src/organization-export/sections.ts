// The queries behind the lines of an export: one statement per kind, $1 the organization, `data` the line's data.
import { TIER_1H, TIER_12H } from '../series/rollup-tiers.ts';
import type { LineKind } from './format.ts';

type Section = { kind: LineKind; sql: string };

const section = (kind: LineKind, columns: string, rest: string): Section => ({
  kind,
  sql: `SELECT to_jsonb(s) AS data FROM (SELECT ${columns} FROM ${rest}) s`,
});

/** Of the monitors of the organization. */
const ASSIGNED = 'SELECT unnest(regions) FROM monitors WHERE org_id = $1 AND NOT example';

/** Without the one of monitors that are checked from nowhere: every installation has it. */
export const OTHER_REGIONS = `SELECT slug, name, internal FROM regions WHERE slug <> '' AND slug NOT IN (${ASSIGNED})`;

/** The organization and its members. */
export const HEAD: readonly Section[] = [
  section(
    'organization',
    `id, name, slug, plan, live_seq, created_at, language, activity_no, activity_hash, activity_dropped_no, activity_dropped_hash,
     activity_unchained`,
    'organizations WHERE id = $1',
  ),
  section(
    'member',
    'u.id AS user_id, u.email, u.name, m.role, m.joined_at',
    'members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 ORDER BY m.joined_at, u.email',
  ),
  section(
    'invitation',
    'email, role, created_at, expires_at',
    'invitations WHERE org_id = $1 ORDER BY created_at, email',
  ),
  section('region', 'slug, name, internal', `regions WHERE slug IN (${ASSIGNED}) ORDER BY slug`),
  section(
    'on_call_settings',
    `s.enabled, s.timezone, s.rotation_mode, s.channel_step_minutes, s.escalation_stage1_minutes,
     s.escalation_stage2_minutes, s.reminder_minutes, u.email AS manual_duty_email`,
    `on_call_settings s LEFT JOIN members m ON m.org_id = s.org_id AND m.user_id = s.manual_duty_user_id
     LEFT JOIN users u ON u.id = m.user_id WHERE s.org_id = $1`,
  ),
  // The place of a person who left stays, without a name.
  section(
    'on_call_roster',
    `r.set_at, (SELECT coalesce(jsonb_agg(u.email ORDER BY p.position), '[]') FROM on_call_roster_members p
       LEFT JOIN members m ON m.org_id = p.org_id AND m.user_id = p.user_id LEFT JOIN users u ON u.id = m.user_id
       WHERE p.org_id = r.org_id) AS member_emails`,
    'on_call_rosters r WHERE r.org_id = $1',
  ),
  // In the order in which they were made: of those that overlap the last one counts.
  section(
    'on_call_override',
    'o.id, u.email AS member_email, o.starts_at, o.ends_at, o.created_at',
    `on_call_overrides o JOIN members m ON m.org_id = o.org_id AND m.user_id = o.user_id
     JOIN users u ON u.id = o.user_id WHERE o.org_id = $1 ORDER BY o.no`,
  ),
  section('alarm_standard', 'standard', 'alarm_standards WHERE org_id = $1'),
  section('alert_profile', 'id, name, policy, created_at', 'alert_profiles WHERE org_id = $1 ORDER BY id'),
  section('project', 'id, name, slug, created_at', 'projects WHERE org_id = $1 ORDER BY id'),
];

/** Monitors and targets; their secrets are opened when they are written. */
export const MONITORS = section(
  'monitor',
  `m.id, m.project_id, m.name, m.slug, m.type, m.config, m.enabled, m.interval_seconds, m.regions, m.policy,
   m.alarm_gate, m.depends_on, m.severity, m.disabled_reason, m.tags, m.created_at, s.not_before, s.state, s.last_status, s.last_severity, s.last_status_since,
   s.reevaluate_at, (SELECT jsonb_agg(jsonb_build_object('since', r.since, 'until', r.until, 'window_ms', r.window_ms,
     'enabled', r.enabled) ORDER BY r.since) FROM reporting_rules r WHERE r.monitor_no = m.no) AS reporting`,
  'monitors m JOIN monitor_state s ON s.monitor_no = m.no WHERE m.org_id = $1 AND NOT m.example ORDER BY m.id',
);
export const TARGETS = section(
  'webhook_target',
  `id, name, kind, url, region, events, active, off_since, secret_sealed AS secret, secret_hint, created_at, last_delivery_at,
   last_delivery_ok, last_error, project_ids, tags, min_severity,
   (SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.about_id, 'concerned', c.concerned) ORDER BY c.about_id), '[]')
     FROM target_concerns c WHERE c.target_id = webhook_targets.id AND (EXISTS (SELECT FROM incidents i
       WHERE i.id = c.about_id AND (i.status = 'open' OR NOT c.concerned)) OR EXISTS (SELECT FROM maintenance_windows w
       WHERE w.id = c.about_id AND w.ended_at IS NULL))) AS concerns`,
  'webhook_targets WHERE org_id = $1 ORDER BY id',
);

export const TAIL: readonly Section[] = [
  section(
    'maintenance_series',
    `s.id, s.rrule, s.timezone, s.repeat_until, s.first_start, s.first_end, s.title, s.body, s.public_visible, s.made_until,
     s.next_at, s.created_at, s.tags, ARRAY(SELECT m.id FROM maintenance_series_monitors x JOIN monitors m ON m.no = x.monitor_no
       WHERE x.series_id = s.id ORDER BY m.id) AS monitor_ids`,
    'maintenance_series s WHERE s.org_id = $1 ORDER BY s.id',
  ),
  section(
    'maintenance_window',
    `w.id, w.series_id, w.occurs_at, w.title, w.body, w.scheduled_start, w.scheduled_end, w.public_visible, w.cancelled_at, w.started_at,
     w.ended_at, w.created_at, w.changed_at, w.tags, ARRAY(SELECT m.id FROM maintenance_monitors x JOIN monitors m ON m.no = x.monitor_no
       WHERE x.window_id = w.id ORDER BY m.id) AS monitor_ids, ARRAY(SELECT m.id FROM maintenance_monitors x
       JOIN monitors m ON m.no = x.monitor_no WHERE x.window_id = w.id AND x.by_tag ORDER BY m.id) AS tagged_ids`,
    'maintenance_windows w WHERE w.org_id = $1 ORDER BY w.scheduled_start, w.id',
  ),
  section(
    'heartbeat',
    'm.id AS monitor_id, h.token_sealed AS token, h.token_hash, h.last_beat_at, h.last_ok, h.last_code, h.last_duration_ms',
    'heartbeats h JOIN monitors m ON m.no = h.monitor_no WHERE m.org_id = $1 ORDER BY m.id',
  ),
  section(
    'incident',
    `i.id, i.monitor_id, i.project_id, i.origin, i.check_kind, i.cause, i.summary, i.severity, i.severity_level,
     i.status, i.auto_resolved, i.discarded, i.down_regions, i.region_count, i.started_at, i.resolved_at,
     i.acknowledged_at, a.email AS acknowledged_by_email, c.email AS commander_email, i.alarm_held_until,
     i.alarm_held_by_name, h.email AS alarm_held_by_email, i.alarm_held_by_hand, i.failure_phase_started_at, i.evidence, i.created_at`,
    `incidents i LEFT JOIN users a ON a.id = i.acknowledged_by_user_id LEFT JOIN users c ON c.id = i.commander_user_id
     LEFT JOIN users h ON h.id = i.alarm_held_by_user_id WHERE i.org_id = $1 AND NOT i.example ORDER BY i.id`,
  ),
  section(
    'incident_timeline',
    't.incident_id, t.at, t.kind, t.actor_name, u.email AS actor_email, t.detail',
    `incident_timeline t JOIN incidents i ON i.id = t.incident_id LEFT JOIN users u ON u.id = t.actor_user_id
     WHERE i.org_id = $1 AND NOT i.example ORDER BY t.no`,
  ),
  section(
    'incident_note',
    'n.id, n.incident_id, n.kind, n.visibility, n.body, n.author_name, u.email AS author_email, n.created_at',
    `incident_notes n JOIN incidents i ON i.id = n.incident_id LEFT JOIN users u ON u.id = n.author_user_id
     WHERE i.org_id = $1 AND NOT i.example ORDER BY n.created_at, n.id`,
  ),
  section(
    'postmortem',
    `p.incident_id, p.title, p.summary, p.impact, p.root_cause, p.contributing_factors, p.what_went_well,
     p.what_went_wrong, p.lessons, p.status, p.visibility, p.published_at, p.updated_at`,
    'postmortems p JOIN incidents i ON i.id = p.incident_id WHERE i.org_id = $1 AND NOT i.example ORDER BY p.incident_id',
  ),
  section(
    'status_page',
    `id, name, slug, description, headline, enabled, access_mode, hide_platform_brand, collapsed_groups, header_nav,
     auto_link_incidents, timezone, shared_password_hash, unlock_version, created_at, archived_at, monitor_tags`,
    'status_pages WHERE org_id = $1 ORDER BY id',
  ),
  section(
    'status_page_monitor',
    `x.status_page_id, m.id AS monitor_id, x.display_name, x.group_label, x.show_sparkline, x.show_uptime_bars,
     x.show_uptime_chart, x.sort_order, x.uptime_window_days, x.by_tag`,
    `status_page_monitors x JOIN status_pages p ON p.id = x.status_page_id JOIN monitors m ON m.no = x.monitor_no
     WHERE p.org_id = $1 AND m.org_id = $1 ORDER BY x.status_page_id, x.sort_order, x.monitor_no`,
  ),
  // PostgreSQL breaks base64 into lines.
  section(
    'status_page_logo',
    `x.status_page_id, x.ground, x.media_type, translate(encode(x.bytes, 'base64'), E'\\n', '') AS bytes, x.uploaded_at`,
    `status_page_logos x JOIN status_pages p ON p.id = x.status_page_id WHERE p.org_id = $1
     ORDER BY x.status_page_id, x.ground`,
  ),
  section(
    'status_page_viewer',
    'x.id, x.status_page_id, x.username, x.email, x.password_hash, x.created_at, x.last_login_at',
    `status_page_viewers x JOIN status_pages p ON p.id = x.status_page_id WHERE p.org_id = $1
     ORDER BY x.created_at, x.id`,
  ),
  section(
    'status_page_domain',
    'id, status_page_id, domain, created_at',
    'status_page_domains WHERE org_id = $1 ORDER BY created_at, id',
  ),
  section(
    'status_page_subscriber',
    `x.id, x.status_page_id, x.email, x.language, x.created_at, x.confirmed_at, x.bounces, CASE WHEN NOT x.all_monitors THEN ARRAY(
       SELECT m.id FROM status_page_subscriber_monitors c JOIN monitors m ON m.no = c.monitor_no
       WHERE c.subscriber_id = x.id ORDER BY m.id) END AS monitor_ids`,
    `status_page_subscribers x JOIN status_pages p ON p.id = x.status_page_id WHERE p.org_id = $1
     ORDER BY x.created_at, x.id`,
  ),
  section(
    'incident_status_page',
    'l.incident_id, l.status_page_id, l.linked_at',
    `incident_status_pages l JOIN incidents i ON i.id = l.incident_id WHERE i.org_id = $1
     ORDER BY l.linked_at, l.incident_id, l.status_page_id`,
  ),
  section(
    'webhook_event',
    'o.id, o.created_at, o.event, o.incident_id, o.body',
    'outbox o WHERE o.org_id = $1 ORDER BY o.created_at, o.id',
  ),
  // Nobody can see the deliveries of deleted targets any more. A key is target:subject; groups
  // of incidents end here: waiting deliveries of a group are sent separately per incident.
  section(
    'delivery',
    `d.id, d.created_at, d.target_id, CASE WHEN split_part(d.lane, ':', 2) = 'group' THEN coalesce(o.incident_id, d.event_id)
       ELSE split_part(d.lane, ':', 2) END AS incident_id, d.event_id, d.event, d.state, d.attempts, d.next_attempt_at,
     d.status_code, d.error, d.finished_at`,
    `deliveries d JOIN webhook_targets t ON t.id = d.target_id
     LEFT JOIN outbox o ON o.id = d.event_id AND o.created_at = d.created_at WHERE d.org_id = $1 ORDER BY d.seq`,
  ),
  section(
    'api_key',
    `k.id, k.name, k.hash, k.prefix, k.scopes, k.project_ids, k.monitor_ids, u.email AS created_by_email,
     k.created_at, k.expires_at, k.last_used_at`,
    'api_keys k LEFT JOIN users u ON u.id = k.created_by_user_id WHERE k.org_id = $1 ORDER BY k.id',
  ),
  section(
    'activity',
    `id, at, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, address, before,
     after, chain_no, chain_hash, actor_salt, actor_digest, subject_salt, subject_digest`,
    'activity WHERE org_id = $1 ORDER BY chain_no NULLS FIRST, at, id',
  ),
];

/**
 * Since when the single checks of a monitor ($1: its number) are exported, if those since the UTC day of $2 are wanted; null
 * where all are. Never later than what is rolled up: the rest is nowhere but in its checks.
 */
export const SINGLE_CHECKS_SINCE = `
  SELECT CASE WHEN $2::timestamptz IS NULL THEN '-infinity'
    ELSE date_trunc('day', least($2, rolled_until, (SELECT min(since) FROM rollup_dirty WHERE monitor_no = $1)), 'UTC')
    END::text AS since
  FROM rollup_state`;

/** Checks of one monitor ($1: its number) since $2, in the order of the table's key. */
export const CHECKS = `
  SELECT c.region_no, to_jsonb(s) AS data FROM monitors m CROSS JOIN regions r
  CROSS JOIN LATERAL stored_checks(m.no, r.no, $2, 'infinity') c CROSS JOIN LATERAL (
    SELECT m.id AS monitor_id, r.slug AS region, c.checked_at,
      (ARRAY['up', 'degraded', 'down'])[c.status + 1] AS status,
      EXISTS (SELECT FROM maintenance_monitors w WHERE w.monitor_no = c.monitor_no AND c.checked_at >= w.starts_at
        AND c.checked_at < w.ends_at) AS in_maintenance, c.latency_ms, c.dns_ms, c.connect_ms, c.tls_ms,
      c.first_byte_ms, c.response_code, c.failure_class, c.cause_layer, c.detail, c.metric_value, c.metric_value_2
  ) s
  WHERE m.no = $1 ORDER BY c.region_no, c.checked_at`;

/** Where the checks of a monitor ($1) since $2 begin: what was rolled up of these is made again of them. */
const CHECKED_SINCE = `coalesce(date_trunc('day', least(
  (SELECT min(checked_at) FROM checks WHERE monitor_no = $1 AND checked_at >= $2),
  (SELECT min(checked_at) FROM late_checks WHERE monitor_no = $1 AND checked_at >= $2),
  (SELECT min(day) FROM packed_checks WHERE monitor_no = $1 AND day >= $2)), 'UTC'), 'infinity')`;

/** What is left of a monitor's ($1: its number) checks that are not exported ($2: those before it), by kind of line. */
export const ROLLED_UP: readonly Section[] = [
  ...[TIER_1H, TIER_12H].map(({ table, seconds }) =>
    section(
      'check_bucket',
      `m.id AS monitor_id, r.slug AS region, ${seconds} AS seconds, b.bucket, b.up, b.degraded, b.down, b.maintenance_up,
       b.maintenance_degraded, b.maintenance_down, b.latency_count, b.latency_max, b.latency_sum, b.latencies,
       b.metric_count, b.metric_sum, b.metric_max, b.metrics, b.metric_2_count, b.metric_2_sum, b.metric_2_max,
       b.metrics_2`,
      `${table} b JOIN monitors m ON m.no = b.monitor_no JOIN regions r ON r.no = b.region_no
       WHERE b.monitor_no = $1 AND b.bucket < ${CHECKED_SINCE} ORDER BY b.bucket, b.region_no`,
    ),
  ),
  section(
    'downtime_bucket',
    'm.id AS monitor_id, r.slug AS region, b.bucket, b.up, b.degraded, b.down, b.incident_ids',
    `downtime_buckets b JOIN monitors m ON m.no = b.monitor_no JOIN regions r ON r.no = b.region_no
     WHERE b.monitor_no = $1 AND b.bucket < ${CHECKED_SINCE} ORDER BY b.bucket, b.region_no, b.incident_ids`,
  ),
  section(
    'reported_time',
    `m.id AS monitor_id, k.bucket, k.rule_since,
     ARRAY(SELECT jsonb_build_array(lower(t), upper(t)) FROM unnest(k.times) AS t) AS times`,
    `reported_times k JOIN monitors m ON m.no = k.monitor_no
     WHERE k.monitor_no = $1 AND k.bucket < ${CHECKED_SINCE} ORDER BY k.bucket, k.rule_since`,
  ),
];
