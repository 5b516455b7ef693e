import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import type { Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import type { IncidentDetail } from './contract.ts';
import { detailOf, type IncidentRow, incidentOf, lifecycleState, SEEN, writeIncidents } from './queries.ts';
import { recordTimeline } from './timeline.ts';

export type AcknowledgeOptions = {
  /** Acknowledges all open incidents of the same storm. */
  group: boolean;
};

/**
 * Acknowledges an incident; the caller becomes commander if there is none. Nothing changes for an acknowledged or a closed
 * incident (docs/rules/on-call-and-alarms.md#acknowledging).
 */
export async function acknowledgeIncident(
  work: Work,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
  { group }: AcknowledgeOptions = { group: false },
): Promise<IncidentDetail> {
  const { tx, now } = work;
  const before = await incidentOf(tx, orgId, incidentId, within);
  const isGrouped = group && before.group_no !== null;
  const ids = isGrouped ? await openOfSameStorm(work, before, within) : [incidentId];
  const acknowledged = await acknowledgeIncidents(work, orgId, ids);
  const row = await incidentOf(tx, orgId, incidentId, within);
  if (acknowledged.length > 0)
    await recordActivity(work, {
      orgId,
      action: 'incident.acknowledge',
      resource: { kind: 'incident', id: incidentId, name: row.cause },
      before: { lifecycle_state: lifecycleState(before) },
      after: {
        lifecycle_state: lifecycleState(row),
        ...(isGrouped ? { incidents: acknowledged.map(({ id }) => id) } : {}),
      },
    });
  return detailOf(row, now);
}

/**
 * Acknowledges the open, unacknowledged incidents among these in the name of the work's actor, and returns them. Of several
 * concurrent callers exactly one acknowledges each. The caller records the activity.
 */
export async function acknowledgeIncidents(
  work: Work,
  orgId: string,
  incidentIds: readonly string[],
): Promise<IncidentRow[]> {
  const { tx, now, actor } = work;
  // An acknowledgement by a key carries the key's name; the two e-mail addresses stay null
  // (docs/rules/on-call-and-alarms.md#acknowledging).
  const userId = actor.kind === 'user' ? actor.id : null;
  const update = sql`
    UPDATE incidents i SET acknowledged_at = ${now}, acknowledged_by_user_id = ${userId},
      commander_user_id = coalesce(i.commander_user_id, ${userId})
    FROM (
      SELECT id FROM incidents
      WHERE id = ANY(${[...incidentIds]}::text[]) AND org_id = ${orgId} AND status = 'open' AND acknowledged_at IS NULL
      ORDER BY monitor_no, id FOR NO KEY UPDATE
    ) open WHERE i.id = open.id
    RETURNING i.*`;
  const rows = await writeIncidents(tx, update);
  await recordTimeline(
    work,
    rows.map(({ id }) => ({ incidentId: id, kind: 'acknowledged', actorName: actor.name })),
  );
  for (const row of rows) announceIncident(work, row, 'acknowledged');
  return rows;
}

/** The incident, and the open incidents of its storm that the caller may see: also those that are held or in maintenance. */
async function openOfSameStorm(
  { tx }: Work,
  { id, org_id, group_no }: IncidentRow,
  within: ResourceFilter,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('incidents')
    .select('id')
    .where('org_id', '=', org_id)
    .where('group_no', '=', group_no)
    .where('status', '=', 'open')
    .where('acknowledged_at', 'is', null)
    .$if(within !== null, (query) => query.where(seenIn(within ?? { projectIds: [], monitorIds: [] }, SEEN)))
    .execute();
  return [...new Set([id, ...rows.map((row) => row.id)])];
}
