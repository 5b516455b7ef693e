// Validation of the values of a profile or a standard, beyond their shape.
import type { PolicyFields, PolicyLevels } from '../domain/policy.ts';
import {
  type PolicyRefusal,
  refuseEffectivePolicy,
  refusePolicyValues,
} from '../domain/policy-validation.ts';
import { refuse } from '../platform/refusals.ts';

/** Refuses values out of range, naming the field. */
export function validateValues(values: Partial<Record<keyof PolicyFields, unknown>>): void {
  refuseFor(refusePolicyValues(values));
}

/** Refuses a policy for its problem; null: it has none. */
export function refuseFor(problem: PolicyRefusal | null): void {
  if (problem) refuse('invalid_request', problem.message, { field: problem.field });
}

/** A monitor that uses a profile, with the levels above and below the profile. */
export type Using = Pick<PolicyLevels, 'monitor' | 'standard'> & { name: string; regions: number };

/**
 * Refuses a change of a profile that makes the policy of one of its monitors invalid (a count above its regions, a mode
 * without its value), naming the monitor. A monitor whose policy is invalid already does not block the change.
 */
export function validateForMonitors(
  using: readonly Using[],
  before: Partial<PolicyFields>,
  after: Partial<PolicyFields>,
): void {
  for (const { name, regions, ...levels } of using) {
    const problem = refuseEffectivePolicy({ ...levels, profile: after }, regions);
    if (!problem || refuseEffectivePolicy({ ...levels, profile: before }, regions)) continue;
    const which = ` (monitor ${JSON.stringify(name)}).`;
    refuseFor({ ...problem, message: problem.message.replace(/\.$/, which) });
  }
}
