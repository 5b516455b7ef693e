// False alarms. Figures leave out the time of discarded incidents when they are read (series/figures,
// organization-export/csv), so discarding and restoring take effect in all of them at once.
import { recordActivity } from '../activity/record.ts';
import { visibleName } from '../domain/visible-name.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import type { IncidentDetail } from './contract.ts';
import { lockIncident } from './lock.ts';
import { detailOf, lifecycleState, writeIncidents } from './queries.ts';
import { recordTimeline } from './timeline.ts';

export type Discarding = { discarded: boolean; reason: string | null };

/**
 * Discards a closed incident, or restores it; nothing changes if it is in that state already. Refuses to discard an open
 * one (409 `incident_open`).
 */
export async function setDiscarded(
  work: Work,
  orgId: string,
  incidentId: string,
  { discarded, reason }: Discarding,
  within: ResourceFilter,
): Promise<IncidentDetail> {
  const { tx, now, actor } = work;
  const before = await lockIncident(work, orgId, incidentId, within);
  if (discarded && before.status === 'open')
    refuse('incident_open', 'The incident is open; only a closed incident can be discarded.');
  const detail = visibleName(reason ?? '') || null;
  if (before.discarded === discarded) return detailOf(before, now);

  const update = tx.updateTable('incidents').set({ discarded }).where('id', '=', incidentId).returningAll();
  const [row] = await writeIncidents(tx, update);
  if (!row) throw new Error('an incident that is locked is there');
  const change = discarded ? 'discarded' : 'restored';
  await recordTimeline(work, [{ incidentId, kind: change, actorName: actor.name, detail }]);
  announceIncident(work, row, change);
  await recordActivity(work, {
    orgId,
    action: discarded ? 'incident.discard' : 'incident.restore',
    resource: { kind: 'incident', id: incidentId, name: row.cause },
    before: { lifecycle_state: lifecycleState(before) },
    after: { lifecycle_state: lifecycleState(row), ...(detail === null ? {} : { reason: detail }) },
  });
  return detailOf(row, now);
}
