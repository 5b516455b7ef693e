import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { BodyOf } from '../platform/contract.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { putRoster as operation, Roster } from './contract.ts';
import { readOnCall } from './on-call-config.ts';

type Given = BodyOf<typeof operation>['members'];

/** The roster in order, without people who have left; the others keep their positions. */
export async function getRoster(db: Database | Tx, orgId: string, now: Date): Promise<Roster> {
  const { roster } = await readOnCall(db, orgId, now);
  return {
    members: roster.flatMap(({ position, userId }) =>
      userId === null ? [] : [{ position, user_id: userId }],
    ),
  };
}

/**
 * Sets the roster in the order of the given positions, which become 0, 1, 2, … People who are not members are skipped;
 * somebody named twice keeps the first place. The rotation now counts from this week's Monday. An empty list clears the
 * roster; a list without any member is refused with `no_resolvable_member`.
 */
export async function putRoster(work: Work, orgId: string, given: Given): Promise<Roster> {
  const { tx, now } = work;
  // Concurrent writers wait for this row.
  await tx
    .insertInto('on_call_rosters')
    .values({ org_id: orgId, set_at: now })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ set_at: now }))
    .execute();
  const before = await getRoster(tx, orgId, now);
  const userIds = await membersAmong(tx, orgId, given);
  if (given.length > 0 && userIds.length === 0)
    refuse('no_resolvable_member', 'members must name at least one member of the organization.', {
      field: 'members',
    });
  await tx.deleteFrom('on_call_roster_members').where('org_id', '=', orgId).execute();
  await sql`INSERT INTO on_call_roster_members (org_id, position, user_id)
    SELECT ${orgId}, no - 1, id FROM unnest(${userIds}::text[]) WITH ORDINALITY AS given (id, no)`.execute(
    tx,
  );
  const after = await getRoster(tx, orgId, now);
  await recordActivity(work, {
    orgId,
    action: 'on_call.set_roster',
    resource: { kind: 'on_call', id: orgId, name: null },
    before,
    after,
  });
  return after;
}

/** The members among the listed people who take shifts, each once, in order. */
async function membersAmong(tx: Tx, orgId: string, given: Given): Promise<string[]> {
  const ordered = [...given].sort((a, b) => a.position - b.position).map(({ user_id }) => user_id);
  const members = await tx
    .selectFrom('members')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('role', '<>', 'viewer')
    .where('user_id', '=', sql<string>`ANY(${ordered}::text[])`)
    .execute();
  const known = new Set(members.map(({ user_id }) => user_id));
  return [...new Set(ordered)].filter((userId) => known.has(userId));
}
