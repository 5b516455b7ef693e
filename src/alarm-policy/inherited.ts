// What an organization's monitors inherit, as it is stored, and the news that it changed.
import { sql } from 'kysely';
import type { AlarmStandard, PolicyFields } from '../domain/policy.ts';
import { announcement } from '../platform/announcement.ts';
import type { Database, Tx } from '../platform/work.ts';

/** The levels below a monitor's own values; a profile may set any of the fields, the rest is absent. */
export type Inherited = { profile: Partial<PolicyFields> | null; standard: AlarmStandard | null };

/** A profile (or, with `profileId` null, the organization's standard) changed: it is in force at once. */
export const inheritedChanged = announcement<{
  orgId: string;
  profileId: string | null;
  failedIntervalChanged: boolean;
}>();

/** What a monitor with this profile inherits; `profile` is null where the organization has no such one. */
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
