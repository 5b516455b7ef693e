// The activity log: every write is recorded in its own transaction (decisions, section 2).
import { newId } from '../platform/ids.ts';
import type { Work } from '../platform/work.ts';

export type Activity = {
  orgId: string | null;
  /** `noun.verb`, e.g. monitor.create */
  action: string;
  resource: { kind: string; id: string; name: string | null };
  /** The resource before and after, as the API shows it: secrets are already masked there. */
  before?: unknown;
  after?: unknown;
};

/** Writes one activity row with the work's actor and instant. */
export async function recordActivity(work: Work, activity: Activity): Promise<void> {
  const { tx, now, actor } = work;
  await tx
    .insertInto('activity')
    .values({
      id: newId('act'),
      org_id: activity.orgId,
      at: now,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action: activity.action,
      resource_kind: activity.resource.kind,
      resource_id: activity.resource.id,
      resource_name: activity.resource.name,
      address: actor.address,
      before: activity.before === undefined ? null : JSON.stringify(activity.before),
      after: activity.after === undefined ? null : JSON.stringify(activity.after),
    })
    .execute();
}
