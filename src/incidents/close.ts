// Closes incidents after recovery, by hand, or with their monitor, many at a time.
import { sql } from 'kysely';
import { pgArray } from '../platform/db/pg-array.ts';
import { hook } from '../platform/hook.ts';
import { sendUnawaited, type Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import { type IncidentRow, writeIncidents } from './queries.ts';
import { type TimelineEvent, timelineEntries } from './timeline.ts';

/** The number of open manual incidents of these monitors changed. Their states are locked. */
export const manualIncidentsChanged = hook<{ monitorNos: readonly number[] }>();

export type Closing = { automatic: boolean; actorName: string | null; detail: string };

/**
 * Closes the open incidents among these, and returns them. Exactly one of several closers wins; the others have no side
 * effect (docs/rules/confirmation.md#closing-by-hand). An incident never ends before it started. The states of the monitors
 * are locked.
 */
export async function closeIncidents(
  work: Work,
  orgId: string,
  ends: readonly { incidentId: string; at: Date }[],
  { automatic, actorName, detail }: Closing,
): Promise<IncidentRow[]> {
  if (ends.length === 0) return [];
  const update = sql`
    UPDATE incidents i SET status = 'closed', resolved_at = greatest(i.started_at, e.at), auto_resolved = ${automatic},
      alarm_held_until = NULL, alarm_held_by_name = NULL, alarm_held_by_user_id = NULL, alarm_held_by_hand = false
    FROM unnest(${ends.map(({ incidentId }) => incidentId)}::text[],
      ${ends.map(({ at }) => at.toISOString())}::timestamptz[]) AS e (id, at)
    WHERE i.id = e.id AND i.org_id = ${orgId} AND i.status = 'open'
    RETURNING i.*`;
  const rows = await writeIncidents(work.tx, update);
  const entries = rows.map(({ id, resolved_at }): TimelineEvent => {
    return { incidentId: id, kind: 'resolved', at: resolved_at ?? work.now, actorName, detail };
  });
  sendUnawaited(work, timelineEntries(work, entries));
  for (const row of rows) announceIncident(work, row, 'resolved');
  const manual = rows.flatMap(({ origin, monitor_no: no }) =>
    origin === 'manual' && no !== null ? [no] : [],
  );
  if (manual.length > 0)
    await manualIncidentsChanged.run(work, { monitorNos: [...new Set(manual)].sort((a, b) => a - b) });
  return rows;
}

/** The open automatic incidents of these monitors, by the monitor's number. */
export async function openIncidentsOf(
  { tx }: Work,
  monitorNos: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: string; no: number }>`
    SELECT id, monitor_no AS no FROM incidents
    WHERE monitor_no = ANY(${pgArray(monitorNos)}::int[]) AND status = 'open' AND origin = 'automatic'`.execute(
    tx,
  );
  return new Map(rows.map(({ no, id }) => [no, id]));
}

/**
 * Closes every open incident of a monitor that is disabled or deleted, as `auto_resolved` with the reason
 * (docs/rules/confirmation.md#disabling-and-deleting).
 */
export async function closeIncidentsOf(
  work: Work,
  monitor: { no: number; org_id: string },
  reason: string,
): Promise<void> {
  const open = await work.tx
    .selectFrom('incidents')
    .select('id')
    .where('monitor_no', '=', monitor.no)
    .where('status', '=', 'open')
    .execute();
  const ends = open.map(({ id }) => ({ incidentId: id, at: work.now }));
  await closeIncidents(work, monitor.org_id, ends, { automatic: true, actorName: null, detail: reason });
}
