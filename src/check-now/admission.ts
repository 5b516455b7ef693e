// What a test demands: a target and a config as a write would take them, and a region that can check it now.

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
import type { Within } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { LOCAL_REGION } from '../regions/create.ts';
import { sharingSince } from '../regions/sharing.ts';
import type { MonitorTest } from './contract.ts';

export type AdmittedTest = {
  region: { no: number; slug: string; allow_private_targets: boolean };
  type: string;
  /** Complete, its secrets in clear. */
  config: Record<string, unknown>;
  timeoutMs: number;
};

/** A default timeout is not shortened: no interval is waiting. */
const NO_INTERVAL_SECONDS = 86_400;
const DEFAULT_TIMEOUT_MS = 10_000;

/** Refuses like a monitor write, and a region that nobody checks from right now. */
export async function admitTest(
  db: Database,
  { projectId, within, now }: { projectId: string; within: Within; now: Date },
  body: MonitorTest,
  { vault, allowSingleLabel }: MonitorOptions,
): Promise<AdmittedTest> {
  const { type } = body;
  const rules = validType(type);
  if (isRegionless(type))
    refuse(
      'invalid_request',
      `type ${type} is not checked from a region: what it says comes by itself, and there is nothing to try.`,
      { field: 'type' },
    );
  const stored = body.monitor_id == null ? null : await storedOf(db, body.monitor_id, projectId, within);
  const region = await admitRegion(db, body.region ?? LOCAL_REGION, now);
  const merged = mergeConfig(rules, {}, body.config as Record<string, unknown>);
  const before = stored?.type === type ? stored : null;
  const restored = restoreMasked(rules, merged, before?.config ?? null, vault);
  const clear = before ? openStored(rules, restored, before.config, before.id, vault) : restored;
  const config = completeConfig(rules, clear, NO_INTERVAL_SECONDS);
  const context = targetChecks({ allowSingleLabel, allowPrivate: region.allow_private_targets });
  validateConfig(rules, config, context);
  if (before) {
    refuseMovedSecrets(rules, restored, before.config, vault);
    refuseSecretsInOtherRegion(rules, restored, before, region.slug, vault);
  }
  // What could not be stored is not tried either.
  sealConfig(rules, restored, stored?.id ?? 'a test', vault);
  const timeoutMs = typeof config.timeout_ms === 'number' ? config.timeout_ms : DEFAULT_TIMEOUT_MS;
  return { region, type, config, timeoutMs };
}

async function admitRegion(db: Database, slug: string, now: Date) {
  const region = await db
    .selectFrom('regions')
    .select(['no', 'slug', 'internal', 'allow_private_targets'])
    .where('slug', '=', slug)
    .where('slug', '<>', '')
    .executeTakeFirst();
  if (!region)
    refuse('unknown_region', `region ${quoted(slug)} is no region of this installation.`, {
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
      `region ${quoted(slug)} has no probe online right now, so nobody can check from there; choose another one.`,
      { field: 'region' },
    );
  return region;
}

/** The monitor whose masked secrets are meant: of the same project, and one that the caller may see. */
async function storedOf(db: Database, monitorId: string, projectId: string, within: Within) {
  const row = await db
    .selectFrom('monitors')
    .select(['id', 'type', 'config', 'regions'])
    .where('id', '=', monitorId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  const isSeen = !within || within.projectIds.includes(projectId) || within.monitorIds.includes(monitorId);
  if (!row || !isSeen)
    refuse('invalid_request', 'monitor_id names no monitor of this project.', { field: 'monitor_id' });
  return { ...row, config: row.config as Record<string, unknown> };
}
