// Stop 6 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From open.ts, and from all other code that changes an
// incident: one call of `announceIncident` per change. Changes are collected while the unit of work runs and handled at its
// end, in the same transaction, so that many take few statements and incidents that open together form a group.
// Next, ../notifications/outbox.ts: the events for subscribed targets. Dashboards and the alarm chain are notified here too.

import { sql } from 'kysely';
import type { EventName } from '../domain/names.ts';
import { severityRankOf } from '../domain/severity-rank.ts';
import type { IncidentChange } from '../events/contract.ts';
import { publishIncident } from '../events/publish.ts';
import { moveToGroups } from '../notifications/delivery/move-to-groups.ts';
import { enqueueTo } from '../notifications/outbox.ts';
import { type RoutingData, readRoutingData, type Subject } from '../notifications/routing-data.ts';
import { lockOrganization } from '../organizations/lock.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import { hook } from '../platform/hook.ts';
import { type Collector, canFollow, defer, flushNow, follow, type Work } from '../platform/work.ts';
import type { Note } from './actions-contract.ts';
import { type JoinedIncident, joinGroups } from './groups.ts';
import { detailOf, type IncidentRow, lifecycleState, selectIncidents } from './queries.ts';

export type Changed = { row: IncidentRow; change: IncidentChange; note?: Note };

/**
 * Incidents of one organization are about to be announced: reactions read what they need, right behind the lock of its row and
 * without a further round trip. Groups may still change.
 */
export const incidentsChanging = hook<{ orgId: string; changes: readonly Changed[] }>();

type Announced = {
  orgId: string;
  changes: readonly Changed[];
  /** Incidents that opened earlier and have now joined a group. */
  joined: readonly JoinedIncident[];
  /** null: the organization was deleted meanwhile. */
  routing: RoutingData | null;
};

/** Incidents of one organization changed, in this order. The organization's row is locked. */
export const incidentsChanged = hook<Announced>();

/**
 * Alarms follow these changes: they start, merge, pause, resume or end. Before `incidentsChanged`; those of incidents that open start
 * in a unit of work of their own. The organization's row is locked.
 */
export const alarmsFollow = hook<Announced>();

/** The event that targets get for a change; changes without an entry send none (docs/rules/notifications.md#events). */
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
      // Webhooks and chats need not wait for it: starting an alarm takes as many statements as opening the incident.
      const startsLater = canFollow(work) && changes.every(({ change }) => change === 'opened');
      const rowsOf = (opened: boolean) =>
        changes.filter(({ change }) => (change === 'opened') === opened).map(({ row }) => row);
      const [, joined, routing] = await pipelined(
        // Every transaction that counts openings or changes alarms holds this lock.
        () => lockOrganization(work.tx, orgId),
        () => joinGroups(work, orgId, rowsOf(true), rowsOf(false)),
        () => readRoutingData(work, orgId, changes.map(subjectOf)),
        async () => (startsLater ? undefined : incidentsChanging.run(work, { orgId, changes })),
      );
      await moveToGroups(work, orgId, joined);
      await enqueueTo(work, routing, outboxEvents(work, changes), ['webhook', 'chat']);
      const announced = { orgId, changes, joined, routing };
      if (startsLater) {
        // Not later: a message about the storm may be due at once, and is about the alarms that have merged.
        if (joined.length > 0) await alarmsFollow.run(work, { ...announced, changes: [] });
        follow(work, (next) => startAlarms(next, announced));
      } else await alarmsFollow.run(work, announced);
      await incidentsChanged.run(work, announced);
    }
  },
};

/**
 * Starts the alarms of incidents that the unit of work before has opened. They are read again, because they may have changed
 * since. The watchdog starts what this leaves undone (../on-call/alarm/watchdog.ts).
 */
async function startAlarms(work: Work, { orgId, changes: before }: Announced): Promise<void> {
  const { tx } = work;
  const opened = before.map(({ row }) => row.id);
  // In the order that is used everywhere: incidents by id, then their organization.
  const [, read] = await pipelined(
    () =>
      sql`SELECT FROM incidents WHERE id = ANY(${opened}::text[]) ORDER BY id FOR NO KEY UPDATE`.execute(tx),
    () => selectIncidents(tx).where('incidents.id', '=', sql<string>`ANY(${opened}::text[])`).execute(),
  );
  const placeOf = new Map(opened.map((id, place) => [id, place]));
  const rows = read.toSorted((a, b) => (placeOf.get(a.id) ?? 0) - (placeOf.get(b.id) ?? 0));
  // The others are over, or ring already: a hold or maintenance has ended, or the watchdog was quicker.
  const changes = rows.flatMap((row): Changed[] =>
    row.alarm_no === null && row.status === 'open' ? [{ row, change: 'opened' }] : [],
  );
  const [exists, joined, routing] = await pipelined(
    () => lockOrganization(tx, orgId),
    // A storm that began meanwhile has left out what is locked here.
    () => joinGroups(work, orgId, [], rows),
    () => readRoutingData(work, orgId, changes.map(subjectOf)),
    () => incidentsChanging.run(work, { orgId, changes }),
  );
  if (!exists) return;
  await moveToGroups(work, orgId, joined);
  await alarmsFollow.run(work, { orgId, changes, joined, routing });
}

const placeOf = ({ row }: Pick<Changed, 'row'>) => ({
  projectId: row.project_id,
  monitorNo: row.monitor_no,
});

/** Examples are never sent, so no filter matches them. */
const subjectOf = ({ row, change }: Changed): Subject => ({
  ...placeOf({ row }),
  filtered: row.example
    ? null
    : {
        id: row.id,
        severityRank: severityRankOf(row),
        monitorNos: row.monitor_no === null ? [] : [row.monitor_no],
        opening: change === 'opened',
      },
});

/** Personal data stays inside (docs/rules/notifications.md#payload). */
const REDACTED = {
  acknowledged_by_email: null,
  acknowledged_by_name: null,
  commander_email: null,
  commander_name: null,
};

/**
 * The events of these changes, except those of examples. The alarm chain sends them to paging targets; all other targets get
 * them from here.
 */
export function outboxEvents(work: Work, changes: readonly Changed[]) {
  return changes.flatMap(({ row, change, note }) => {
    const event = EVENT_OF[change];
    if (!event || row.example) return [];
    return {
      event,
      ...placeOf({ row }),
      groupNo: row.group_no,
      incident: { ...detailOf(row, work.now), ...REDACTED },
      ...(note ? { note } : {}),
    };
  });
}

/** Announces a change at the end of this unit of work; `row` is the incident after the change. */
export function announceIncident(work: Work, row: IncidentRow, change: IncidentChange, note?: Note): void {
  defer(work, collector, { row, change, ...(note ? { note } : {}) });
  publishChange(work, row, change);
}

/** Publishes a change to connected dashboards only. */
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
    example: row.example,
  });
}

/** Handles the changes announced so far at once: call it before the incidents or monitors they name are deleted. */
export const announceNow = (work: Work): Promise<void> => flushNow(work, collector);
