// Browser-safe. The policies that monitors inherit: alert profiles and the organization's alarm standard
// (docs/rules/confirmation.md#alert-profiles, docs/rules/confirmation.md#alarm-standard).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Int32, Nullable, operation, PageQuery, UnixSeconds } from '../platform/contract.ts';

const alarm = {
  alarm_consecutive: Nullable(Int32()),
  alarm_min_duration_seconds: Nullable(Int32()),
  alarm_quorum_mode: Nullable(Type.String({ maxLength: 64 })),
  alarm_quorum_value: Nullable(Int32()),
};
const recovery = {
  failed_interval_seconds: Nullable(Int32()),
  recovery_consecutive: Nullable(Int32()),
  recovery_quorum_mode: Nullable(Type.String({ maxLength: 64 })),
  recovery_quorum_value: Nullable(Int32()),
};

/** A null field inherits from the next level. */
export const AlertProfile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  ...alarm,
  ...recovery,
  monitor_count: Type.Integer({ description: 'monitors that use it' }),
  created_at_unix: UnixSeconds(),
});
export type AlertProfile = Static<typeof AlertProfile>;

// domain/policy-validation checks the ranges; the schema only fixes the shape.
const written = Type.Partial(Type.Object({ ...alarm, ...recovery }));

export const AlertProfileCreate = Type.Object(
  { name: Type.String({ maxLength: 200 }), ...written.properties },
  closed,
);
export type AlertProfileCreate = Static<typeof AlertProfileCreate>;

/** An explicit null clears a field back to inheritance. Read-only fields are accepted with the value they have. */
export const AlertProfileUpdate = Type.Object(
  {
    name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    ...written.properties,
    id: Type.Optional(Type.Unknown()),
    monitor_count: Type.Optional(Type.Unknown()),
    created_at_unix: Type.Optional(Type.Unknown()),
  },
  closed,
);
export type AlertProfileUpdate = Static<typeof AlertProfileUpdate>;

export const AlarmStandard = Type.Object({ min_regions: Type.Integer(), ...alarm });
export type AlarmStandard = Static<typeof AlarmStandard>;

export const AlarmStandardWrite = Type.Object(
  { min_regions: Int32(), ...Type.Partial(Type.Object(alarm)).properties },
  closed,
);
export type AlarmStandardWrite = Static<typeof AlarmStandardWrite>;

const tag = 'Alarm policy';
const ProfileParams = Type.Object({ profile_id: Type.String() });

export const listAlertProfiles = operation({
  id: 'listAlertProfiles',
  method: 'GET',
  path: '/organizations/{org_id}/alert-profiles',
  summary: 'Alert profiles of an organization',
  tag,
  right: 'member',
  resource: 'organization',
  scope: 'monitors:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: PageQuery('an alert profile id'),
  status: 200,
  reply: Type.Array(AlertProfile),
});

export const createAlertProfile = operation({
  id: 'createAlertProfile',
  method: 'POST',
  path: '/organizations/{org_id}/alert-profiles',
  summary: 'Create an alert profile; name_taken (409) when the name is in use',
  tag,
  right: 'project_management',
  resource: 'organization',
  scope: 'monitors:write',
  params: OrganizationParams,
  body: AlertProfileCreate,
  status: 201,
  reply: AlertProfile,
  refusals: [409],
});

export const updateAlertProfile = operation({
  id: 'updateAlertProfile',
  method: 'PATCH',
  path: '/alert-profiles/{profile_id}',
  summary: 'Change an alert profile, and with it every monitor that uses it',
  tag,
  right: 'project_management',
  resource: 'alert_profile',
  scope: 'monitors:write',
  params: ProfileParams,
  body: AlertProfileUpdate,
  status: 200,
  reply: AlertProfile,
  refusals: [409],
});

export const deleteAlertProfile = operation({
  id: 'deleteAlertProfile',
  method: 'DELETE',
  path: '/alert-profiles/{profile_id}',
  summary: 'Delete an alert profile; profile_in_use (409) while a monitor uses it',
  tag,
  right: 'project_management',
  resource: 'alert_profile',
  scope: 'monitors:write',
  params: ProfileParams,
  status: 204,
  refusals: [409],
});

export const getAlarmStandard = operation({
  id: 'getAlarmStandard',
  method: 'GET',
  path: '/organizations/{org_id}/alarm-standard',
  summary: 'The floor for every monitor of the organization, or null',
  tag,
  right: 'member',
  resource: 'organization',
  scope: 'monitors:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  status: 200,
  reply: Nullable(AlarmStandard),
});

export const putAlarmStandard = operation({
  id: 'putAlarmStandard',
  method: 'PUT',
  path: '/organizations/{org_id}/alarm-standard',
  summary: 'Set the alarm standard, or lift it with null',
  tag,
  right: 'admin',
  resource: 'organization',
  scope: 'monitors:write',
  params: OrganizationParams,
  body: Nullable(AlarmStandardWrite),
  status: 200,
  reply: Nullable(AlarmStandard),
});
