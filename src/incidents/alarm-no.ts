import { sql } from 'kysely';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';

/** Notes which alarm wakes people for which incident; the organization is locked. */
export async function noteAlarms(
  { tx }: Work,
  alarms: readonly { incidentId: string; alarmNo: number }[],
): Promise<void> {
  if (alarms.length === 0) return;
  await sql`UPDATE incidents i SET alarm_no = given.alarm_no
    FROM unnest(${alarms.map(({ incidentId }) => incidentId)}::text[],
      ${pgArray(alarms.map(({ alarmNo }) => alarmNo))}::bigint[]) AS given (id, alarm_no)
    WHERE i.id = given.id`.execute(tx);
}

/** These incidents, which are open and locked, are to have a new alarm: the one they had has ended without them. */
export async function forgetAlarms({ tx }: Work, incidentIds: readonly string[]): Promise<void> {
  if (incidentIds.length === 0) return;
  await sql`UPDATE incidents SET alarm_no = NULL WHERE id = ANY(${[...incidentIds]}::text[])`.execute(tx);
}
