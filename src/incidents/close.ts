import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import { writeIncidents } from './queries.ts';
import { recordTimeline } from './timeline.ts';

export type Closing = { at: Date; automatic: boolean; actorName: string | null; detail: string };

/**
 * Closes an open incident. Exactly one of several closers wins; false for the others, with no side effect
 * (interface, section 3). An incident never ends before it started.
 */
export async function closeIncident(
  work: Work,
  orgId: string,
  incidentId: string,
  closing: Closing,
): Promise<boolean> {
  const { tx } = work;
  const update = tx
    .updateTable('incidents')
    .set({
      status: 'closed',
      resolved_at: sql<Date>`greatest(started_at, ${closing.at}::timestamptz)`,
      auto_resolved: closing.automatic,
      alarm_held_until: null,
      alarm_held_by_name: null,
    })
    .where('id', '=', incidentId)
    .where('org_id', '=', orgId)
    .where('status', '=', 'open')
    .returningAll();
  const [row] = await writeIncidents(tx, update);
  if (!row) return false;
  await recordTimeline(work, [
    {
      incidentId,
      kind: 'resolved',
      at: row.resolved_at ?? closing.at,
      actorName: closing.actorName,
      detail: closing.detail,
    },
  ]);
  announceIncident(work, row, 'resolved');
  return true;
}

/** Closes every open incident of a monitor that is disabled or deleted: `auto_resolved`, with the reason (decisions, section 5). */
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
  for (const { id } of open)
    await closeIncident(work, monitor.org_id, id, {
      at: work.now,
      automatic: true,
      actorName: null,
      detail: reason,
    });
}
