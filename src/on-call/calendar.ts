// The secret address of a person's calendar in an organization: only its hash is kept, and a new one voids the last.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { CalendarShifts } from '../domain/names.ts';
import { randomBase62 } from '../platform/base62.ts';
import { hashToken } from '../platform/secrets.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Work } from '../platform/work.ts';
import type { Calendar } from './calendar-contract.ts';

export type CalendarOf = {
  orgId: string;
  orgName: string;
  /** First owner of the organization. */
  owner: string | null;
  userId: string;
  shifts: CalendarShifts;
};

/** A person's calendar; nulls without one. */
export async function getCalendar(db: Database, orgId: string, userId: string): Promise<Calendar> {
  const row = await db
    .selectFrom('on_call_calendars')
    .select(['shifts', 'created_at'])
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!row) return { shifts: null, created_at_unix: null };
  return { shifts: row.shifts as CalendarShifts, created_at_unix: unix(row.created_at) };
}

/** Creates an address; the previous one is void with this commit. */
export async function createCalendar(
  work: Work,
  orgId: string,
  { userId, shifts, baseUrl }: { userId: string; shifts: CalendarShifts; baseUrl: string },
): Promise<{ url: string; shifts: CalendarShifts; created_at_unix: number }> {
  const { tx, now } = work;
  const token = randomBase62();
  const written = { token_hash: hashToken(token), shifts, created_at: now };
  await tx
    .insertInto('on_call_calendars')
    .values({ org_id: orgId, user_id: userId, ...written })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet(written))
    .execute();
  await record(work, { orgId, userId }, 'on_call.create_calendar', { after: { shifts } });
  return { url: `${baseUrl}/calendars/${token}/on-call.ics`, shifts, created_at_unix: unix(now) };
}

/** Voids the address of a person; nothing happens without one. */
export async function deleteCalendar(work: Work, orgId: string, userId: string): Promise<void> {
  const gone = await work.tx
    .deleteFrom('on_call_calendars')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .returning('shifts')
    .executeTakeFirst();
  if (gone)
    await record(work, { orgId, userId }, 'on_call.delete_calendar', { before: { shifts: gone.shifts } });
}

/**
 * The calendar behind an address; null for an unknown or void one. Every token is looked up by its hash, whatever its form, so
 * that response times reveal nothing.
 */
export async function findCalendar(db: Database, token: string): Promise<CalendarOf | null> {
  const { rows } = await sql<CalendarOf>`
    SELECT c.org_id AS "orgId", o.name AS "orgName", c.user_id AS "userId", c.shifts,
      (SELECT f.user_id FROM first_owners f WHERE f.org_id = c.org_id) AS owner
    FROM on_call_calendars c JOIN organizations o ON o.id = c.org_id
    WHERE c.token_hash = ${hashToken(token)}`.execute(db);
  return rows[0] ?? null;
}

/** Voids every address of a person; answers how many there were. */
export async function deleteCalendarsOf(work: Work, userId: string): Promise<number> {
  const rows = await work.tx
    .selectFrom('on_call_calendars')
    .select('org_id')
    .where('user_id', '=', userId)
    .orderBy('org_id')
    .execute();
  for (const { org_id } of rows) await deleteCalendar(work, org_id, userId);
  return rows.length;
}

/** The activity names the calendar's person, who may not be the actor. */
const record = (
  work: Work,
  { orgId, userId }: { orgId: string; userId: string },
  action: string,
  change: { before?: object; after?: object },
) => {
  const name = work.actor.id === userId ? work.actor.name : '';
  const resource = { kind: 'on_call_calendar', id: userId, name };
  return recordActivity(work, { orgId, action, resource, ...change });
};
