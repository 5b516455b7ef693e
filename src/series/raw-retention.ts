// How long single checks are kept: as long as the longest of the plans in use asks for, and never dropped before they
// are rolled up. What one organization sees of them follows its own plan (checks/routes).
import { sql } from 'kysely';
import { DAY_MS } from '../domain/durations.ts';
import type { Partitioned } from '../platform/db/partitions.ts';
import type { Database } from '../platform/work.ts';
import { CHECKS } from '../retention.ts';

/** Every plan keeps at least this much: what is younger is taken without asking. */
const ALWAYS_KEPT_MS = DAY_MS;

/** Days that single checks are kept now; a plan without a limit keeps them as long as any are kept. */
async function keptDays(db: Database): Promise<number> {
  const { rows } = await sql<{ days: number | null }>`
    SELECT max(coalesce(p.raw_check_retention_days, ${CHECKS.keepDays}::int)) AS days
    FROM organizations o JOIN plans p ON p.name = o.plan`.execute(db);
  return Math.max(2, Math.min(CHECKS.keepDays, rows[0]?.days ?? CHECKS.keepDays));
}

/** Retention of the checks as it is now. What is not rolled up yet, or is to be again, is not dropped. */
export async function checksRetention(db: Database): Promise<Partitioned & { notBehind: Date }> {
  const { rows } = await sql<{ until: Date }>`
    SELECT least(rolled_until, (SELECT min(since) FROM rollup_dirty)) AS until FROM rollup_state`.execute(db);
  return { ...CHECKS, keepDays: await keptDays(db), notBehind: rows[0]?.until ?? new Date(0) };
}

/**
 * The oldest instant of which results are taken, in milliseconds. `oldestMs` is the oldest of those that came: as long
 * as that is young, nothing is asked.
 */
export async function oldestTakenMs(db: Database, oldestMs: number, now: Date): Promise<number> {
  if (oldestMs > now.getTime() - ALWAYS_KEPT_MS) return Number.NEGATIVE_INFINITY;
  return now.getTime() - ((await keptDays(db)) - 1) * DAY_MS;
}
