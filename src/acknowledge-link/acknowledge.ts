import { recordActivity } from '../activity/record.ts';
import { acknowledgeIncidents } from '../incidents/acknowledge.ts';
import { endDrillByHand } from '../on-call/drills/by-hand.ts';
import { type Database, runWork, SYSTEM, type Work } from '../platform/work.ts';
import { type AcknowledgeLink, spendAcknowledgeLink } from '../user-notifications/acknowledge-links.ts';
import { incidentsToAcknowledge, type LinkState, stateOfLink } from './alarm-of-link.ts';

/** `drillId`: it was a fire drill, which has no incidents. */
export type Acknowledgement = {
  kind: 'acknowledged';
  orgId: string;
  incidentIds: string[];
  drillId: string | null;
};
type UnusableLink = Exclude<LinkState, { kind: 'open' }>;

/**
 * Acknowledges, as the person of the link, everything its alarm still rings for, and uses up the link. Otherwise changes
 * nothing and returns the reason.
 */
export async function acknowledgeByLink(
  db: Database,
  now: Date,
  token: string,
  address: string,
): Promise<Acknowledgement | UnusableLink> {
  const seen = await stateOfLink(db, now, token);
  if (seen.kind !== 'open') return seen;
  const { link, alarm } = seen;
  const name = alarm.personName || alarm.email;
  const actor = { ...SYSTEM, kind: 'user', id: link.userId, name, address } as const;
  return runWork(db, now, actor, async (work) => {
    // Only one of two concurrent requests gets the link.
    if (!(await spendAcknowledgeLink(work, token))) return { kind: 'used' };
    const role = await roleOf(work, link);
    if (role === null) return { kind: 'not_a_member' };
    if (role === 'viewer') return { kind: 'viewer' };
    return alarm.drillId === null ? acknowledge(work, link) : acknowledgeDrill(work, link, alarm.drillId);
  });
}

/** Records the activity as the API does for a whole alarm: under the first incident, listing all of them. */
async function acknowledge(work: Work, link: AcknowledgeLink): Promise<Acknowledgement | UnusableLink> {
  const { orgId } = link;
  const acknowledged = await acknowledgeIncidents(work, orgId, await incidentsToAcknowledge(work.tx, link));
  const [first] = acknowledged;
  if (!first) return { kind: 'ended', orgId };
  const incidentIds = acknowledged.map(({ id }) => id);
  await recordActivity(work, {
    orgId,
    action: 'incident.acknowledge',
    resource: { kind: 'incident', id: first.id, name: first.cause },
    before: { lifecycle_state: 'triggered' },
    after: { lifecycle_state: 'acknowledged', by_link: true, incidents: incidentIds },
  });
  return { kind: 'acknowledged', orgId, incidentIds, drillId: null };
}

async function acknowledgeDrill(
  work: Work,
  { orgId }: AcknowledgeLink,
  drillId: string,
): Promise<Acknowledgement | UnusableLink> {
  const ended = await endDrillByHand(work, orgId, drillId, 'acknowledged');
  return ended ? { kind: 'acknowledged', orgId, incidentIds: [], drillId } : { kind: 'ended', orgId };
}

/**
 * The person's role; null: they have left. Locks the membership until the end: a concurrent removal comes either before, and blocks
 * this, or after.
 */
async function roleOf({ tx }: Work, { orgId, userId }: AcknowledgeLink): Promise<string | null> {
  const member = await tx
    .selectFrom('members')
    .select('role')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
  return member?.role ?? null;
}
