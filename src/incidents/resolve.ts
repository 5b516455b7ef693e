import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { hook } from '../platform/hook.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Work } from '../platform/work.ts';
import { closeIncidents } from './close.ts';
import type { IncidentDetail } from './contract.ts';
import { detailOf, incidentOf } from './queries.ts';

/** A person closed an automatic incident: the monitor's streaks start again. */
export const closedByHand = hook<{ monitorNo: number }>();

/** Closes an incident by hand. Idempotent: a closed one is returned as it is. */
export async function resolveIncident(
  work: Work,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
): Promise<IncidentDetail> {
  const { tx, now, actor } = work;
  const before = await incidentOf(tx, orgId, incidentId, within);
  // Locks the monitor's state first, as ingest does.
  if (before.monitor_no !== null)
    await sql`SELECT 1 FROM monitor_state WHERE monitor_no = ${before.monitor_no} FOR UPDATE`.execute(tx);
  const [closed] = await closeIncidents(work, orgId, [{ incidentId, at: now }], {
    automatic: false,
    actorName: actor.name,
    detail: 'resolved by hand',
  });
  const after = detailOf(await incidentOf(tx, orgId, incidentId, within), now);
  if (closed) {
    if (before.origin === 'automatic' && before.monitor_no !== null)
      await closedByHand.run(work, { monitorNo: before.monitor_no });
    await recordActivity(work, {
      orgId,
      action: 'incident.resolve',
      resource: { kind: 'incident', id: incidentId, name: before.cause },
      before: { status: 'open' },
      after: { status: 'closed' },
    });
  }
  return after;
}
