// How incidents stand with their alarm: whether they are still waiting for somebody, and whether they are kept quiet.
import { type RawBuilder, sql } from 'kysely';
import type { Tx, Work } from '../../platform/work.ts';

export type Standing = {
  id: string;
  /** null: its alarm has not started. */
  alarmNo: number | null;
  /** Wakes people at this instant: open, taken by nobody, of a kind that does, neither held nor in maintenance. */
  awake: boolean;
  /** Would, if its monitor were not in maintenance. */
  suppressed: boolean;
};

/** `i` waits for somebody: it is open and nobody has taken it. */
export const isPending = sql<boolean>`(i.status = 'open' AND i.acknowledged_at IS NULL)`;

/** Automatic incidents always wake, those made by hand unless they are only degraded. */
export const wakes = sql<boolean>`(i.origin = 'automatic' OR i.severity IN ('critical', 'default'))`;

export const inMaintenance = (now: Date): RawBuilder<boolean> => sql<boolean>`EXISTS (
  SELECT FROM maintenance_monitors w
  WHERE w.monitor_no = i.monitor_no AND w.starts_at <= ${now} AND w.ends_at > ${now})`;

const isHeld = (now: Date) => sql<boolean>`coalesce(i.alarm_held_until > ${now}, false)`;

/** `i` wakes people at `now`. */
export const isAwake = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${isPending} AND ${wakes} AND NOT ${isHeld(now)} AND NOT ${inMaintenance(now)})`;

/** How these incidents stand at the instant of the work, by id. */
export async function readStandings(
  { tx, now }: Work,
  incidentIds: readonly string[],
): Promise<Map<string, Standing>> {
  if (incidentIds.length === 0) return new Map();
  const { rows } = await sql<Standing>`
    SELECT i.id, i.alarm_no AS "alarmNo", ${isAwake(now)} AS awake,
      (${isPending} AND ${wakes} AND NOT ${isHeld(now)} AND ${inMaintenance(now)}) AS suppressed
    FROM incidents i WHERE i.id = ANY(${[...incidentIds]}::text[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whoever reads or writes alarms holds this lock; announcements of incidents come with it. */
export async function lockOrganization(tx: Tx, orgId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', orgId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Numbers as an array parameter. */
export const numbers = (nos: Iterable<number>) => sql`${`{${[...nos].join(',')}}`}::bigint[]`;
