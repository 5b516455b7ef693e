// The levels of a monitor's policy: its own values, its alert profile's, the organization's standard.
import { sql } from 'kysely';
import type { Inherited } from '../alarm-policy/inherited.ts';
import { lockAlarmPolicy } from '../alarm-policy/lock.ts';
import {
  type EffectivePolicy,
  effectivePolicy,
  type MonitorPolicy,
  type PolicyLevels,
} from '../domain/policy.ts';
import type { Tx } from '../platform/work.ts';

/** A monitor's own values with the inherited ones, as `INHERITED` reads them. */
export type Levels = { policy: MonitorPolicy } & Inherited;

/** Columns `profile` and `standard`, for a statement with `inheritedFrom`. */
export const INHERITED = sql<never>`alert_profiles.policy AS profile, alarm_standards.standard`;

/** Joins the inherited values of a statement's monitors (`monitors`, or its alias there): both by primary key. */
export const inheritedFrom = (monitors: string) => sql`
  LEFT JOIN alert_profiles ON alert_profiles.id = ${sql.ref(`${monitors}.alert_profile_id`)}
  LEFT JOIN alarm_standards ON alarm_standards.org_id = ${sql.ref(`${monitors}.org_id`)}`;

export const levelsOf = ({ policy, profile, standard }: Levels): PolicyLevels => ({
  monitor: policy,
  profile,
  standard,
});

/** The effective policy: every field from the first level that sets it (docs/rules/confirmation.md#policy-sources). */
export const policyInForce = (levels: Levels): EffectivePolicy => effectivePolicy(levelsOf(levels));

/** `lockAlarmPolicy` of the organization of a monitor, shared; does nothing if there is no such monitor. */
export async function lockInherited(tx: Tx, monitorId: string): Promise<void> {
  const row = await tx.selectFrom('monitors').select('org_id').where('id', '=', monitorId).executeTakeFirst();
  if (row) await lockAlarmPolicy(tx, row.org_id, 'shared');
}
