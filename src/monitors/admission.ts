// What create and update both demand of a monitor (docs/rules/errors-and-conventions.md#monitor-write-refusals).
import { admitFailedInterval } from '../alarm-policy/admit-failed-interval.ts';
import type { Inherited } from '../alarm-policy/inherited.ts';
import type { MonitorPolicy } from '../domain/policy.ts';
import { planLimits } from '../plans/plan.ts';
import { validate } from '../platform/http/validate.ts';
import { Refusal, refuse } from '../platform/refusals.ts';
import type { Tx } from '../platform/work.ts';
import { admitGate } from './admit-gate.ts';
import { admitInterval } from './admit-interval.ts';
import { admitPolicy } from './admit-policy.ts';
import { admitRegions, anyAllowsPrivate } from './admit-regions.ts';
import { quoted } from './quoted.ts';
import { type AlarmGate, completeConfig } from './row.ts';
import { targetChecks } from './types/rules.ts';
import { TYPES } from './types.ts';

/** The parts of a monitor that have to fit together; secrets in `config` may be sealed already. */
export type Candidate = {
  orgId: string;
  type: string;
  config: Record<string, unknown>;
  intervalSeconds: number;
  regions: string[];
  policy: MonitorPolicy;
  inherited: Inherited;
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
  const rules = TYPES.get(candidate.type);
  if (!rules)
    refuse(
      'unknown_type',
      `type ${quoted(candidate.type)} is unknown; it must be one of ${[...TYPES.keys()].join(', ')}.`,
      { field: 'type' },
    );

  const limits = await planLimits(tx, candidate.orgId);
  await admitRegions(tx, candidate, limits.regionsPerMonitor, before);
  admitInterval(rules, candidate.intervalSeconds, before?.intervalSeconds ?? null, limits.minIntervalSeconds);

  const allowPrivate = await anyAllowsPrivate(tx, candidate.regions);
  const config = completeConfig(rules, candidate.config, candidate.intervalSeconds);
  // A missing or blank target is refused with its own reason: the rules says so before the schema does.
  rules.checkTarget(config, targetChecks({ ...options, allowPrivate }));
  validate(rules.schema, config, 'config');
  rules.check(config, targetChecks({ ...options, allowPrivate }));
  const timeout = candidate.config.timeout_ms;
  if (typeof timeout === 'number' && timeout >= candidate.intervalSeconds * 1000)
    refuse(
      'invalid_request',
      `config.timeout_ms must be shorter than the interval of ${candidate.intervalSeconds} s.`,
      {
        field: 'config.timeout_ms',
      },
    );

  admitFailedInterval(
    candidate.policy.failed_interval_seconds,
    before?.policy.failed_interval_seconds,
    limits.minIntervalSeconds,
    'policy.',
  );
  admitPolicy(candidate, before);
  admitGate(candidate.alarmGate);
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

/** A unique-index violation on the monitor's name, as the interface's refusal. */
export function asNameTaken(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'monitors_name')
    throw new Refusal('name_taken', 'name is already used by another monitor of this project.', {
      field: 'name',
    });
  throw error;
}
