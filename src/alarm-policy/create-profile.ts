import { recordActivity } from '../activity/record.ts';
import { withoutNulls } from '../domain/without-nulls.ts';
import { planLimits } from '../plans/plan.ts';
import { checkedName } from '../platform/checked-name.ts';
import { newId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { AlertProfile, AlertProfileCreate } from './contract.ts';
import { type ProfileRow, showProfile } from './profile-row.ts';
import { validateValues } from './validate.ts';
import { validateFailedInterval } from './validate-failed-interval.ts';

/** Creates an alert profile. Refuses values out of range, and a name in use (409 `name_taken`). */
export async function createProfile(
  work: Work,
  orgId: string,
  { name: given, ...fields }: AlertProfileCreate,
): Promise<AlertProfile> {
  const name = checkedName(given);
  validateValues(fields);
  const { minIntervalSeconds } = await planLimits(work.tx, orgId);
  validateFailedInterval(fields.failed_interval_seconds, null, minIntervalSeconds);
  const policy = withoutNulls(fields) as ProfileRow['policy'];
  const row = { id: newId('alp'), org_id: orgId, name, policy, created_at: work.now, monitor_count: 0 };
  const { monitor_count: _, ...columns } = row;
  await work.tx
    .insertInto('alert_profiles')
    .values({ ...columns, policy: JSON.stringify(policy) })
    .execute()
    .catch(refuseDuplicateName);
  const shown = showProfile(row);
  await recordActivity(work, {
    orgId,
    action: 'alert_profile.create',
    resource: { kind: 'alert_profile', id: row.id, name },
    after: shown,
  });
  return shown;
}

/**
 * Turns a unique-index violation on the profile's name into a 409
 * (docs/rules/errors-and-conventions.md#error-codes).
 */
export function refuseDuplicateName(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'alert_profiles_name')
    throw new Refusal('name_taken', 'name is already used by another alert profile.', { field: 'name' }, 409);
  throw error;
}
