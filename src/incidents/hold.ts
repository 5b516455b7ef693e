// What keeps the alarm chain of an incident quiet for a while (decisions, section 5): a change that was announced, or a
// monitor that it depends on and that is down itself.
import { sql } from 'kysely';
import type { Tx } from '../platform/work.ts';
import type { Happening } from './timeline.ts';

export type Hold = { until: Date; byName: string; origin: string; userId: string | null };

/** How long a monitor without an alarm gate, or with one that does not say, is held. */
export const DEFAULT_GRACE_SECONDS = 300;

export type Asked = {
  monitorNo: number;
  now: Date;
  /** When the incident opened: what was announced, or went down, later holds nothing. Null: it opens now. */
  openedAt: Date | null;
  /** From when a dependency's time counts: the end of the hold before, or now. */
  from: Date;
};

/**
 * The hold that ends last of those that are in force for an incident, null where there is none. The states of
 * dependencies are read as they are committed, or written earlier in this transaction, and not locked: whoever evaluates
 * them holds locks of its own.
 */
export async function holdOf(tx: Tx, { monitorNo, now, openedAt, from }: Asked): Promise<Hold | null> {
  const { rows } = await sql<{ until: Date; by_name: string; origin: string; user_id: string | null }>`
    WITH monitor AS (
      SELECT org_id, depends_on,
        make_interval(secs => coalesce((alarm_gate ->> 'grace_seconds')::float8, ${DEFAULT_GRACE_SECONDS})) AS grace
      FROM monitors WHERE no = ${monitorNo}
    )
    SELECT held_until AS until, held_by_name AS by_name, origin, held_by_user_id AS user_id
    FROM alarm_holds
    WHERE monitor_no = ${monitorNo} AND held_until > ${now}
      AND (${openedAt}::timestamptz IS NULL OR created_at <= ${openedAt})
    UNION ALL
    SELECT CASE WHEN ${from}::timestamptz + grace > ${now} THEN ${from}::timestamptz + grace
        ELSE ${now}::timestamptz + grace END, d.name, 'dependency', NULL
    FROM monitor JOIN monitors d ON d.id = ANY(monitor.depends_on) AND d.org_id = monitor.org_id
    JOIN monitor_state s ON s.monitor_no = d.no
    WHERE jsonb_typeof(s.state -> 'outage') = 'object' AND grace > '0'
      AND (${openedAt}::timestamptz IS NULL
        OR (s.state #>> '{outage,sinceMs}')::float8 <= extract(epoch FROM ${openedAt}::timestamptz) * 1000)
    ORDER BY until DESC, by_name LIMIT 1`.execute(tx);
  const [row] = rows;
  return row ? { until: row.until, byName: row.by_name, origin: row.origin, userId: row.user_id } : null;
}

/** The timeline's entry of a hold with which an incident opens. */
export function heldEntry(incidentId: string, { byName, origin, userId }: Hold, at: Date): Happening {
  const detail = `the alarm is held: ${origin}`;
  return { incidentId, kind: 'held', at, actorName: byName, actorUserId: userId, detail };
}
