// What the states of monitors know of a future that the clock has left again (docs/rules/confirmation.md#a-clock-that-was-set-back).
import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';

const BATCH = 500;

/**
 * The clock was set back to this moment: whatever a state dates later counts as of now. Otherwise no result would be newer than
 * what is known, and no outage would be seen, until the clock comes there again.
 */
export async function rightStates({ tx, now }: Work): Promise<void> {
  const nowMs = now.getTime();
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ no: number; state: unknown; ahead: boolean }>`
      SELECT monitor_no AS no, CASE WHEN ahead THEN state END AS state, ahead FROM (
        SELECT monitor_no, state, jsonb_path_exists(state, '$.** ? (@ > $now)', jsonb_build_object('now', ${nowMs}::bigint)) AS ahead
        FROM monitor_state WHERE monitor_no > ${after} ORDER BY monitor_no LIMIT ${BATCH} FOR NO KEY UPDATE
      ) s ORDER BY monitor_no`.execute(tx);
    const last = rows.at(-1);
    if (!last) return;
    const righted = rows.map(({ no, state, ahead }) => ({
      no,
      state: ahead ? untilNow(state, nowMs) : null,
    }));
    // Every row: a new version makes caches read a monitor again that they know to report for a while yet.
    await sql`
      UPDATE monitor_state s SET state = coalesce(nullif(n.state, 'null'), s.state), not_before = least(s.not_before, ${now}),
        last_status_since = least(s.last_status_since, ${now}), reevaluate_at = least(s.reevaluate_at, ${now}),
        faster_since = least(s.faster_since, ${now})
      FROM jsonb_to_recordset(${JSON.stringify(righted)}::jsonb) AS n (no int, state jsonb)
      WHERE s.monitor_no = n.no`.execute(tx);
    after = last.no;
  }
}

/** All large numbers of a state are instants in milliseconds. */
function untilNow(state: unknown, nowMs: number): unknown {
  return JSON.parse(JSON.stringify(state), (_key, value) =>
    typeof value === 'number' ? Math.min(value, nowMs) : value,
  );
}
