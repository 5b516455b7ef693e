// Validation of a test: a target and a config that a write would accept, and a region that can check it now.
import { timeoutMsOf } from '../domain/reporting.ts';
import { mergeConfig } from '../monitors/candidate.ts';
import { isRegionless } from '../monitors/entitlements.ts';
import { completeConfig } from '../monitors/row.ts';
import {
  openStored,
  refuseMovedSecrets,
  refuseSecretsInOtherRegion,
  restoreMasked,
  sealConfig,
} from '../monitors/sealing.ts';
import { quoted, targetChecks, validateConfig } from '../monitors/types/rules.ts';
import { validType } from '../monitors/types.ts';
import type { MonitorOptions } from '../monitors/validate.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { LOCAL_REGION } from '../regions/create.ts';
import { sharingSince } from '../regions/sharing.ts';
import type { MonitorTest } from './contract.ts';

export type ValidTest = {
  region: { no: number; slug: string; allow_private_targets: boolean };
  type: string;
  /** Complete, its secrets in clear. */
  config: Record<string, unknown>;
  timeoutMs: number;
};

/** Long enough never to shorten the default timeout: a test has no interval. */
const NO_INTERVAL_SECONDS = 86_400;

/** Refuses like a monitor write; refuses also a region without a probe online. */
export async function validateTest(
  db: Database,
  { projectId, within, now }: { projectId: string; within: ResourceFilter; now: Date },
  body: MonitorTest,
  { vault, allowSingleLabel }: MonitorOptions,
): Promise<ValidTest> {
  const { type } = body;
  const rules = validType(type);
  if (isRegionless(type))
    refuse(
      'invalid_request',
      `type ${type} is not checked from a region: it reports by itself, so there is nothing to test.`,
      { field: 'type' },
    );
  const stored = body.monitor_id == null ? null : await storedOf(db, body.monitor_id, projectId, within);
  const region = await validateRegion(db, body.region ?? LOCAL_REGION, now);
  const merged = mergeConfig(rules, {}, body.config as Record<string, unknown>);
  const before = stored?.type === type ? stored : null;
  const restored = restoreMasked(rules, merged, before?.config ?? null, vault);
  const clear = before ? openStored(rules, restored, before.config, before.id, vault) : restored;
  const config = completeConfig(rules, clear, NO_INTERVAL_SECONDS);
  const allowPrivate = region.allow_private_targets;
  const context = targetChecks({ allowSingleLabel: allowSingleLabel ?? allowPrivate, allowPrivate });
  validateConfig(rules, config, context);
  if (before) {
    refuseMovedSecrets(rules, restored, before.config, vault);
    refuseSecretsInOtherRegion(rules, restored, before, region.slug, vault);
  }
  // A config that could not be stored is not tested either.
  sealConfig(rules, restored, stored?.id ?? 'a test', vault);
  return { region, type, config, timeoutMs: timeoutMsOf(config) };
}

async function validateRegion(db: Database, slug: string, now: Date) {
  const region = await db
    .selectFrom('regions')
    .select(['no', 'slug', 'internal', 'allow_private_targets'])
    .where('slug', '=', slug)
    .where('slug', '<>', '')
    .executeTakeFirst();
  if (!region)
    refuse('unknown_region', `region ${quoted(slug)} does not exist on this installation.`, {
      field: 'region',
    });
  if (region.internal)
    refuse('internal_region', `region ${quoted(slug)} is not usable for monitors.`, { field: 'region' });
  const probe = await db
    .selectFrom('probes')
    .select('probe_id')
    .where('region_no', '=', region.no)
    .where('admission', '=', 'admitted')
    .where('asked_at', '>', sharingSince(now))
    .executeTakeFirst();
  if (!probe)
    refuse(
      'invalid_request',
      `region ${quoted(slug)} has no probe online right now; choose another region.`,
      { field: 'region' },
    );
  return region;
}

/** The monitor that owns the masked secrets: in the same project, and visible to the caller. */
async function storedOf(db: Database, monitorId: string, projectId: string, within: ResourceFilter) {
  const row = await db
    .selectFrom('monitors')
    .select(['id', 'type', 'config', 'regions'])
    .where('id', '=', monitorId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  const isSeen = !within || within.projectIds.includes(projectId) || within.monitorIds.includes(monitorId);
  if (!row || !isSeen)
    refuse('invalid_request', 'monitor_id must be a monitor of this project.', { field: 'monitor_id' });
  return { ...row, config: row.config as Record<string, unknown> };
}
