import { recordActivity } from '../activity/record.ts';
import type { Within } from '../platform/http/caller.ts';
import type { Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import type { IncidentDetail } from './contract.ts';
import { detailOf, incidentOf, lifecycleState } from './queries.ts';
import { recordTimeline } from './timeline.ts';

/**
 * Takes an incident: the caller becomes commander if there is none. Acknowledging twice, or a closed one, changes
 * nothing (decisions, section 5).
 */
export async function acknowledgeIncident(
  work: Work,
  orgId: string,
  incidentId: string,
  within: Within,
): Promise<IncidentDetail> {
  const { tx, now, actor } = work;
  const before = await incidentOf(tx, orgId, incidentId, within);
  const userId = actor.kind === 'user' ? actor.id : null;
  const taken = await tx
    .updateTable('incidents')
    .set((eb) => ({
      acknowledged_at: now,
      acknowledged_by_user_id: userId,
      commander_user_id: eb.fn.coalesce('commander_user_id', eb.val(userId)),
    }))
    .where('id', '=', incidentId)
    .where('status', '=', 'open')
    .where('acknowledged_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  const row = await incidentOf(tx, orgId, incidentId, within);
  if (taken) {
    await recordTimeline(work, [{ incidentId, kind: 'acknowledged', actorName: actor.name }]);
    announceIncident(work, row, 'acknowledged');
    await recordActivity(work, {
      orgId,
      action: 'incident.acknowledge',
      resource: { kind: 'incident', id: incidentId, name: row.cause },
      before: { lifecycle_state: lifecycleState(before) },
      after: { lifecycle_state: lifecycleState(row) },
    });
  }
  return detailOf(row, now);
}
