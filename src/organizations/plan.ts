import { sql } from 'kysely';
import type { Database, Tx } from '../platform/work.ts';

export type PlanLimits = {
  monitors: number | null;
  regionsPerMonitor: number | null;
  minIntervalSeconds: number;
  rawCheckRetentionDays: number | null;
};

/** Limits of the organization's plan; null is "no limit" (decisions, section 2). */
export async function planLimits(db: Database | Tx, orgId: string): Promise<PlanLimits> {
  const row = await db
    .selectFrom('organizations')
    .innerJoin('plans', 'plans.name', 'organizations.plan')
    .select([
      'plans.monitors',
      'plans.regions_per_monitor',
      'plans.min_interval_seconds',
      'plans.raw_check_retention_days',
    ])
    .where('organizations.id', '=', orgId)
    .executeTakeFirstOrThrow();
  return {
    monitors: row.monitors,
    regionsPerMonitor: row.regions_per_monitor,
    minIntervalSeconds: row.min_interval_seconds,
    rawCheckRetentionDays: row.raw_check_retention_days,
  };
}

/**
 * One at a time per organization until the end of the transaction: what is counted against a limit cannot change
 * meanwhile. Not the organization's row: its counter of live events is locked last by everything else, and the other
 * way round here would be a deadlock.
 */
export async function lockLimits(tx: Tx, orgId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`limits ${orgId}`}, 0))`.execute(tx);
}
