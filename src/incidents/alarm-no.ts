import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';

/** Notes which alarm wakes people for which incident; the organization is locked. */
export async function noteAlarms(
  { tx }: Work,
  alarms: readonly { incidentId: string; alarmNo: number }[],
): Promise<void> {
  if (alarms.length === 0) return;
  await sql`UPDATE incidents i SET alarm_no = given.alarm_no
    FROM unnest(${alarms.map(({ incidentId }) => incidentId)}::text[],
      ${`{${alarms.map(({ alarmNo }) => alarmNo).join(',')}}`}::bigint[]) AS given (id, alarm_no)
    WHERE i.id = given.id`.execute(tx);
}
