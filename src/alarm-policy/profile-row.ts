// An alert profile as the database holds it, and as the API shows it.
import { sql } from 'kysely';
import type { PolicyFields } from '../domain/policy.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { AlertProfile } from './contract.ts';

export type ProfileRow = {
  id: string;
  org_id: string;
  name: string;
  policy: Partial<PolicyFields>;
  created_at: Date;
  monitor_count: number;
};

const NOTHING_SET: PolicyFields = {
  alarm_consecutive: null,
  alarm_min_duration_seconds: null,
  alarm_quorum_mode: null,
  alarm_quorum_value: null,
  failed_interval_seconds: null,
  recovery_consecutive: null,
  recovery_quorum_mode: null,
  recovery_quorum_value: null,
};

/** Profiles with the number of monitors that use them; narrow it with `where`. */
export function selectProfiles(db: Database | Tx) {
  return db
    .selectFrom('alert_profiles')
    .selectAll()
    .select(
      sql<number>`(SELECT count(*)::int FROM monitors WHERE alert_profile_id = alert_profiles.id)`.as(
        'monitor_count',
      ),
    )
    .$castTo<ProfileRow>();
}

/** The profile as the API shows it; inherited fields are null. */
export function showProfile({ id, name, policy, created_at, monitor_count }: ProfileRow): AlertProfile {
  return { id, name, ...NOTHING_SET, ...policy, monitor_count, created_at_unix: unix(created_at) };
}
