import { type RawBuilder, sql } from 'kysely';
import type { Work } from '../platform/work.ts';
import { FORGOTTEN } from './chain.ts';
import { writeRecorded } from './record.ts';

export { FORGOTTEN };

/**
 * Removes the name and address of a deleted person from the log; the events stay. The opaque id keeps their entries
 * together. The salts of their names go too: what is left of those in the chain reveals nothing.
 */
export async function forgetPerson(work: Work, person: { userId: string; email: string }): Promise<void> {
  const { userId, email } = person;
  await writeRecorded(work);
  await sql`UPDATE activity SET actor_name = ${FORGOTTEN}, address = NULL, actor_salt = NULL WHERE actor_id = ${userId}`.execute(
    work.tx,
  );
  await sql`
    UPDATE activity SET resource_name = ${FORGOTTEN}, subject_salt = NULL, before = ${nameless('before')}, after = ${nameless('after')}
    WHERE resource_kind IN ('member', 'account', 'invitation')
      AND (resource_id = ${userId} OR before ->> 'email' = ${email} OR after ->> 'email' = ${email})`.execute(
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
