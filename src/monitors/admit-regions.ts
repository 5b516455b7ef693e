// Where a monitor may be checked from (docs/rules/monitor-types.md#regions-of-a-monitor): 1 to n distinct known regions, or
// none for the types that are not checked from a region.
import { REGIONLESS_MONITOR_TYPES } from '../domain/names.ts';
import { planLimits } from '../plans/plan.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database, Tx } from '../platform/work.ts';
import { LOCAL_REGION } from '../regions/create.ts';
import { quoted } from './quoted.ts';

export const isRegionless = (type: string): boolean =>
  (REGIONLESS_MONITOR_TYPES as readonly string[]).includes(type);

/** The regions of a write that names none: those it has, as far as its type can have any. */
export function regionsWhereNoneAreGiven(type: string, before: string[] = []): string[] {
  if (isRegionless(type)) return [];
  return before.length > 0 ? before : [LOCAL_REGION];
}

/** `too_many_regions` is for what is more than before: what exceeds the plan after a downgrade keeps working. */
export async function admitRegions(
  tx: Tx,
  { type, regions }: { type: string; regions: string[] },
  most: number | null,
  before: { regions: string[] } | null,
): Promise<void> {
  if (isRegionless(type)) {
    if (regions.length > 0)
      refuse(
        'invalid_request',
        `regions must be empty: a monitor of type ${type} is not checked from a region.`,
        {
          field: 'regions',
        },
      );
    return;
  }
  if (regions.length === 0)
    refuse('invalid_request', 'regions must name at least one region.', { field: 'regions' });
  if (new Set(regions).size !== regions.length)
    refuse('invalid_request', 'regions must not name a region twice.', { field: 'regions' });
  const known = await tx
    .selectFrom('regions')
    .select(['slug', 'internal'])
    .where('slug', 'in', regions)
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
 * The plan comes before everything else that is wrong with a monitor
 * (docs/rules/errors-and-conventions.md#order-of-refusals): `too_many_regions` of a body that has not been validated.
 * `monitorId` of the one that it is to change.
 */
export async function admitRegionCount(
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

/** A literal private address is refused when no region of the monitor may connect to it. */
export async function anyAllowsPrivate(tx: Tx, regions: string[]): Promise<boolean> {
  if (regions.length === 0) return false;
  const row = await tx
    .selectFrom('regions')
    .select('no')
    .where('slug', 'in', regions)
    .where('allow_private_targets', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
