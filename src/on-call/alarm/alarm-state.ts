// The alarm state of incidents: whether they still wait for somebody, and whether they are suppressed.
import { sql } from 'kysely';
import {
  isHeld,
  isPaging,
  isPagingSeverity,
  isPending,
  monitorInMaintenance,
} from '#src/conditions/paging.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import type { Work } from '#src/platform/work.ts';

export type AlarmState = {
  id: string;
  /** null: its alarm has not started. */
  alarmNo: number | null;
  /** The incident pages at this instant: open, not acknowledged, severe enough, neither held nor in maintenance. */
  isPaging: boolean;
  /** The incident would page if its monitor were not in maintenance. */
  suppressed: boolean;
};

/** The alarm states of these incidents at the instant of the work, by id. */
export async function readAlarmStates(
  { tx, now }: Work,
  incidentIds: readonly string[],
): Promise<Map<string, AlarmState>> {
  if (incidentIds.length === 0) return new Map();
  const { rows } = await sql<AlarmState>`
    SELECT i.id, i.alarm_no AS "alarmNo", ${isPaging(now)} AS "isPaging",
      (${isPending} AND ${isPagingSeverity} AND NOT ${isHeld(now)} AND ${monitorInMaintenance(now)}) AS suppressed
    FROM incidents i WHERE i.id = ANY(${[...incidentIds]}::text[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Numbers as an array parameter. */
export const numbers = (nos: Iterable<number>) => sql`${pgArray([...nos])}::bigint[]`;
