// The alarm policy: profiles, and the standard where there is none and nothing that it would apply to yet.
import { createAlertProfile, putAlarmStandard } from '../alarm-policy/contract.ts';
import { createProfile } from '../alarm-policy/create-profile.ts';
import { getStandard, putStandard } from '../alarm-policy/standard.ts';
import { withoutNulls } from '../domain/without-nulls.ts';
import { checkedName } from '../platform/checked-name.ts';
import { validate } from '../platform/http/validate.ts';
import { refuse } from '../platform/refusals.ts';
import { attempt, type Importing } from './importing.ts';

export async function importAlarmStandard(importing: Importing): Promise<void> {
  const { work, orgId, given } = importing;
  for (const { standard } of given.alarm_standard)
    await attempt(importing, 'alarm_standard', null, async () => {
      if ((await getStandard(work.tx, orgId)) !== null) return { exists: true };
      if (importing.hadMonitors)
        refuse(
          'invalid_request',
          'It would change the alarms of the monitors that the organization has; set it by hand.',
        );
      const body = withoutNulls(standard) as typeof standard;
      validate(putAlarmStandard.body!, body);
      await putStandard(work, orgId, body);
      return {};
    });
}

export async function importProfiles(importing: Importing): Promise<void> {
  const { work, orgId, given, profiles } = importing;
  const rows = await work.tx
    .selectFrom('alert_profiles')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .execute();
  const byName = new Map(rows.map(({ id, name }) => [name, id]));
  for (const { id, name: givenName, policy } of given.alert_profile)
    await attempt(importing, 'alert_profile', givenName, async () => {
      const name = checkedName(givenName);
      const existing = byName.get(name);
      if (existing !== undefined) {
        profiles.set(id, existing);
        return { exists: true };
      }
      const body = { name, ...withoutNulls(policy) };
      validate(createAlertProfile.body!, body);
      const made = await createProfile(work, orgId, body);
      byName.set(name, made.id);
      profiles.set(id, made.id);
      return {};
    });
}
