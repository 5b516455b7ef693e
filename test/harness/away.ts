// A database that goes away just when something is to be recorded.
import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

const TIMES = 3;

/**
 * The next statements of this kind that change a row of the table fail as if the database were shutting down. `when`: only those
 * for which this condition on OLD and NEW holds.
 */
export async function goesAway(
  db: Database,
  { statement, table, when = 'true' }: { statement: 'UPDATE' | 'DELETE'; table: string; when?: string },
): Promise<void> {
  // A sequence counts also what is rolled back.
  await sql`CREATE SEQUENCE times_away`.execute(db);
  await sql`CREATE FUNCTION be_away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('times_away') <= ${sql.lit(TIMES)} THEN RAISE EXCEPTION 'the database went away' USING ERRCODE = '57P01'; END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END $$`.execute(db);
  await sql`CREATE TRIGGER be_away BEFORE ${sql.raw(statement)} ON ${sql.table(table)}
    FOR EACH ROW WHEN (${sql.raw(when)}) EXECUTE FUNCTION be_away()`.execute(db);
}
