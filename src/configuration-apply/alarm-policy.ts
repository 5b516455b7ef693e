// The alarm standard, and alert profiles by their names.
import { isDeepStrictEqual } from 'node:util';
import { createProfile } from '../alarm-policy/create-profile.ts';
import { deleteProfile } from '../alarm-policy/delete-profile.ts';
import { selectProfiles, showProfile } from '../alarm-policy/profile-row.ts';
import { getStandard, putStandard } from '../alarm-policy/standard.ts';
import { updateProfile } from '../alarm-policy/update-profile.ts';
import { visibleName } from '../domain/visible-name.ts';
import { checkedName } from '../platform/checked-name.ts';
import { type Applying, attempt, changedAmong, leftOver, refuseTwice } from './applying.ts';

/** Sets the standard to what the file says: a field that it lacks is inherited, and null lifts it. */
export async function applyAlarmStandard(applying: Applying): Promise<void> {
  const { work, orgId, file } = applying;
  const declared = file.alarm_standard;
  if (declared === undefined) return;
  await attempt(applying, { kind: 'alarm_standard', name: null, path: 'alarm_standard' }, async () => {
    const before = await getStandard(work.tx, orgId);
    const after = declared && { ...(before && nulls(before)), ...declared };
    if (isDeepStrictEqual(after, before)) return { changed: [] };
    await putStandard(work, orgId, declared);
    return { changed: before === null ? null : changedAmong(after ?? nulls(before), before) };
  });
}

const nulls = (fields: object) => Object.fromEntries(Object.keys(fields).map((field) => [field, null]));

/** Creates and changes alert profiles. */
export async function applyProfiles(applying: Applying): Promise<void> {
  const { work, orgId, file, profiles } = applying;
  const rows = await selectProfiles(work.tx).where('org_id', '=', orgId).execute();
  const stored = new Map(rows.map((row) => [row.name, row]));
  for (const [name, { id }] of stored) profiles.set(name, id);
  const seen = new Set<string>();
  for (const [i, { name: given, ...fields }] of (file.alert_profiles ?? []).entries())
    await attempt(applying, { kind: 'alert_profile', name: given, path: `alert_profiles.${i}` }, async () => {
      const name = checkedName(given);
      refuseTwice(seen, name, 'alert profiles');
      const row = stored.get(name);
      if (!row) {
        profiles.set(name, (await createProfile(work, orgId, { name, ...fields })).id);
        return { changed: null };
      }
      const changed = changedAmong(fields, showProfile(row));
      if (changed.length > 0) await updateProfile(work, { orgId, profileId: row.id }, fields);
      return { changed };
    });
}

/** Alert profiles that the file lacks, once no monitor of the file uses them any more. */
export async function removeProfiles(applying: Applying): Promise<void> {
  const { work, orgId, file, profiles } = applying;
  if (file.alert_profiles === undefined) return;
  const declared = new Set(file.alert_profiles.map(({ name }) => visibleName(name)));
  for (const [name, id] of profiles)
    if (!declared.has(name))
      await leftOver(applying, 'alert_profile', name, () => deleteProfile(work, { orgId, profileId: id }));
}
