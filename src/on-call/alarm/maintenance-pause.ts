// Maintenance pauses the alarms of open incidents when it begins, and resumes them when it ends
// (docs/rules/on-call-and-alarms.md#pausing).
import { type RawBuilder, sql } from 'kysely';
import { isPagingSeverity, isPending } from '#src/conditions/paging.ts';
import { outboxEvents } from '#src/incidents/announce.ts';
import { type IncidentRow, selectIncidents } from '#src/incidents/queries.ts';
import { enqueueEvents } from '#src/notifications/outbox.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import type { Work } from '#src/platform/work.ts';
import { type AlarmState, numbers, readAlarmStates } from './alarm-state.ts';
import { alarmsOf, opened, startOrRing, stopRinging } from './on-incident-change.ts';
import { reconcileAlarms } from './reconcile-alarm.ts';
import { readBeforehand } from './start-alarm.ts';
import { recordSuppressed } from './suppressed.ts';

/**
 * Pauses the alarms of these monitors, whose maintenance window has begun, and records it in their incidents' timelines.
 * Call it before the organization is locked; the monitors' states may be locked already.
 */
export async function pauseForMaintenance(work: Work, monitorNos: readonly number[]): Promise<void> {
  await forEachOrganization(work, ofMonitors(monitorNos), async (orgId, rows, states) => {
    const suppressed = rows.filter(({ id }) => states.get(id)?.suppressed);
    await recordSuppressed(
      work,
      suppressed.map(({ id }) => id),
    );
    await stopRinging(work, suppressed, states);
    await reconcileAlarms(work, orgId, alarmsOf(states.values()), new Set());
  });
}

/**
 * Resumes the alarms of these monitors, whose maintenance window is over; alarms that waited for its end start now. Another
 * window or a hold still suppresses them. Call it before the organization is locked.
 */
export async function resumeAfterMaintenance(work: Work, monitorNos: readonly number[]): Promise<void> {
  await forEachOrganization(work, ofMonitors(monitorNos), (orgId, rows, states) =>
    resumeAlarms(work, orgId, rows, states),
  );
}

/** Starts or resumes the alarms of these incidents. The organization is locked. */
export async function resumeAlarms(
  work: Work,
  orgId: string,
  rows: readonly IncidentRow[],
  states: ReadonlyMap<string, AlarmState>,
): Promise<void> {
  const started = await startOrRing(work, orgId, rows, states, () => readBeforehand(work, orgId));
  await enqueueEvents(work, orgId, outboxEvents(work, opened(rows, started)), ['paging']);
  await reconcileAlarms(work, orgId, alarmsOf(states.values(), started.paused), new Set());
}

const ofMonitors = (monitorNos: readonly number[]) =>
  sql<boolean>`i.monitor_no = ANY(${numbers(monitorNos)})`;

/**
 * Calls `act` with the pending incidents that match `those` (a condition on `i`), one organization at a time. Locks the
 * incidents by id, then the organization: the lock order used everywhere.
 */
export async function forEachOrganization(
  work: Work,
  those: RawBuilder<boolean>,
  act: (
    orgId: string,
    rows: readonly IncidentRow[],
    states: ReadonlyMap<string, AlarmState>,
  ) => Promise<void>,
): Promise<void> {
  const { tx } = work;
  const { rows: locked } = await sql<{ id: string }>`
    SELECT i.id FROM incidents i WHERE ${those} AND ${isPending} AND ${isPagingSeverity}
    ORDER BY i.id FOR NO KEY UPDATE`.execute(tx);
  if (locked.length === 0) return;
  const ids = locked.map(({ id }) => id);
  const rows = await selectIncidents(tx)
    .where('incidents.id', '=', sql<string>`ANY(${ids}::text[])`)
    .orderBy('incidents.id')
    .execute();
  for (const [orgId, own] of Map.groupBy(rows, (row) => row.org_id)) {
    await lockOrganization(tx, orgId);
    await act(
      orgId,
      own,
      await readAlarmStates(
        work,
        own.map(({ id }) => id),
      ),
    );
  }
}
