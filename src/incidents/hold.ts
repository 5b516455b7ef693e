// Holds delay the alarm chain of an incident (docs/rules/confirmation.md#holds): an announced change, or a dependency that
// is down itself.
import { sql } from 'kysely';
import { DEFAULT_GRACE_SECONDS } from '../domain/alarm-gate.ts';
import type { Tx } from '../platform/work.ts';
import type { TimelineEvent } from './timeline.ts';

export type Hold = { until: Date; byName: string; origin: string; userId: string | null };

/** An incident whose hold is looked up. */
export type HoldQuery = {
  monitorNo: number;
  /** When the incident opened: later announcements and outages do not hold it. Null: it opens now. */
  openedAt: Date | null;
  /** Start of a dependency's hold: the end of the previous hold, or now. */
  from: Date;
};

/** The longest hold in force for an incident of each monitor that opens now. */
export async function holdsOf(tx: Tx, monitorNos: readonly number[], now: Date): Promise<Map<number, Hold>> {
  const queries = monitorNos.map((monitorNo) => ({ monitorNo, openedAt: null, from: now }));
  const holds = await holdsFor(tx, queries, now);
  return new Map(monitorNos.flatMap((no, i) => (holds[i] ? [[no, holds[i]] as const] : [])));
}

/**
 * The longest hold in force at `now` for each of these incidents, in their order; null where there is none. The states of
 * dependencies are read without locks: their own evaluation may hold them.
 */
export async function holdsFor(tx: Tx, queries: readonly HoldQuery[], now: Date): Promise<(Hold | null)[]> {
  if (queries.length === 0) return [];
  const given = queries.map(({ monitorNo, openedAt, from }, place) => ({
    place,
    monitor_no: monitorNo,
    opened_at: openedAt,
    counted_from: from,
  }));
  const { rows } = await sql<{
    place: number;
    until: Date;
    by_name: string;
    origin: string;
    user_id: string | null;
  }>`
    WITH monitor AS (
      SELECT g.place, g.opened_at, g.counted_from, m.no, m.org_id, m.depends_on,
        make_interval(secs => coalesce((m.alarm_gate ->> 'grace_seconds')::float8, ${DEFAULT_GRACE_SECONDS})) AS grace
      FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        AS g (place int, monitor_no int, opened_at timestamptz, counted_from timestamptz)
      JOIN monitors m ON m.no = g.monitor_no
    )
    SELECT DISTINCT ON (place) place, until, by_name, origin, user_id FROM (
      SELECT monitor.place, h.held_until AS until, h.held_by_name AS by_name, h.origin, h.held_by_user_id AS user_id
      FROM monitor JOIN alarm_holds h ON h.monitor_no = monitor.no
      WHERE h.held_until > ${now} AND (monitor.opened_at IS NULL OR h.created_at <= monitor.opened_at)
      UNION ALL
      SELECT monitor.place, CASE WHEN counted_from + grace > ${now} THEN counted_from + grace
          ELSE ${now}::timestamptz + grace END, d.name, 'dependency', NULL
      FROM monitor CROSS JOIN LATERAL unnest(monitor.depends_on) AS named (id)
      JOIN monitors d ON d.id = named.id AND d.org_id = monitor.org_id
      JOIN monitor_state s ON s.monitor_no = d.no
      WHERE jsonb_typeof(s.state -> 'outage') = 'object' AND grace > '0'
        AND (monitor.opened_at IS NULL
          OR (s.state #>> '{outage,sinceMs}')::float8 <= extract(epoch FROM monitor.opened_at) * 1000)
    ) hold
    ORDER BY place, until DESC, by_name`.execute(tx);
  const byPlace = new Map(
    rows.map(({ place, until, by_name, origin, user_id }) => [
      place,
      { until, byName: by_name, origin, userId: user_id },
    ]),
  );
  return queries.map((_, place) => byPlace.get(place) ?? null);
}

/** The timeline entry for a hold that is in force when an incident opens. */
export function heldEntry(incidentId: string, { byName, origin, userId }: Hold, at: Date): TimelineEvent {
  const detail = `the alarm is held: ${origin}`;
  return { incidentId, kind: 'held', at, actorName: byName, actorUserId: userId, detail };
}
