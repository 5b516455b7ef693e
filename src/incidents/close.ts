import type { Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import { incidentOf } from './queries.ts';
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
  const before = await incidentOf(tx, orgId, incidentId);
  const at = closing.at < before.started_at ? before.started_at : closing.at;
  const closed = await tx
    .updateTable('incidents')
    .set({
      status: 'closed',
      resolved_at: at,
      auto_resolved: closing.automatic,
      alarm_held_until: null,
      alarm_held_by_name: null,
    })
    .where('id', '=', incidentId)
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  if (!closed) return false;
  await recordTimeline(work, [
    { incidentId, kind: 'resolved', at, actorName: closing.actorName, detail: closing.detail },
  ]);
  await announceIncident(work, await incidentOf(tx, orgId, incidentId), 'resolved');
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
