// The body of an event (docs/rules/notifications.md#payload): rendered once, stored, and byte-identical on every attempt of
// a webhook.
import type { EventName } from '../domain/names.ts';
import { unix } from '../platform/unix.ts';

/** An incident as the API shows it, without personal data. The fields named here are the ones that chat and paging use. */
export type IncidentPayload = {
  id: string;
  cause: string;
  summary: string;
  status: string;
  lifecycle_state: string;
  severity: string;
  severity_level: string | null;
  started_at_unix: number;
  resolved_at_unix: number | null;
  acknowledged_at_unix: number | null;
  auto_resolved: boolean;
  down_regions: string[];
  region_count: number;
  monitor_name: string | null;
  project_name: string | null;
} & Record<string, unknown>;

export type NotePayload = { id: string; body: string; kind: string; visibility: string; author_name: string };
export type MaintenancePayload = {
  id: string;
  title: string;
  body: string;
  scheduled_start: number;
  scheduled_end: number;
  cancelled: boolean;
  monitors: { id: string; name: string }[];
};

/** A fire drill, as a test event. `state` closed: it is over. */
export type DrillPayload = { id: string; state: 'open' | 'closed'; text: string };

export type EventBody = {
  id: string;
  event: EventName;
  created_at_unix: number;
  organization: { id: string; name: string; slug: string };
  project: { id: string; name: string; slug: string } | null;
  monitor: { id: string; name: string; type: string } | null;
  incident: IncidentPayload | null;
  note?: NotePayload & Record<string, unknown>;
  maintenance?: MaintenancePayload & Record<string, unknown>;
  test?: true;
  drill?: DrillPayload;
};

/** Exactly these bytes are signed and sent. */
export function renderBody(id: string, now: Date, what: Omit<EventBody, 'id' | 'created_at_unix'>): string {
  const { event, organization, project, monitor, incident, note, maintenance, test, drill } = what;
  return JSON.stringify({
    id,
    event,
    created_at_unix: unix(now),
    organization,
    project,
    monitor,
    incident,
    ...(note ? { note } : {}),
    ...(maintenance ? { maintenance } : {}),
    ...(test ? { test } : {}),
    ...(drill ? { drill } : {}),
  } satisfies EventBody);
}
