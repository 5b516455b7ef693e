import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { Within } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import type { Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import { isAwake } from './awake.ts';
import type { IncidentDetail } from './contract.ts';
import { detailOf, type IncidentRow, incidentOf, lifecycleState, SEEN, writeIncidents } from './queries.ts';
import { recordTimeline } from './timeline.ts';

export type Acknowledging = {
  /** With it all open incidents of its alarm; where it has none, those of its storm that wake people. */
  group: boolean;
};

/**
 * Takes an incident: the caller becomes commander if there is none. Acknowledging twice, or a closed one, changes
 * nothing (docs/rules/on-call-and-alarms.md#acknowledging).
 */
export async function acknowledgeIncident(
  work: Work,
  orgId: string,
  incidentId: string,
  within: Within,
  { group }: Acknowledging = { group: false },
): Promise<IncidentDetail> {
  const { tx, now } = work;
  const before = await incidentOf(tx, orgId, incidentId, within);
  const isGrouped = group && (before.alarm_no !== null || before.group_no !== null);
  const ids = isGrouped ? await openTogether(work, before, within) : [incidentId];
  const taken = await takeIncidents(work, orgId, ids);
  const row = await incidentOf(tx, orgId, incidentId, within);
  if (taken.length > 0)
    await recordActivity(work, {
      orgId,
      action: 'incident.acknowledge',
      resource: { kind: 'incident', id: incidentId, name: row.cause },
      before: { lifecycle_state: lifecycleState(before) },
      after: {
        lifecycle_state: lifecycleState(row),
        ...(isGrouped ? { incidents: taken.map(({ id }) => id) } : {}),
      },
    });
  return detailOf(row, now);
}

/**
 * Takes those of these incidents that are open and that nobody has taken, in the name of the work's actor, and answers
 * them; of several at once exactly one takes each. For other ways to acknowledge too: who calls records the activity.
 */
export async function takeIncidents(
  work: Work,
  orgId: string,
  incidentIds: readonly string[],
): Promise<IncidentRow[]> {
  const { tx, now, actor } = work;
  // What a key acknowledges is recorded under its name; the two addresses stay null
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

/**
 * The open incidents that one alarm wakes people for, as far as the caller sees them. Of a storm only those: what is held
 * or in maintenance and never rang has an alarm of its own to come. Of an incident without one, what wakes people now.
 */
async function openTogether(
  { tx, now }: Work,
  { id, org_id, alarm_no, group_no }: IncidentRow,
  within: Within,
): Promise<string[]> {
  const together = sql<boolean>`incidents.id IN (SELECT i.id FROM incidents i WHERE ${
    alarm_no === null ? sql`i.group_no = ${group_no} AND ${isAwake(now)}` : sql`i.alarm_no = ${alarm_no}`
  })`;
  const rows = await tx
    .selectFrom('incidents')
    .select('id')
    .where('org_id', '=', org_id)
    .where('status', '=', 'open')
    .where('acknowledged_at', 'is', null)
    .where(together)
    .$if(within !== null, (query) => query.where(seenIn(within ?? { projectIds: [], monitorIds: [] }, SEEN)))
    .execute();
  return [...new Set([id, ...rows.map((row) => row.id)])];
}
