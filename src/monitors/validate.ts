// Validates a monitor for create and update (docs/rules/errors-and-conventions.md#monitor-write-refusals), and refuses the
// first mistake. A monitor that exceeds a limit of the plan already may go on exceeding it.
import { validateFailedInterval } from '../alarm-policy/validate-failed-interval.ts';
import { ALARM_GATE_ORIGINS } from '../domain/names.ts';
import { type PlanLimits, planLimits } from '../plans/plan.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { Refusal, refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Tx } from '../platform/work.ts';
import type { Candidate } from './candidate.ts';
import { validateInterval, validateRegions } from './entitlements.ts';
import { validateReferences } from './references.ts';
import { type AlarmGate, completeConfig } from './row.ts';
import { openStored, refuseMovedSecrets } from './sealing.ts';
import { quoted, type TypeRules, targetChecks, validateConfig } from './types/rules.ts';
import { validType } from './types.ts';
import { validatePolicy } from './validate-policy.ts';

/** `allowSingleLabel`: whether names such as `localhost` are targets; null: only if private addresses are. */
export type MonitorOptions = { allowSingleLabel: boolean | null; vault: Vault };

/** A candidate that passed every check, with the rules of its type. */
export type Valid = Candidate & { rules: TypeRules };

/**
 * `before` is the monitor as it is stored, null for a new one. `within` is what the caller's key may see; `limits` those of the
 * plan, if they are known.
 */
export async function validateMonitor(
  tx: Tx,
  candidate: Candidate,
  before: Candidate | null,
  { vault, allowSingleLabel, limits: known }: MonitorOptions & { limits?: PlanLimits },
  within: ResourceFilter,
): Promise<Valid> {
  const valid = { ...candidate, rules: validType(candidate.type) };
  // In clear, as the probe will see it: a sealed text is longer than its secret and has another form.
  const clear = openStored(valid.rules, candidate.config, before?.config ?? {}, candidate.id, vault);
  const limits = known ?? (await planLimits(tx, candidate.orgId));
  const allowPrivate = await validateRegions(tx, candidate, limits.regionsPerMonitor, before);
  validateInterval(
    valid.rules,
    candidate.intervalSeconds,
    before?.intervalSeconds ?? null,
    limits.minIntervalSeconds,
  );
  const config = completeConfig(valid.rules, clear, candidate.intervalSeconds);
  validateConfig(
    valid.rules,
    config,
    targetChecks({ allowSingleLabel: allowSingleLabel ?? allowPrivate, allowPrivate }),
  );
  refuseLongTimeout(clear.timeout_ms, candidate.intervalSeconds);
  validateFailedInterval(
    candidate.policy.failed_interval_seconds,
    before?.policy.failed_interval_seconds,
    limits.minIntervalSeconds,
    'policy.',
  );
  validatePolicy(candidate, before);
  validateGate(candidate.alarmGate);
  if (before?.type === candidate.type)
    refuseMovedSecrets(valid.rules, candidate.config, before.config, vault);
  await validateReferences(tx, candidate, before, within);
  return valid;
}

/** Only an explicit timeout is checked: the default follows the interval. */
function refuseLongTimeout(timeout: unknown, intervalSeconds: number): void {
  if (typeof timeout !== 'number' || timeout < intervalSeconds * 1000) return;
  refuse('invalid_request', `config.timeout_ms must be shorter than the interval of ${intervalSeconds} s.`, {
    field: 'config.timeout_ms',
  });
}

/** Refuses unknown origins, an origin named twice, and a grace of more than a day (docs/rules/confirmation.md#alarm-gate). */
export function validateGate(gate: AlarmGate | null): void {
  if (!gate) return;
  for (const origin of gate.origins)
    if (!(ALARM_GATE_ORIGINS as readonly string[]).includes(origin))
      refuse(
        'invalid_request',
        `alarm_gate.origins names ${quoted(origin)}; origins are ${ALARM_GATE_ORIGINS.join(', ')}.`,
        { field: 'alarm_gate.origins' },
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

/** A unique-index violation on the monitor's name, as the interface's refusal. */
export function refuseDuplicateName(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'monitors_name')
    throw new Refusal('name_taken', 'name is already used by another monitor of this project.', {
      field: 'name',
    });
  throw error;
}
