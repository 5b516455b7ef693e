// A monitor's own policy as form values: '' for inherited.
import type { Monitor, PolicyWrite } from '#src/monitors/contract.ts';
import { type Amount, orNull } from './amounts.ts';

export type PolicyValues = {
  alarm_consecutive: Amount;
  alarm_min_duration_seconds: Amount;
  alarm_quorum_mode: string;
  alarm_quorum_value: Amount;
  alert_profile_id: string;
  recovery_consecutive: Amount;
  recovery_quorum_mode: string;
  recovery_quorum_value: Amount;
  failed_interval_seconds: Amount;
};

export const NO_POLICY: PolicyValues = {
  alarm_consecutive: '',
  alarm_min_duration_seconds: '',
  alarm_quorum_mode: '',
  alarm_quorum_value: '',
  alert_profile_id: '',
  recovery_consecutive: '',
  recovery_quorum_mode: '',
  recovery_quorum_value: '',
  failed_interval_seconds: '',
};
const POLICY_FIELDS = Object.keys(NO_POLICY) as (keyof PolicyValues)[];

/** The policy values that a monitor sets itself. */
export function policyValuesOf(policy: Monitor['policy']): PolicyValues {
  const values = { ...NO_POLICY };
  for (const field of POLICY_FIELDS) Object.assign(values, { [field]: policy?.[field] ?? '' });
  return values;
}

/** The policy to send: empty fields are inherited, sent as null. */
export function policyOf(policy: PolicyValues): PolicyWrite {
  return Object.fromEntries(POLICY_FIELDS.map((field) => [field, orNull(policy[field])])) as PolicyWrite;
}
