// Validates a monitor's policy: by itself, with its inherited values, and against the organization's alarm standard.
import { isDeepStrictEqual } from 'node:util';
import type { Inherited } from '../alarm-policy/inherited.ts';
import { refuseFor } from '../alarm-policy/validate.ts';
import type { MonitorPolicy } from '../domain/policy.ts';
import {
  alarmStandardLimit,
  type PolicyRefusal,
  refuseEffectivePolicy,
  refusePolicyValues,
} from '../domain/policy-validation.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import { isRegionless } from './entitlements.ts';
import { levelsOf } from './policy-levels.ts';

/** The parts of a monitor that a policy must fit. */
type Part = { type: string; regions: readonly string[]; policy: MonitorPolicy; inherited: Inherited };

/**
 * `forbidden` if a narrowed key sets a monitor's alert profile: profiles belong to the whole organization. The stored profile
 * may be sent back.
 */
export function refuseForeignProfile(
  wanted: string | null | undefined,
  before: string | null,
  within: ResourceFilter,
): void {
  if (within === null || wanted == null || wanted === before) return;
  refuse(
    'forbidden',
    'policy.alert_profile_id: this key is narrowed to projects or monitors, and alert profiles are the organization’s.',
    { field: 'policy.alert_profile_id' },
  );
}

/**
 * Refuses values out of range, an unknown profile, fewer regions than the alarm standard needs (`alarm_standard_unreachable`,
 * with that number), and a quorum that no regions can reach. A later change of the standard or of a profile can make a monitor
 * invalid: it is checked again only when its type, regions or policy change, and may then be changed towards a valid one.
 */
export function validatePolicy(candidate: Part, before: Part | null): void {
  refuseFor(refusePolicyValues(candidate.policy, 'policy.'));
  if (candidate.policy.alert_profile_id != null && candidate.inherited.profile === null)
    refuse('invalid_request', 'policy.alert_profile_id names no alert profile of this organization.', {
      field: 'policy.alert_profile_id',
    });
  if (before && isSame(candidate, before)) return;
  refuseBelowStandard(candidate, before);
  const problem = quorumProblem(candidate);
  if (problem && !(before && quorumProblem(before) && isCloser(candidate, before))) refuseFor(problem);
}

function refuseBelowStandard(candidate: Part, before: Part | null): void {
  if (isRegionless(candidate.type)) return;
  const limit = alarmStandardLimit(candidate.inherited.standard, candidate.regions.length);
  if (limit === null || (before && isCloser(candidate, before))) return;
  refuse(
    'alarm_standard_unreachable',
    `regions names ${candidate.regions.length}; the organization's alarm standard needs ${limit} distinct regions.`,
    { field: 'regions', limit },
  );
}

const quorumProblem = ({ policy, inherited, regions }: Part): PolicyRefusal | null =>
  refuseEffectivePolicy(levelsOf({ policy, ...inherited }), regions.length, 'policy.');

const isSame = (a: Part, b: Part): boolean =>
  a.type === b.type && isDeepStrictEqual(new Set(a.regions), new Set(b.regions)) && samePolicy(a, b);

const isCloser = (candidate: Part, before: Part): boolean =>
  before.regions.length > 0 &&
  candidate.regions.length > before.regions.length &&
  samePolicy(candidate, before);

const samePolicy = (a: Part, b: Part): boolean => isDeepStrictEqual(a.policy, b.policy);
