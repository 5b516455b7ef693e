import { recordActivity } from '../activity/record.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { lockAlarmPolicy } from './lock.ts';
import { selectProfiles, showProfile } from './profile-row.ts';

/** Deletes an alert profile; 409 `profile_in_use` while a monitor uses it, enforced by a foreign key. */
export async function deleteProfile(
  work: Work,
  { orgId, profileId }: { orgId: string; profileId: string },
): Promise<void> {
  const { tx } = work;
  // A concurrent monitor write either commits first and blocks the deletion, or finds the profile gone.
  await lockAlarmPolicy(tx, orgId, 'exclusive');
  const profile = await selectProfiles(tx).where('id', '=', profileId).executeTakeFirst();
  if (!profile) return notFound('alert profile');
  await tx
    .deleteFrom('alert_profiles')
    .where('id', '=', profileId)
    .execute()
    .catch((error: unknown) => {
      if ((error as { code?: string }).code === '23503') inUse();
      throw error;
    });
  await recordActivity(work, {
    orgId,
    action: 'alert_profile.delete',
    resource: { kind: 'alert_profile', id: profileId, name: profile.name },
    before: showProfile(profile),
  });
}

function inUse(): never {
  refuse(
    'profile_in_use',
    'The alert profile is in use by a monitor; move its monitors to another profile, or to none, first.',
  );
}
