// Tells everybody about a change of an incident: subscribed targets through the outbox, connected dashboards live.
import type { EventName } from '../domain/names.ts';
import { publishIncident } from '../events/publish.ts';
import type { Work } from '../platform/work.ts';
import { enqueueEvent, type Names } from '../webhooks/enqueue.ts';
import { detailOf, type IncidentRow, lifecycleState } from './queries.ts';

type Announced = Extract<EventName, 'opened' | 'acknowledged' | 'resolved'>;

/**
 * Writes the event into the outbox, with one delivery per subscribed target, and publishes it live. `names` where they
 * were read ahead, beside what had to be read anyway.
 */
export async function announceIncident(
  work: Work,
  row: IncidentRow,
  event: Announced,
  names?: Names,
): Promise<void> {
  const incident = detailOf(row, work.now);
  await enqueueEvent(work, {
    orgId: row.org_id,
    event,
    projectId: row.project_id,
    monitorNo: row.monitor_no,
    // Personal data stays inside (decisions, section 8).
    incident: { ...incident, acknowledged_by_email: null, commander_email: null },
    ...(names ? { names } : {}),
  });
  publishChange(work, row, event);
}

/** Tells connected dashboards only: of a hold nobody else is told. */
export function publishChange(work: Work, row: IncidentRow, change: Announced | 'held' | 'hold_ended'): void {
  publishIncident(work, row.org_id, {
    incident_id: row.id,
    monitor_id: row.monitor_id,
    monitor_name: row.monitor_name,
    project_id: row.project_id,
    change,
    status: row.status,
    lifecycle_state: lifecycleState(row),
    severity: row.severity,
    cause: row.cause,
  });
}
