import { type RawBuilder, sql } from 'kysely';
import type { Tx, Work } from '../platform/work.ts';
import { FORGOTTEN } from './chain.ts';
import { writeRecorded } from './record.ts';

export { FORGOTTEN };

/**
 * The ids of a person in the logs: their own, and those that they had where organizations were imported from. An address that
 * nobody proved may be somebody else's.
 */
export async function idsInLogs(tx: Tx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    SELECT DISTINCT x.user_id FROM imported_people x JOIN users u ON u.email = x.email
    WHERE u.id = ${userId} AND u.email_verified`.execute(tx);
  return [userId, ...rows.map(({ user_id }) => user_id)];
}

/**
 * Removes the name and address of a deleted person from the log; the events stay. The opaque id keeps their entries
 * together. The salts of their names go too: what is left of those in the chain reveals nothing.
 */
export async function forgetPerson(work: Work, person: { ids: string[]; email: string }): Promise<void> {
  const { ids, email } = person;
  await writeRecorded(work);
  await sql`
    UPDATE activity SET actor_name = ${FORGOTTEN}, address = NULL, actor_salt = NULL
    WHERE actor_id = ANY(${ids}::text[])`.execute(work.tx);
  await sql`DELETE FROM imported_people WHERE user_id = ANY(${ids}::text[])`.execute(work.tx);
  await sql`
    UPDATE activity SET resource_name = ${FORGOTTEN}, subject_salt = NULL, before = ${nameless('before')}, after = ${nameless('after')}
    WHERE resource_kind IN ('member', 'account', 'invitation')
      AND (resource_id = ANY(${ids}::text[]) OR before ->> 'email' = ${email} OR after ->> 'email' = ${email})`.execute(
    work.tx,
  );
}

/** A JSON column with the person's fields, where it has them, overwritten. */
function nameless(column: 'before' | 'after'): RawBuilder<unknown> {
  const json = sql.ref(column);
  return sql`CASE WHEN jsonb_typeof(${json}) = 'object' THEN ${json} || coalesce(
    (SELECT jsonb_object_agg(field, ${FORGOTTEN}::text) FROM unnest(ARRAY['name', 'email']) field
     WHERE ${json} -> field IS NOT NULL), '{}') ELSE ${json} END`;
}
