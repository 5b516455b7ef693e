// Tells everybody about a change of an incident: subscribed targets through the outbox, connected dashboards live, and
// the alarm chain. Gathered while a unit of work runs and told at its end: many at a time cost few statements, and how
// many open together is known.
import type { EventName } from '../domain/names.ts';
import type { IncidentChange } from '../events/contract.ts';
import { publishIncident } from '../events/publish.ts';
import { enqueueEvents } from '../notifications/outbox.ts';
import { lockOrganization } from '../organizations/lock.ts';
import { announcement } from '../platform/announcement.ts';
import { type Collector, defer, flushNow, type Work } from '../platform/work.ts';
import type { Note } from './actions-contract.ts';
import { joinGroup } from './groups.ts';
import { detailOf, type IncidentRow, lifecycleState } from './queries.ts';

export type Changed = { row: IncidentRow; change: IncidentChange; note?: Note };

/** Incidents of one organization changed, in this order; its row is locked. */
export const incidentsChanged = announcement<{ orgId: string; changes: readonly Changed[] }>();

/** Under which name targets are told; what is not named here they are not told of (docs/rules/notifications.md#events). */
export const EVENT_OF: Partial<Record<IncidentChange, EventName>> = {
  opened: 'opened',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  noted: 'updated',
  escalated: 'escalated',
  discarded: 'discarded',
  restored: 'restored',
  postmortem: 'postmortem_published',
};

const collector: Collector<Changed> = {
  name: 'changes of incidents',
  rank: 2,
  async flush(work, items) {
    const byOrg = Map.groupBy(items, ({ row }) => row.org_id);
    for (const orgId of [...byOrg.keys()].sort()) {
      const changes = byOrg.get(orgId) ?? [];
      await lockOrganization(work.tx, orgId);
      await joinGroup(
        work,
        orgId,
        changes.filter(({ change }) => change === 'opened').map(({ row }) => row),
      );
      shareGroups(changes);
      await enqueueEvents(work, orgId, outboxEvents(work, changes), ['webhook', 'chat']);
      await incidentsChanged.announce(work, { orgId, changes });
    }
  },
};

/** What opened and changed again in the same unit of work has several rows: all of them know the group. */
function shareGroups(changes: readonly Changed[]): void {
  const groupOf = new Map(
    changes.flatMap(({ row, change }) => (change === 'opened' ? [[row.id, row.group_no] as const] : [])),
  );
  for (const { row } of changes) row.group_no ??= groupOf.get(row.id) ?? null;
}

/** What the outbox is told of these changes; paging targets are told by the alarm chain. */
export function outboxEvents(work: Work, changes: readonly Changed[]) {
  return changes.flatMap(({ row, change, note }) => {
    const event = EVENT_OF[change];
    if (!event) return [];
    return {
      event,
      projectId: row.project_id,
      monitorNo: row.monitor_no,
      groupNo: row.group_no,
      // Personal data stays inside (docs/rules/notifications.md#payload).
      incident: { ...detailOf(row, work.now), acknowledged_by_email: null, commander_email: null },
      ...(note ? { note } : {}),
    };
  });
}

/** Has a change told when this unit of work ends; `row` is the incident as it is after it. */
export function announceIncident(work: Work, row: IncidentRow, change: IncidentChange, note?: Note): void {
  defer(work, collector, { row, change, ...(note ? { note } : {}) });
  publishChange(work, row, change);
}

/** Tells connected dashboards only. */
export function publishChange(work: Work, row: IncidentRow, change: IncidentChange): void {
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

/** Tells what was announced so far now: before what it names goes. */
export const announceNow = (work: Work): Promise<void> => flushNow(work, collector);
