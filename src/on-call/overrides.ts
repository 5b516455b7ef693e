// Overrides: a person is on duty for a time, whoever's turn it is (docs/rules/on-call-and-alarms.md#overrides).
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { DAY_MS } from '../domain/durations.ts';
import { lockOrganization } from '../organizations/lock.ts';
import { lockMember } from '../organizations/lock-member.ts';
import type { BodyOf } from '../platform/contract.ts';
import { isId, newId } from '../platform/ids.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { Override, createOverride as operation } from './overrides-contract.ts';
import { refuseIneligible } from './refuse-ineligible.ts';

/** The most current and future overrides of an organization; computing the duty reads all of them. */
export const MAX_OVERRIDES = 100;
const LONGEST_MS = 366 * DAY_MS;
const KEPT_MS = 400 * DAY_MS;

/** The caller. Keys, owners and admins may change everybody's overrides, other members their own. */
export type Requester = { userId: string | null; isAdmin: boolean };

type Row = { id: string; user_id: string; name: string; starts_at: Date; ends_at: Date; created_at: Date };

/** Overrides that are not over at `now`, of people who are members and take shifts, the first to begin first. */
export async function listOverrides(db: Database | Tx, orgId: string, now: Date): Promise<Override[]> {
  const { rows } = await sql<Row>`
    SELECT o.id, o.user_id, u.name, o.starts_at, o.ends_at, o.created_at
    FROM on_call_overrides o JOIN members m ON m.org_id = o.org_id AND m.user_id = o.user_id AND m.role <> 'viewer'
    JOIN users u ON u.id = o.user_id
    WHERE o.org_id = ${orgId} AND o.ends_at > ${now} ORDER BY o.starts_at, o.no`.execute(db);
  return rows.map(show);
}

/** One override; null for another organization's. */
export async function findOverride(db: Database | Tx, orgId: string, id: string): Promise<Override | null> {
  if (!isId('ovr', id)) return null;
  const { rows } = await sql<Row>`
    SELECT o.id, o.user_id, u.name, o.starts_at, o.ends_at, o.created_at
    FROM on_call_overrides o JOIN users u ON u.id = o.user_id
    WHERE o.org_id = ${orgId} AND o.id = ${id}`.execute(db);
  return rows[0] ? show(rows[0]) : null;
}

/**
 * Puts a person on duty for a time. `forbidden` for another person than the caller, unless an admin asks; `invalid_request`
 * for somebody who is no member, a time that is over or longer than a year, and the 101st.
 */
export async function createOverride(
  work: Work,
  orgId: string,
  body: BodyOf<typeof operation>,
  requester: Requester,
): Promise<Override> {
  const { tx, now } = work;
  refuseForOthers(requester, body.user_id, 'Only owners and admins may put somebody else on duty.');
  const startsAt = new Date(body.starts_at_unix * 1000);
  const endsAt = new Date(body.ends_at_unix * 1000);
  refuseTimes(startsAt, endsAt, now);
  // Whoever is removed meanwhile was removed before, and is refused below, or takes this override along.
  await lockMember(tx, orgId, body.user_id);
  // Concurrent writers wait here, so that two of them cannot both store the last one.
  if (!(await lockOrganization(tx, orgId))) notFound('organization');
  await refuseIneligible(tx, orgId, body.user_id);
  if ((await listOverrides(tx, orgId, now)).length >= MAX_OVERRIDES)
    refuse(
      'limit_reached',
      `There are ${MAX_OVERRIDES} overrides to come; delete one before you add another.`,
      {
        limit: MAX_OVERRIDES,
      },
    );
  const id = newId('ovr');
  await tx
    .insertInto('on_call_overrides')
    .values({
      id,
      org_id: orgId,
      user_id: body.user_id,
      starts_at: startsAt,
      ends_at: endsAt,
      created_at: now,
    })
    .execute();
  const made = (await findOverride(tx, orgId, id)) ?? notFound('override');
  await record(work, orgId, 'on_call.create_override', made, { after: made });
  return made;
}

/** Deletes an override; `forbidden` for another person's, unless an admin asks; 404 for another organization's. */
export async function deleteOverride(
  work: Work,
  orgId: string,
  id: string,
  requester: Requester,
): Promise<void> {
  const before = (await findOverride(work.tx, orgId, id)) ?? notFound('override');
  refuseForOthers(
    requester,
    before.user_id,
    'Only owners and admins may delete the override of somebody else.',
  );
  const gone = await work.tx
    .deleteFrom('on_call_overrides')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (!gone) notFound('override');
  await record(work, orgId, 'on_call.delete_override', before, { before });
}

/** Reaction to `memberRemoved`: shifts that somebody took are not theirs again if they come back. */
export async function forgetOverridesOf(
  { tx }: Work,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> {
  await tx
    .deleteFrom('on_call_overrides')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .execute();
}

/** Deletes overrides that were over 400 days ago. */
export async function forgetOldOverrides(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await db.deleteFrom('on_call_overrides').where('ends_at', '<', before).execute();
}

function refuseForOthers({ userId, isAdmin }: Requester, ofUserId: string, sentence: string): void {
  if (!isAdmin && userId !== ofUserId) refuse('forbidden', sentence);
}

function refuseTimes(startsAt: Date, endsAt: Date, now: Date): void {
  const field = 'ends_at_unix';
  if (endsAt <= startsAt) refuse('invalid_request', 'ends_at_unix must be after starts_at_unix.', { field });
  if (endsAt <= now) refuse('invalid_request', 'ends_at_unix must be in the future.', { field });
  if (endsAt.getTime() - startsAt.getTime() > LONGEST_MS)
    refuse('invalid_request', 'ends_at_unix must be at most a year after starts_at_unix.', { field });
}

const record = (
  work: Work,
  orgId: string,
  action: string,
  { id, name }: Override,
  change: { before?: Override; after?: Override },
) => recordActivity(work, { orgId, action, resource: { kind: 'on_call_override', id, name }, ...change });

const show = ({ starts_at, ends_at, created_at, ...row }: Row): Override => ({
  ...row,
  starts_at_unix: unix(starts_at),
  ends_at_unix: unix(ends_at),
  created_at_unix: unix(created_at),
});
