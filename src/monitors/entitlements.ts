// The regions and the interval that a monitor may have, and the number of monitors: by type and by plan
// (docs/rules/monitor-types.md#regions-of-a-monitor, docs/rules/monitor-types.md#intervals).
import { sql } from 'kysely';
import { REGIONLESS_MONITOR_TYPES } from '../domain/names.ts';
import { type PlanLimits, planLimits } from '../plans/plan.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database, Tx } from '../platform/work.ts';
import { LOCAL_REGION } from '../regions/create.ts';
import { quoted, type TypeRules } from './types/rules.ts';

export const isRegionless = (type: string): boolean =>
  (REGIONLESS_MONITOR_TYPES as readonly string[]).includes(type);

export const DEFAULT_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 86_400;

/** The regions of a write without regions: the stored ones, or the local region. None for a type without regions. */
export function regionsUnlessGiven(type: string, before: string[]): string[] {
  if (isRegionless(type)) return [];
  return before.length > 0 ? before : [LOCAL_REGION];
}

/**
 * Refuses regions that are unknown, internal or named twice, and more regions than the plan allows. After a downgrade a monitor
 * may keep its number of regions: `too_many_regions` refuses only more than that. Returns whether any of the regions may
 * connect to private addresses.
 */
export async function validateRegions(
  tx: Tx,
  { type, regions }: { type: string; regions: string[] },
  most: number | null,
  before: { regions: string[] } | null,
): Promise<boolean> {
  if (isRegionless(type)) {
    if (regions.length > 0)
      refuse(
        'invalid_request',
        `regions must be empty: a monitor of type ${type} is not checked from a region.`,
        {
          field: 'regions',
        },
      );
    return false;
  }
  if (regions.length === 0)
    refuse('invalid_request', 'regions must name at least one region.', { field: 'regions' });
  if (new Set(regions).size !== regions.length)
    refuse('invalid_request', 'regions must not name a region twice.', { field: 'regions' });
  const known = await tx
    .selectFrom('regions')
    .select(['slug', 'internal', 'allow_private_targets'])
    .where('slug', '=', sql<string>`ANY(${regions}::text[])`)
    .where('slug', '<>', '')
    .execute();
  const bySlug = new Map(known.map((region) => [region.slug, region]));
  for (const slug of regions) {
    const region = bySlug.get(slug);
    if (!region)
      refuse('unknown_region', `regions names ${quoted(slug)}, which is no region of this installation.`, {
        field: 'regions',
      });
    if (region.internal)
      refuse('internal_region', `regions names ${quoted(slug)}, which is not usable for monitors.`, {
        field: 'regions',
      });
  }
  refuseTooMany(regions.length, before?.regions.length ?? 0, most);
  return known.some((region) => region.allow_private_targets);
}

function refuseTooMany(regions: number, before: number, most: number | null): void {
  if (most === null || regions <= most || regions <= before) return;
  refuse(
    'too_many_regions',
    `regions names ${regions} regions; the plan checks a monitor from at most ${most}.`,
    { field: 'regions', limit: most },
  );
}

/**
 * `too_many_regions` for a body that has not been validated: the plan is checked before anything else of a monitor
 * (docs/rules/errors-and-conventions.md#order-of-refusals). `monitorId` is the monitor to change, or null.
 */
export async function refuseRegionsBeyondPlan(
  db: Database,
  { orgId, monitorId, body }: { orgId: string; monitorId: string | null; body: unknown },
): Promise<void> {
  const given = typeof body === 'object' && body !== null && 'regions' in body ? body.regions : null;
  if (!Array.isArray(given)) return;
  const { regionsPerMonitor } = await planLimits(db, orgId);
  const before = await db
    .selectFrom('monitors')
    .select('regions')
    .where('id', '=', monitorId)
    .executeTakeFirst();
  refuseTooMany(given.length, before?.regions.length ?? 0, regionsPerMonitor);
}

/** The interval of a write without one: the stored one, raised to the minimum of the type. */
export const intervalUnlessGiven = (rules: TypeRules | undefined, before: number): number =>
  Math.max(before, rules?.leastIntervalSeconds ?? 0);

/**
 * `before` is the stored interval. After a downgrade an interval below the plan's minimum may stay, or be raised towards it.
 */
export function validateInterval(
  rules: TypeRules,
  seconds: number,
  before: number | null,
  planLeast: number,
): void {
  const floor = Math.max(Math.min(planLeast, before ?? planLeast), rules.leastIntervalSeconds ?? 0);
  if (seconds >= floor && seconds <= MAX_INTERVAL_SECONDS) return;
  const least = Math.max(planLeast, rules.leastIntervalSeconds ?? 0);
  refuse('invalid_request', `interval_seconds must be between ${least} and ${MAX_INTERVAL_SECONDS}.`, {
    field: 'interval_seconds',
  });
}

/**
 * `quota_reached` unless the plan has room for one monitor beside the `pending` ones. The caller holds the lock on the limits.
 */
export async function refuseBeyondQuota(
  tx: Tx,
  orgId: string,
  { monitors: most }: PlanLimits,
  pending = 0,
): Promise<void> {
  if (most === null) return;
  const { count } = await tx
    .selectFrom('monitors')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  if (Number(count) + pending >= most)
    refuse('quota_reached', `The plan allows ${most} monitors and all of them are in use.`, { limit: most });
}
