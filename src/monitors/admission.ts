// What create and update both demand of a monitor (interface, section 7; decisions, sections 3 to 5).

import { ALARM_GATE_ORIGINS } from '../domain/names.ts';
import { effectivePolicy, type MonitorPolicy, PLATFORM_POLICY } from '../domain/policy.ts';
import { refuseEffectivePolicy, refusePolicyValues } from '../domain/policy-admission.ts';
import { planLimits } from '../organizations/plan.ts';
import { validate } from '../platform/http/validate.ts';
import { Refusal, refuse } from '../platform/refusals.ts';
import type { Database, Tx } from '../platform/work.ts';
import { kindContext } from './kind.ts';
import { KINDS } from './kinds.ts';
import { type AlarmGate, completeConfig, levelsOf } from './row.ts';

/** The parts of a monitor that have to fit together; secrets in `config` may be sealed already. */
export type Candidate = {
  orgId: string;
  type: string;
  config: Record<string, unknown>;
  intervalSeconds: number;
  regions: string[];
  policy: MonitorPolicy;
  alarmGate: AlarmGate | null;
};

export type AdmissionOptions = { allowSingleLabel: boolean };

/** Throws the interface's refusal for the first thing wrong; what the plan already exceeds may stay as it was. */
export async function admit(
  tx: Tx,
  candidate: Candidate,
  options: AdmissionOptions,
  before: Candidate | null,
): Promise<void> {
  const kind = KINDS.get(candidate.type);
  if (!kind)
    refuse(
      'unknown_type',
      `type ${quoted(candidate.type)} is unknown; it must be one of ${[...KINDS.keys()].join(', ')}.`,
      { field: 'type' },
    );

  const limits = await planLimits(tx, candidate.orgId);
  await admitRegions(tx, candidate, limits.regionsPerMonitor, before);
  admitInterval(candidate.intervalSeconds, before?.intervalSeconds ?? null, limits.minIntervalSeconds);

  const allowPrivate = await anyAllowsPrivate(tx, candidate.regions);
  const config = completeConfig(kind, candidate.config, candidate.intervalSeconds);
  // A missing or blank target is refused with its own reason: the kind says so before the schema does.
  kind.checkTarget(config, kindContext({ ...options, allowPrivate }));
  validate(kind.schema, config, 'config');
  kind.check(config, kindContext({ ...options, allowPrivate }));
  const timeout = candidate.config.timeout_ms;
  if (typeof timeout === 'number' && timeout >= candidate.intervalSeconds * 1000)
    refuse(
      'invalid_request',
      `config.timeout_ms must be shorter than the interval of ${candidate.intervalSeconds} s.`,
      {
        field: 'config.timeout_ms',
      },
    );

  admitFailedInterval(candidate, before, limits.minIntervalSeconds);
  const problem =
    refusePolicyValues(candidate.policy, 'policy.') ??
    refuseEffectivePolicy(levelsOf(candidate.policy), candidate.regions.length, 'policy.');
  if (problem) refuse('invalid_request', problem.message, { field: problem.field });
  if (candidate.policy.alert_profile_id)
    refuse('invalid_request', 'policy.alert_profile_id names no alert profile of this organization.', {
      field: 'policy.alert_profile_id',
    });
  admitGate(candidate.alarmGate);
}

async function admitRegions(
  tx: Tx,
  { regions }: Candidate,
  most: number | null,
  before: Candidate | null,
): Promise<void> {
  if (regions.length === 0)
    refuse('invalid_request', 'regions must name at least one region.', { field: 'regions' });
  if (new Set(regions).size !== regions.length)
    refuse('invalid_request', 'regions must not name a region twice.', { field: 'regions' });
  const known = await tx
    .selectFrom('regions')
    .select(['slug', 'internal'])
    .where('slug', 'in', regions)
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
 * The plan comes before everything else that is wrong with a monitor (decisions, section 1): `too_many_regions` of a body
 * that has not been validated. `monitorId` of the one that it is to change.
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

function admitInterval(seconds: number, before: number | null, least: number): void {
  // Below what the plan allows after a downgrade: it may stay as it is, and come closer.
  const floor = Math.min(least, before ?? least);
  if (seconds < floor || seconds > 86_400)
    refuse('invalid_request', `interval_seconds must be between ${least} and 86400.`, {
      field: 'interval_seconds',
    });
}

/** While it fails, a monitor is checked no faster than the plan allows, or than every monitor is by default. */
function admitFailedInterval({ policy }: Candidate, before: Candidate | null, least: number): void {
  const seconds = policy.failed_interval_seconds;
  if (seconds == null) return;
  const floor = Math.min(least, PLATFORM_POLICY.failed_interval_seconds);
  if (seconds < Math.min(floor, before?.policy.failed_interval_seconds ?? floor))
    refuse(
      'invalid_request',
      `policy.failed_interval_seconds must be at least ${floor}, as the plan has it.`,
      { field: 'policy.failed_interval_seconds' },
    );
}

function admitGate(gate: AlarmGate | null): void {
  if (!gate) return;
  for (const origin of gate.origins)
    if (!(ALARM_GATE_ORIGINS as readonly string[]).includes(origin))
      refuse(
        'invalid_request',
        `alarm_gate.origins names ${quoted(origin)}; origins are ${ALARM_GATE_ORIGINS.join(', ')}.`,
        {
          field: 'alarm_gate.origins',
        },
      );
  if (new Set(gate.origins).size !== gate.origins.length)
    refuse('invalid_request', 'alarm_gate.origins must not name an origin twice.', {
      field: 'alarm_gate.origins',
    });
  if (gate.grace_seconds !== null && (gate.grace_seconds < 0 || gate.grace_seconds > 86_400))
    refuse('invalid_request', 'alarm_gate.grace_seconds must be between 0 and 86400.', {
      field: 'alarm_gate.grace_seconds',
    });
}

/** A literal private address is refused when no region of the monitor may connect to it. */
async function anyAllowsPrivate(tx: Tx, regions: string[]): Promise<boolean> {
  const row = await tx
    .selectFrom('regions')
    .select('no')
    .where('slug', 'in', regions)
    .where('allow_private_targets', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** `quota_reached` unless the plan still has room; the organization is locked by the caller while it counts. */
export async function admitOneMore(tx: Tx, orgId: string): Promise<void> {
  const { monitors: most } = await planLimits(tx, orgId);
  if (most === null) return;
  const { count } = await tx
    .selectFrom('monitors')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most)
    refuse('quota_reached', `The plan allows ${most} monitors and all of them are in use.`, { limit: most });
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** A unique-index violation on the monitor's name, as the interface's refusal. */
export function asNameTaken(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'monitors_name')
    throw new Refusal('name_taken', 'name is already used by another monitor of this project.', {
      field: 'name',
    });
  throw error;
}

/** The policy in force; alert profiles and the alarm standard join with their own tables. */
export const policyInForce = (policy: MonitorPolicy) => effectivePolicy(levelsOf(policy));
