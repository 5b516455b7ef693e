import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { withoutNulls } from '../domain/without-nulls.ts';
import { planLimits } from '../plans/plan.ts';
import { checkedName } from '../platform/checked-name.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { AlertProfile, AlertProfileUpdate } from './contract.ts';
import { refuseDuplicateName } from './create-profile.ts';
import { inheritedChanged } from './inherited.ts';
import { lockAlarmPolicy } from './lock.ts';
import { selectProfiles, showProfile } from './profile-row.ts';
import { type Using, validateForMonitors, validateValues } from './validate.ts';
import { validateFailedInterval } from './validate-failed-interval.ts';

/**
 * Merges the given fields into the profile; an explicit null clears one. Takes effect at once in every monitor that uses it.
 * Refused if the policy of one of them would become invalid.
 */
export async function updateProfile(
  work: Work,
  { orgId, profileId }: { orgId: string; profileId: string },
  body: AlertProfileUpdate,
): Promise<AlertProfile> {
  const { tx } = work;
  await lockAlarmPolicy(tx, orgId, 'exclusive');
  const before = await selectProfiles(tx).where('id', '=', profileId).executeTakeFirst();
  if (!before) return notFound('alert profile');
  const shownBefore = showProfile(before);
  const { id, monitor_count, created_at_unix, name: given, ...fields } = body;
  refuseChangedReadOnly({ id, monitor_count, created_at_unix }, shownBefore);

  const name = given == null ? before.name : checkedName(given);
  const policy = withoutNulls({ ...before.policy, ...fields }) as typeof before.policy;
  validateValues(policy);
  const { minIntervalSeconds } = await planLimits(tx, orgId);
  validateFailedInterval(
    policy.failed_interval_seconds,
    before.policy.failed_interval_seconds,
    minIntervalSeconds,
  );
  const changes = !isDeepStrictEqual(policy, before.policy);
  if (changes) validateForMonitors(await monitorsUsing(work, profileId), before.policy, policy);

  await tx
    .updateTable('alert_profiles')
    .set({ name, policy: JSON.stringify(policy) })
    .where('id', '=', profileId)
    .execute()
    .catch(refuseDuplicateName);
  if (changes) {
    const failedIntervalChanged = policy.failed_interval_seconds !== before.policy.failed_interval_seconds;
    await inheritedChanged.run(work, { orgId, profileId, failedIntervalChanged });
  }
  const shown = showProfile({ ...before, name, policy });
  await recordActivity(work, {
    orgId,
    action: 'alert_profile.update',
    resource: { kind: 'alert_profile', id: profileId, name },
    before: shownBefore,
    after: shown,
  });
  return shown;
}

async function monitorsUsing({ tx }: Work, profileId: string): Promise<Using[]> {
  const { rows } = await sql<Using>`
    SELECT m.name, cardinality(m.regions) AS regions, m.policy AS monitor, a.standard
    FROM monitors m LEFT JOIN alarm_standards a ON a.org_id = m.org_id
    WHERE m.alert_profile_id = ${profileId} ORDER BY m.no`.execute(tx);
  return rows;
}
