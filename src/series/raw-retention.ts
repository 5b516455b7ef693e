// Single checks are kept for the longest retention of the plans in use, and never dropped before they are rolled up. Each
// organization sees as many of them as its own plan allows (checks/routes).
import { sql } from 'kysely';
import { DAY_MS } from '../domain/durations.ts';
import type { Partitioned } from '../platform/db/partitions.ts';
import type { Database } from '../platform/work.ts';
import { CHECKS } from '../retention.ts';

/** Every plan keeps at least this much: younger results are accepted without a query. */
const ALWAYS_KEPT_MS = DAY_MS;

/** Days that single checks are kept now; a plan without a limit keeps them for the maximum. */
async function keptDays(db: Database): Promise<number> {
  const { rows } = await sql<{ days: number | null }>`
    SELECT max(coalesce(p.raw_check_retention_days, ${CHECKS.keepDays}::int)) AS days
    FROM organizations o JOIN plans p ON p.name = o.plan`.execute(db);
  return Math.max(2, Math.min(CHECKS.keepDays, rows[0]?.days ?? CHECKS.keepDays));
}

/** The current retention of checks. Those not rolled up yet, or due to be rolled up again, are not dropped. */
export async function checksRetention(db: Database): Promise<Partitioned & { notBehind: Date }> {
  const { rows } = await sql<{ until: Date }>`
    SELECT least(rolled_until, (SELECT min(since) FROM rollup_dirty)) AS until FROM rollup_state`.execute(db);
  return { ...CHECKS, keepDays: await keptDays(db), notBehind: rows[0]?.until ?? new Date(0) };
}

/**
 * The oldest instant for which results are accepted, in milliseconds. `oldestMs` is the oldest of the new results: while it
 * is recent, no query is needed.
 */
export async function oldestAcceptedMs(db: Database, oldestMs: number, now: Date): Promise<number> {
  if (oldestMs > now.getTime() - ALWAYS_KEPT_MS) return Number.NEGATIVE_INFINITY;
  return now.getTime() - ((await keptDays(db)) - 1) * DAY_MS;
}
