// The format of an export: one JSON object per line, `{kind, data}`, the first line a header. Each kind has its shape
// here, and an import accepts nothing else.
import { type Static, Type } from 'typebox';
import { AlarmStandard } from '../alarm-policy/contract.ts';
import { SCOPES } from '../api-keys/contract.ts';
import {
  CHANNEL_NAMES,
  CHECK_STATUSES,
  EVENT_NAMES,
  INCIDENT_SEVERITIES,
  PAGE_LANGUAGES,
  ROLES,
  ROTATION_MODES,
} from '../domain/names.ts';
import { AlarmGate, Policy } from '../monitors/contract.ts';
import { closed, Int32 } from '../platform/contract.ts';
import { KINDS_OF_CHECKS } from './format-checks.ts';
import {
  ChainHash,
  ChainNo,
  Count,
  Hash,
  Instant,
  id,
  Ms,
  Name,
  Names,
  nullable,
  object,
  oneOf,
  Place,
  Slug,
  Text,
} from './format-fields.ts';
import { KINDS_OF_INCIDENTS } from './format-incidents.ts';
import { KINDS_OF_MAINTENANCE } from './format-maintenance.ts';
import { KINDS_OF_STATUS_PAGES } from './format-status-pages.ts';

/** Raised when an older Tocsin could not import the output of this one. */
export const FORMAT = 1;
export const LINES_FILE = 'organization.jsonl';
export const HEADER_KIND = 'tocsin_organization_export';

const RegionState = object({
  condition: oneOf(['recovered', 'failing', 'doubtful']),
  changedMs: nullable(Ms),
  fails: Count,
  passes: Count,
  longest: Count,
  firstFailureMs: nullable(Ms),
  last: object({ atMs: Ms, status: oneOf(CHECK_STATUSES) }),
});

/** domain/confirmation-state: every evaluation uses the stored state, so an import validates every field of it. */
const State = object({
  regions: Type.Record(Place, RegionState, closed),
  outage: nullable(
    object({
      sinceMs: Ms,
      regions: Names,
      openedMs: nullable(Ms),
      blocked: nullable(oneOf(['maintenance', 'silence'])),
      online: Names,
    }),
  ),
  phase: nullable(object({ startedMs: Ms, firstFailureMs: Ms, regions: Names })),
});

const ReportingRule = object({
  since: Instant,
  until: nullable(Instant),
  window_ms: nullable(Ms),
  enabled: Type.Boolean(),
});

const { effective_alarm: _, ...ownPolicy } = Policy.properties;
const { alert_profile_id: __, ...profilePolicy } = ownPolicy;
const { min_regions, ...standardPolicy } = AlarmStandard.properties;

export const KINDS_OF_LINES = {
  [HEADER_KIND]: object({
    format: Type.Integer(),
    tocsin_version: Text,
    exported_at: Instant,
    organization_id: id('org'),
  }),
  organization: object({
    id: id('org'),
    name: Name,
    slug: Slug,
    plan: Text,
    live_seq: Type.Integer({ minimum: 0 }),
    created_at: Instant,
    /** Not in exports of before it was there, and so the others below. */
    language: Type.Optional(oneOf(PAGE_LANGUAGES)),
    activity_no: Type.Optional(ChainNo),
    activity_hash: Type.Optional(ChainHash),
    activity_dropped_no: Type.Optional(ChainNo),
    activity_dropped_hash: Type.Optional(ChainHash),
    activity_unchained: Type.Optional(ChainNo),
  }),
  member: object({
    /** Their id in the log. Missing in older exports. */
    user_id: Type.Optional(Text),
    email: Text,
    name: Text,
    role: oneOf(ROLES),
    joined_at: Instant,
  }),
  invitation: object({ email: Text, role: oneOf(ROLES), created_at: Instant, expires_at: Instant }),
  region: object({ slug: Slug, name: Name, internal: Type.Boolean() }),
  on_call_settings: object({
    enabled: Type.Boolean(),
    timezone: Text,
    rotation_mode: oneOf(ROTATION_MODES),
    channel_step_minutes: Int32(0, 120),
    escalation_stage1_minutes: Int32(1, 1440),
    escalation_stage2_minutes: Int32(1, 1440),
    /** Not in exports of before it was there. */
    reminder_minutes: Type.Optional(Int32(0, 1440)),
    manual_duty_email: nullable(Text),
  }),
  on_call_roster: object({ set_at: Instant, member_emails: Type.Array(nullable(Text), { maxItems: 200 }) }),
  on_call_override: object({
    /** Not in exports of before it was there. */
    id: Type.Optional(id('ovr')),
    member_email: Text,
    starts_at: Instant,
    ends_at: Instant,
    created_at: Instant,
  }),
  alarm_standard: object({
    standard: object({ min_regions, ...Type.Partial(Type.Object(standardPolicy)).properties }),
  }),
  alert_profile: object({
    id: id('alp'),
    name: Name,
    policy: Type.Partial(Type.Object(profilePolicy), closed),
    created_at: Instant,
  }),
  project: object({ id: id('prj'), name: Name, slug: Slug, created_at: Instant }),
  monitor: object({
    id: id('mon'),
    project_id: id('prj'),
    name: Name,
    slug: Slug,
    type: Text,
    config: Type.Record(Type.String(), Type.Unknown()),
    enabled: Type.Boolean(),
    interval_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    regions: Type.Array(Slug, { maxItems: 1000 }),
    policy: Type.Partial(Type.Object(ownPolicy), closed),
    alarm_gate: nullable(AlarmGate),
    /** Not in exports of before it was there. */
    depends_on: Type.Optional(Type.Array(id('mon'), { maxItems: 10 })),
    severity: Type.Optional(oneOf(INCIDENT_SEVERITIES)),
    disabled_reason: Type.Optional(nullable(Text)),
    tags: Type.Optional(Type.Array(Text, { maxItems: 100 })),
    /** Not in exports of before it was there. */
    reporting: Type.Optional(nullable(Type.Array(ReportingRule, { maxItems: 10_000 }))),
    created_at: Instant,
    not_before: Instant,
    state: State,
    last_status: nullable(Text),
    last_severity: nullable(Text),
    last_status_since: nullable(Instant),
    reevaluate_at: nullable(Instant),
  }),
  heartbeat: object({
    monitor_id: id('mon'),
    token: Type.String({ pattern: '^[A-Za-z0-9_-]{20,64}$' }),
    last_beat_at: nullable(Instant),
    last_ok: nullable(Type.Boolean()),
    last_code: nullable(Type.Integer({ minimum: 0, maximum: 255 })),
    last_duration_ms: nullable(Count),
  }),
  ...KINDS_OF_MAINTENANCE,
  ...KINDS_OF_INCIDENTS,
  ...KINDS_OF_STATUS_PAGES,
  webhook_target: object({
    id: id('wht'),
    name: Name,
    kind: oneOf(CHANNEL_NAMES),
    url: Type.String({ pattern: '^https?://', maxLength: 4096 }),
    region: nullable(Text),
    events: Type.Array(oneOf(EVENT_NAMES), { minItems: 1, maxItems: 1000 }),
    active: Type.Boolean(),
    /** Not in exports of before it was there. */
    off_since: Type.Optional(nullable(Instant)),
    // Null for chat kinds, which only have an address.
    secret: nullable(Type.String({ minLength: 1, maxLength: 4096 })),
    secret_hint: Text,
    created_at: Instant,
    last_delivery_at: nullable(Instant),
    last_delivery_ok: nullable(Type.Boolean()),
    last_error: nullable(Text),
    project_ids: Type.Optional(Type.Array(Text, { maxItems: 1000 })),
    tags: Type.Optional(Type.Array(Text, { maxItems: 1000 })),
    min_severity: Type.Optional(oneOf(INCIDENT_SEVERITIES)),
    // Whether it receives incidents and windows: those that are not over, and incidents that its filter left out.
    concerns: Type.Optional(
      Type.Array(object({ id: Text, concerned: Type.Boolean() }), { maxItems: 1_000_000 }),
    ),
  }),
  webhook_event: object({
    id: id('evt'),
    created_at: Instant,
    event: Text,
    incident_id: nullable(id('inc')),
    body: Type.String({ maxLength: 4_000_000 }),
  }),
  delivery: object({
    id: id('dlv'),
    created_at: Instant,
    target_id: id('wht'),
    /** The subject of the ordering key: an incident, a maintenance window, or an event of neither. */
    incident_id: Type.Union([id('inc'), id('mwn'), id('evt')]),
    event_id: id('evt'),
    event: Text,
    state: oneOf(['pending', 'delivered', 'failed', 'cancelled']),
    attempts: Count,
    next_attempt_at: nullable(Instant),
    status_code: nullable(Count),
    error: nullable(Text),
    finished_at: nullable(Instant),
  }),
  api_key: object({
    id: id('key'),
    name: Name,
    hash: Hash,
    prefix: Text,
    scopes: Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: 1000 }),
    project_ids: nullable(Names),
    monitor_ids: nullable(Names),
    created_by_email: nullable(Text),
    created_at: Instant,
    expires_at: nullable(Instant),
    last_used_at: nullable(Instant),
  }),
  activity: object({
    id: id('act'),
    at: Instant,
    actor_kind: Text,
    actor_id: nullable(Text),
    actor_name: nullable(Text),
    action: Text,
    resource_kind: Text,
    resource_id: Text,
    resource_name: nullable(Text),
    address: nullable(Text),
    before: Type.Unknown(),
    after: Type.Unknown(),
    /** Not in exports of before it was there. */
    chain_no: Type.Optional(nullable(ChainNo)),
    chain_hash: Type.Optional(nullable(Hash)),
    actor_salt: Type.Optional(nullable(ChainHash)),
    actor_digest: Type.Optional(nullable(Hash)),
    subject_salt: Type.Optional(nullable(ChainHash)),
    subject_digest: Type.Optional(nullable(Hash)),
  }),
  ...KINDS_OF_CHECKS,
} as const;

export type LineKind = keyof typeof KINDS_OF_LINES;
export type DataOf<K extends LineKind> = Static<(typeof KINDS_OF_LINES)[K]>;
