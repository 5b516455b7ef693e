// What keeps the alarm chain of an incident quiet for a while (decisions, section 5): a change that was announced, or a
// monitor that it depends on and that is down itself.
import { sql } from 'kysely';
import type { Tx } from '../platform/work.ts';
import type { Happening } from './timeline.ts';

export type Hold = { until: Date; byName: string; origin: string; userId: string | null };

/** How long a monitor without an alarm gate, or with one that does not say, is held. */
export const DEFAULT_GRACE_SECONDS = 300;

export type Asked = {
  now: Date;
  /** When the incident opened: what was announced, or went down, later holds nothing. Null: it opens now. */
  openedAt: Date | null;
  /** From when a dependency's time counts: the end of the hold before, or now. */
  from: Date;
};

/**
 * Of each monitor the hold that ends last of those that are in force for an incident of it; none where there is none. The
 * states of dependencies are read as they are committed, or written earlier in this transaction, and not locked: whoever
 * evaluates them holds locks of its own.
 */
export async function holdsOf(
  tx: Tx,
  monitorNos: readonly number[],
  { now, openedAt, from }: Asked,
): Promise<Map<number, Hold>> {
  const { rows } = await sql<{
    no: number;
    until: Date;
    by_name: string;
    origin: string;
    user_id: string | null;
  }>`
    WITH monitor AS (
      SELECT no, org_id, depends_on,
        make_interval(secs => coalesce((alarm_gate ->> 'grace_seconds')::float8, ${DEFAULT_GRACE_SECONDS})) AS grace
      FROM monitors WHERE no = ANY(${`{${monitorNos.join(',')}}`}::int[])
    )
    SELECT DISTINCT ON (no) no, until, by_name, origin, user_id FROM (
      SELECT h.monitor_no AS no, h.held_until AS until, h.held_by_name AS by_name, h.origin, h.held_by_user_id AS user_id
      FROM alarm_holds h
      WHERE h.monitor_no = ANY(${`{${monitorNos.join(',')}}`}::int[]) AND h.held_until > ${now}
        AND (${openedAt}::timestamptz IS NULL OR h.created_at <= ${openedAt})
      UNION ALL
      SELECT monitor.no, CASE WHEN ${from}::timestamptz + grace > ${now} THEN ${from}::timestamptz + grace
          ELSE ${now}::timestamptz + grace END, d.name, 'dependency', NULL
      FROM monitor CROSS JOIN LATERAL unnest(monitor.depends_on) AS named (id)
      JOIN monitors d ON d.id = named.id AND d.org_id = monitor.org_id
      JOIN monitor_state s ON s.monitor_no = d.no
      WHERE jsonb_typeof(s.state -> 'outage') = 'object' AND grace > '0'
        AND (${openedAt}::timestamptz IS NULL
          OR (s.state #>> '{outage,sinceMs}')::float8 <= extract(epoch FROM ${openedAt}::timestamptz) * 1000)
    ) hold
    ORDER BY no, until DESC, by_name`.execute(tx);
  return new Map(
    rows.map(({ no, until, by_name, origin, user_id }) => [
      no,
      { until, byName: by_name, origin, userId: user_id },
    ]),
  );
}

/** The timeline's entry of a hold with which an incident opens. */
export function heldEntry(incidentId: string, { byName, origin, userId }: Hold, at: Date): Happening {
  const detail = `the alarm is held: ${origin}`;
  return { incidentId, kind: 'held', at, actorName: byName, actorUserId: userId, detail };
}
