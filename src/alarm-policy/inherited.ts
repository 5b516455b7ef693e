// The stored policies that an organization's monitors inherit, and the hook for their changes.
import { sql } from 'kysely';
import type { AlarmStandard, PolicyFields } from '../domain/policy.ts';
import { hook } from '../platform/hook.ts';
import type { Database, Tx } from '../platform/work.ts';

/** The levels below a monitor's own values. A profile may set any of the fields; the others are absent. */
export type Inherited = { profile: Partial<PolicyFields> | null; standard: AlarmStandard | null };

/** A profile changed, or with `profileId` null the organization's standard. It takes effect at once. */
export const inheritedChanged = hook<{
  orgId: string;
  profileId: string | null;
  failedIntervalChanged: boolean;
}>();

/** The policies that a monitor with this profile inherits; `profile` is null if the organization has no such profile. */
export async function readInherited(
  db: Database | Tx,
  orgId: string,
  profileId: string | null,
): Promise<Inherited> {
  const { rows } = await sql<Inherited>`
    SELECT (SELECT policy FROM alert_profiles WHERE id = ${profileId} AND org_id = ${orgId}) AS profile,
      (SELECT standard FROM alarm_standards WHERE org_id = ${orgId}) AS standard`.execute(db);
  return rows[0] ?? { profile: null, standard: null };
}
