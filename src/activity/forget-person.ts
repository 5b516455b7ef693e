import { type RawBuilder, sql } from 'kysely';
import type { Tx, Work } from '../platform/work.ts';
import { FORGOTTEN } from './chain.ts';
import { writeRecorded } from './record.ts';

export { FORGOTTEN };

export type KnownPerson = {
  userId: string;
  email: string;
  /** An address that nobody proved may be somebody else's. */
  isProven: boolean;
  /** Their ids in organizations that were imported, where their address was that of a member. */
  imported: { org_id: string; user_id: string }[];
};

/** How the logs know a person. */
export async function personInLogs(tx: Tx, userId: string): Promise<KnownPerson> {
  const { email, email_verified: isProven } = await tx
    .selectFrom('users')
    .select(['email', 'email_verified'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const imported = isProven
    ? await tx
        .selectFrom('imported_people')
        .select(['org_id', 'user_id'])
        .where('email', '=', email)
        .execute()
    : [];
  return { userId, email, isProven, imported };
}

/**
 * Removes the name and address of a deleted person from the log; the events stay. The opaque id keeps their entries
 * together. The salts of their names go too: what is left of those in the chain reveals nothing. An id that an imported file gives
 * them counts in that organization only, and an address that nobody proved where the person has left a trace: neither may blank the
 * names of others.
 */
export async function forgetPerson(
  work: Work,
  { userId, email, isProven, imported }: KnownPerson,
): Promise<void> {
  const { tx } = work;
  await writeRecorded(work);
  const isTheirs = (
    id: 'actor_id' | 'resource_id',
  ) => sql`(${sql.ref(id)} = ${userId} OR (org_id, ${sql.ref(id)}) IN (
    SELECT org_id, user_id FROM jsonb_to_recordset(${JSON.stringify(imported)}::jsonb) AS x (org_id text, user_id text)))`;
  const ownOrganizations = sql`
    SELECT org_id FROM activity WHERE org_id IS NOT NULL AND (actor_id = ${userId} OR resource_id = ${userId})`;
  await sql`
    UPDATE activity SET resource_name = ${FORGOTTEN}, subject_salt = NULL, before = ${nameless('before')}, after = ${nameless('after')}
    WHERE resource_kind IN ('member', 'account', 'invitation')
      AND (${isTheirs('resource_id')} OR (before ->> 'email' = ${email} OR after ->> 'email' = ${email})
        AND (${isProven}::boolean OR org_id IN (${ownOrganizations})))`.execute(tx);
  await sql`
    UPDATE activity SET actor_name = ${FORGOTTEN}, address = NULL, actor_salt = NULL WHERE ${isTheirs('actor_id')}`.execute(
    tx,
  );
  if (isProven) await tx.deleteFrom('imported_people').where('email', '=', email).execute();
}

/** A JSON column with the person's fields, where it has them, overwritten. */
function nameless(column: 'before' | 'after'): RawBuilder<unknown> {
  const json = sql.ref(column);
  return sql`CASE WHEN jsonb_typeof(${json}) = 'object' THEN ${json} || coalesce(
    (SELECT jsonb_object_agg(field, ${FORGOTTEN}::text) FROM unnest(ARRAY['name', 'email']) field
     WHERE ${json} -> field IS NOT NULL), '{}') ELSE ${json} END`;
}
