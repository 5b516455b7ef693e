// The backlog of an owner's figures after changes of the past. While it is long, further changes are refused.
import { sql } from 'kysely';
import { refuse } from '../platform/refusals.ts';
import type { Tx, Work } from '../platform/work.ts';

/** The roll-up's top speed (rollup-late.ts), in days of one monitor per minute. */
export const DAYS_A_MINUTE = 600;
/** The longest backlog, in days of one monitor, over all organizations of an owner. */
export const MAX_DAYS = 1_000;
const LONGEST_WAIT_SECONDS = 3600;

/**
 * Refuses with 429 `rate_limited` a write that changes a monitor's past from `since` on while its owner's backlog exceeds
 * MAX_DAYS. Time that is not closed yet is never refused.
 */
export async function refuseFarBehind({ tx }: Work, monitorNo: number, since: Date): Promise<void> {
  const days = await daysBehind(tx, monitorNo, since);
  if (days <= MAX_DAYS) return;
  const minutes = Math.ceil((days - MAX_DAYS) / DAYS_A_MINUTE);
  refuse(
    'rate_limited',
    `Figures of ${Math.round(days)} monitor-days are still being recalculated after changes to the past; wait until they are done before you change more.`,
    { reason: 'figures_behind', retryAfterSeconds: Math.min(minutes * 60, LONGEST_WAIT_SECONDS) },
  );
}

/** Time before a monitor was created does not count: it has hardly any checks. */
async function daysBehind(tx: Tx, monitorNo: number, since: Date): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    WITH mine AS (
      SELECT m.org_id, f.user_id FROM monitors m LEFT JOIN first_owners f ON f.org_id = m.org_id WHERE m.no = ${monitorNo}
    ), theirs AS MATERIALIZED (
      SELECT org_id FROM mine
      UNION
      SELECT o.org_id FROM mine JOIN members o ON o.user_id = mine.user_id AND o.role = 'owner'
      WHERE (SELECT f.user_id FROM first_owners f WHERE f.org_id = o.org_id) = mine.user_id
    )
    SELECT coalesce(sum(extract(epoch FROM d.until - greatest(d.since, m.created_at))), 0)::float8 / 86400 AS days
    FROM theirs t JOIN monitors m ON m.org_id = t.org_id JOIN rollup_dirty d ON d.monitor_no = m.no
    WHERE d.until > m.created_at AND ${since} < (SELECT closed_until FROM rollup_state)`.execute(tx);
  return rows[0]?.days ?? 0;
}
