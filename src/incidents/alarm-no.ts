import { type RawBuilder, sql } from 'kysely';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';

/** The statement that links incidents to their alarms. The organization is locked. */
export const linkingAlarms = (
  alarms: readonly { incidentId: string; alarmNo: number }[],
): RawBuilder<unknown> =>
  sql`UPDATE incidents i SET alarm_no = given.alarm_no
    FROM unnest(${alarms.map(({ incidentId }) => incidentId)}::text[],
      ${pgArray(alarms.map(({ alarmNo }) => alarmNo))}::bigint[]) AS given (id, alarm_no)
    WHERE i.id = given.id`;

/** Unlinks these open, locked incidents from an alarm that ended without them, so that a new one can start. */
export async function unlinkAlarms({ tx }: Work, incidentIds: readonly string[]): Promise<void> {
  if (incidentIds.length === 0) return;
  await sql`UPDATE incidents SET alarm_no = NULL WHERE id = ANY(${[...incidentIds]}::text[])`.execute(tx);
}
