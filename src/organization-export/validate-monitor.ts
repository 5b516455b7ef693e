// Validates an imported monitor, because anybody may have written the file: probes get its config, and every evaluation uses
// its policy. Plan limits are not checked: monitors over a limit keep working
// (docs/rules/access.md#downgrades).
import { INHERITED_POLICY, type MonitorPolicy } from '../domain/policy.ts';
import { refuseEffectivePolicy, refusePolicyValues } from '../domain/policy-validation.ts';
import { isRegionless } from '../monitors/entitlements.ts';
import { completeConfig } from '../monitors/row.ts';
import { restoreMasked, sealConfig } from '../monitors/sealing.ts';
import { type TargetChecks, targetChecks, validateConfig } from '../monitors/types/rules.ts';
import { TYPES } from '../monitors/types.ts';
import { validateGate } from '../monitors/validate.ts';
import { refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import { checkedTags } from '../platform/tags.ts';
import type { DataOf } from './format.ts';

/** The regions of this installation check addresses when they connect. */
const ANYWHERE: TargetChecks = targetChecks({ allowSingleLabel: true, allowPrivate: true });

function refuseRegions({ type, regions }: DataOf<'monitor'>): void {
  if (isRegionless(type) && regions.length > 0)
    refuse('invalid_request', `regions must be empty for type ${type}.`);
  if (!isRegionless(type) && regions.length === 0)
    refuse('invalid_request', 'regions must name at least one region.');
  if (new Set(regions).size !== regions.length)
    refuse('invalid_request', 'regions must not name a region twice.');
}

/** The monitor as it is stored: config sealed under the key of this installation. Throws a Refusal. */
export function validMonitor(monitor: DataOf<'monitor'>, vault: Vault): DataOf<'monitor'> {
  const rules = TYPES.get(monitor.type);
  if (!rules) return refuse('unknown_type', `type "${monitor.type}" is not known to this version.`);
  const config = restoreMasked(rules, monitor.config, null, vault);
  const complete = completeConfig(rules, config, monitor.interval_seconds);
  validateConfig(rules, complete, ANYWHERE);
  refuseRegions(monitor);
  const least = rules.leastIntervalSeconds ?? 1;
  if (monitor.interval_seconds < least)
    refuse('invalid_request', `interval_seconds must be at least ${least} for type ${monitor.type}.`);
  const policy = { ...INHERITED_POLICY, ...monitor.policy } as MonitorPolicy;
  const problem =
    refusePolicyValues(policy, 'policy.') ??
    refuseEffectivePolicy({ monitor: decidedAlone(policy) }, monitor.regions.length, 'policy.');
  if (problem) refuse('invalid_request', problem.message);
  validateGate(monitor.alarm_gate);
  return {
    ...monitor,
    depends_on: monitor.depends_on ?? [],
    severity: monitor.severity ?? 'critical',
    tags: checkedTags(monitor.tags ?? []),
    policy,
    config: sealConfig(rules, config, monitor.id, vault),
  };
}

/**
 * Without the modes whose value is inherited: a later change of a profile or the standard may have invalidated them.
 */
function decidedAlone(policy: MonitorPolicy): MonitorPolicy {
  const { alarm_quorum_value: alarm, recovery_quorum_value: recovery } = policy;
  return {
    ...policy,
    alarm_quorum_mode: alarm === null ? null : policy.alarm_quorum_mode,
    recovery_quorum_mode: recovery === null ? null : policy.recovery_quorum_mode,
  };
}
