// How incidents stand with their alarm: whether they are still waiting for somebody, and whether they are kept quiet.
import { sql } from 'kysely';
import { isAwake, isHeld, isPending, monitorInMaintenance, wakes } from '#src/incidents/awake.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import type { Work } from '#src/platform/work.ts';

export type Standing = {
  id: string;
  /** null: its alarm has not started. */
  alarmNo: number | null;
  /** Wakes people at this instant: open, taken by nobody, of a kind that does, neither held nor in maintenance. */
  awake: boolean;
  /** Would, if its monitor were not in maintenance. */
  suppressed: boolean;
};

/** How these incidents stand at the instant of the work, by id. */
export async function readStandings(
  { tx, now }: Work,
  incidentIds: readonly string[],
): Promise<Map<string, Standing>> {
  if (incidentIds.length === 0) return new Map();
  const { rows } = await sql<Standing>`
    SELECT i.id, i.alarm_no AS "alarmNo", ${isAwake(now)} AS awake,
      (${isPending} AND ${wakes} AND NOT ${isHeld(now)} AND ${monitorInMaintenance(now)}) AS suppressed
    FROM incidents i WHERE i.id = ANY(${[...incidentIds]}::text[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Numbers as an array parameter. */
export const numbers = (nos: Iterable<number>) => sql`${pgArray(nos)}::bigint[]`;
