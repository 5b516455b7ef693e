// The organization's alarm standard: a floor for every monitor, and the level below their profiles.
import { isDeepStrictEqual } from 'node:util';
import { recordActivity } from '../activity/record.ts';
import { type AlarmStandard as StoredStandard, takesValue } from '../domain/policy.ts';
import { withoutNulls } from '../domain/without-nulls.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { AlarmStandard, AlarmStandardWrite } from './contract.ts';
import { inheritedChanged, readInherited } from './inherited.ts';
import { lockAlarmPolicy } from './lock.ts';
import { validateValues } from './validate.ts';

/** The largest number of regions of a monitor, see the monitors' contract. */
const MAX_REGIONS = 1000;

/** The standard, with null for fields that inherit the platform's defaults; null where there is none. */
export async function getStandard(db: Database | Tx, orgId: string): Promise<AlarmStandard | null> {
  return show((await readInherited(db, orgId, null)).standard);
}

/**
 * Sets the standard, or lifts it with null. Existing monitors below it are neither changed nor refused; the fields they
 * inherit take effect at once.
 */
export async function putStandard(
  work: Work,
  orgId: string,
  body: AlarmStandardWrite | null,
): Promise<AlarmStandard | null> {
  const { tx } = work;
  await lockAlarmPolicy(tx, orgId, 'exclusive');
  const { standard: before } = await readInherited(tx, orgId, null);
  const after = body === null ? null : validateStandard(body);
  if (after === null) await tx.deleteFrom('alarm_standards').where('org_id', '=', orgId).execute();
  else {
    const standard = JSON.stringify(after);
    await tx
      .insertInto('alarm_standards')
      .values({ org_id: orgId, standard })
      .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ standard }))
      .execute();
  }
  if (!isDeepStrictEqual(after, before))
    await inheritedChanged.run(work, { orgId, profileId: null, failedIntervalChanged: false });
  await recordActivity(work, {
    orgId,
    action: after === null ? 'alarm_standard.lift' : 'alarm_standard.set',
    resource: { kind: 'alarm_standard', id: orgId, name: null },
    before: show(before),
    after: show(after),
  });
  return show(after);
}

/**
 * The standard to store. Refuses values out of range, and a mode without its value: the platform's defaults below have none
 * to inherit.
 */
export function validateStandard({ min_regions, ...fields }: AlarmStandardWrite): StoredStandard {
  if (min_regions < 1 || min_regions > MAX_REGIONS)
    refuse('invalid_request', `min_regions must be a whole number from 1 to ${MAX_REGIONS}.`, {
      field: 'min_regions',
    });
  validateValues(fields as Partial<StoredStandard>);
  const standard = { min_regions, ...withoutNulls(fields) } as StoredStandard;
  const { alarm_quorum_mode: mode, alarm_quorum_value: value } = standard;
  if (mode != null && takesValue(mode) && value == null)
    refuse('invalid_request', `alarm_quorum_value is needed with the mode ${mode}.`, {
      field: 'alarm_quorum_value',
    });
  return standard;
}

function show(standard: StoredStandard | null): AlarmStandard | null {
  if (standard === null) return null;
  return {
    min_regions: standard.min_regions,
    alarm_consecutive: standard.alarm_consecutive ?? null,
    alarm_min_duration_seconds: standard.alarm_min_duration_seconds ?? null,
    alarm_quorum_mode: standard.alarm_quorum_mode ?? null,
    alarm_quorum_value: standard.alarm_quorum_value ?? null,
  };
}
