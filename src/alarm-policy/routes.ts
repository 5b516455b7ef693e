import { paged } from '../platform/http/page.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { createProfile } from './create-profile.ts';
import { deleteProfile } from './delete-profile.ts';
import { listProfiles } from './list-profiles.ts';
import { getStandard, putStandard } from './standard.ts';
import { updateProfile } from './update-profile.ts';

export const alarmPolicyRoutes: Route[] = [
  // Profiles belong to the whole organization: a narrowed key sees none.
  read(contract.listAlertProfiles, (call) =>
    paged(
      call,
      async (page) => (call.within ? [] : listProfiles(call.db, call.resource.orgId, page)),
      ({ id }) => id,
    ),
  ),
  write(contract.createAlertProfile, ({ resource, body }, work) => createProfile(work, resource.orgId, body)),
  write(contract.updateAlertProfile, ({ resource, params, body }, work) =>
    updateProfile(work, { orgId: resource.orgId, profileId: params.profile_id }, body),
  ),
  write(contract.deleteAlertProfile, async ({ resource, params }, work) => {
    await deleteProfile(work, { orgId: resource.orgId, profileId: params.profile_id });
    return undefined;
  }),
  // The standard applies to every monitor, so a narrowed key may read it.
  read(contract.getAlarmStandard, ({ db, resource }) => getStandard(db, resource.orgId)),
  write(contract.putAlarmStandard, ({ resource, body }, work) => putStandard(work, resource.orgId, body)),
];
