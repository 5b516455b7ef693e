// The lines of an export about incidents, and the status pages they are linked to.
import { Type } from 'typebox';
import {
  INCIDENT_SEVERITIES,
  INCIDENT_SEVERITY_LEVELS,
  INCIDENT_STATUSES,
  NOTE_KINDS,
  VISIBILITIES,
} from '../domain/names.ts';
import { Evidence } from '../incidents/contract.ts';
import { Count, Instant, id, Names, nullable, object, oneOf, Text } from './format-fields.ts';

export const KINDS_OF_INCIDENTS = {
  incident: object({
    id: id('inc'),
    monitor_id: Type.Union([Type.Literal(''), id('mon')]),
    project_id: nullable(id('prj')),
    origin: oneOf(['automatic', 'manual']),
    check_kind: nullable(Text),
    cause: Text,
    summary: Text,
    severity: oneOf(INCIDENT_SEVERITIES),
    severity_level: nullable(oneOf(INCIDENT_SEVERITY_LEVELS)),
    status: oneOf(INCIDENT_STATUSES),
    auto_resolved: Type.Boolean(),
    discarded: Type.Boolean(),
    down_regions: Names,
    region_count: Count,
    started_at: Instant,
    resolved_at: nullable(Instant),
    acknowledged_at: nullable(Instant),
    acknowledged_by_email: nullable(Text),
    commander_email: nullable(Text),
    alarm_held_until: nullable(Instant),
    alarm_held_by_name: nullable(Text),
    /** Missing in older exports. */
    alarm_held_by_email: Type.Optional(nullable(Text)),
    alarm_held_by_hand: Type.Optional(Type.Boolean()),
    failure_phase_started_at: nullable(Instant),
    evidence: nullable(Evidence),
    created_at: Instant,
  }),
  incident_timeline: object({
    incident_id: id('inc'),
    at: Instant,
    kind: Text,
    actor_name: nullable(Text),
    /** Missing in older exports. */
    actor_email: Type.Optional(nullable(Text)),
    detail: nullable(Text),
  }),
  incident_note: object({
    id: id('nte'),
    incident_id: id('inc'),
    kind: oneOf(NOTE_KINDS),
    visibility: oneOf(VISIBILITIES),
    body: Text,
    author_name: Text,
    /** Missing in older exports. */
    author_email: Type.Optional(nullable(Text)),
    created_at: Instant,
  }),
  postmortem: object({
    incident_id: id('inc'),
    title: Text,
    summary: Text,
    impact: Text,
    root_cause: Text,
    contributing_factors: Text,
    what_went_well: Text,
    what_went_wrong: Text,
    lessons: Text,
    status: oneOf(['draft', 'published']),
    visibility: oneOf(VISIBILITIES),
    published_at: nullable(Instant),
    updated_at: Instant,
  }),
} as const;
