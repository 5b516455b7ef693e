// Browser-safe. Who is on duty, and the alarms that ring (docs/rules/on-call-and-alarms.md).
import { type Static, Type } from 'typebox';
import { DUTY_SOURCES, ROTATION_MODES } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Id, Int32, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

const Shared = { tag: 'On-call', resource: 'organization', params: OrganizationParams } as const;

export const OnCallSettings = Type.Object({
  enabled: Type.Boolean(),
  entitled: Type.Boolean(),
  timezone: Type.String(),
  rotation_mode: Type.Enum([...ROTATION_MODES]),
  channel_step_minutes: Type.Integer(),
  escalation_stage1_minutes: Type.Integer(),
  escalation_stage2_minutes: Type.Integer(),
  /** Minutes between reminders of an unacknowledged alarm; 0: none. */
  reminder_minutes: Type.Integer(),
  manual_duty_user_id: Nullable(Type.String()),
  current_duty_user_id: Nullable(Type.String()),
});
export type OnCallSettings = Static<typeof OnCallSettings>;

export const getOnCallSettings = operation({
  ...Shared,
  id: 'getOnCallSettings',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/settings',
  summary: 'On-call settings with who is on duty now; defaults where none were written',
  right: 'member',
  scope: 'on-call:read',
  status: 200,
  reply: OnCallSettings,
});

export const putOnCallSettings = operation({
  ...Shared,
  id: 'putOnCallSettings',
  method: 'PUT',
  path: '/organizations/{org_id}/on-call/settings',
  summary: 'Write on-call settings; omitted fields keep their value',
  right: 'admin',
  scope: 'on-call:write',
  capability: 'on_call',
  body: Type.Object(
    {
      enabled: Type.Optional(Nullable(Type.Boolean())),
      timezone: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
      rotation_mode: Type.Optional(Type.Union([Type.Enum([...ROTATION_MODES]), Type.Null()])),
      channel_step_minutes: Type.Optional(Nullable(Int32(0, 120))),
      escalation_stage1_minutes: Type.Optional(Nullable(Int32(1, 1440))),
      escalation_stage2_minutes: Type.Optional(Nullable(Int32(1, 1440))),
      reminder_minutes: Type.Optional(Nullable(Int32(0, 1440))),
      // null: nobody (a nullable field of the resource itself, unlike the others).
      manual_duty_user_id: Type.Optional(Nullable(Id)),
      // Read-only: accepted with the value they have, so that what was read can be sent back.
      entitled: Type.Optional(Type.Unknown()),
      current_duty_user_id: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
  status: 200,
  reply: OnCallSettings,
});

const RosterMember = Type.Object({ position: Int32(), user_id: Type.String() });
export const Roster = Type.Object({ members: Type.Array(RosterMember) });
export type Roster = Static<typeof Roster>;

export const getRoster = operation({
  ...Shared,
  id: 'getOnCallRoster',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/members',
  summary: 'The roster in order, without people who have left the organization',
  right: 'member',
  scope: 'on-call:read',
  status: 200,
  reply: Roster,
});

export const putRoster = operation({
  ...Shared,
  id: 'putOnCallRoster',
  method: 'PUT',
  path: '/organizations/{org_id}/on-call/members',
  summary: 'Set the roster; ids of people who are not members are skipped, an empty list clears it',
  right: 'admin',
  scope: 'on-call:write',
  capability: 'on_call',
  body: Type.Object(
    {
      members: Type.Array(Type.Object({ position: Int32(), user_id: Id }, closed), { maxItems: 200 }),
    },
    closed,
  ),
  status: 200,
  reply: Roster,
});

export const Duty = Type.Object({
  user_id: Nullable(Type.String()),
  name: Nullable(Type.String()),
  source: Type.Union([Type.Enum([...DUTY_SOURCES]), Type.Null()]),
  until_unix: Nullable(UnixSeconds()),
});
export type Duty = Static<typeof Duty>;

export const getDuty = operation({
  ...Shared,
  id: 'getOnCallDuty',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/duty',
  summary: 'Who is on duty now, and until when',
  right: 'member',
  scope: 'on-call:read',
  status: 200,
  reply: Duty,
});

/** One shift, [from, until); null user: a gap. */
export const Shift = Type.Object({
  from_unix: UnixSeconds(),
  until_unix: Nullable(UnixSeconds()),
  user_id: Nullable(Type.String()),
  name: Nullable(Type.String()),
  source: Type.Union([Type.Enum([...DUTY_SOURCES]), Type.Null()]),
});
export type Shift = Static<typeof Shift>;

export const listShifts = operation({
  ...Shared,
  id: 'listOnCallShifts',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/shifts',
  summary: 'Who is on duty in the coming weeks, starting now',
  right: 'member',
  scope: 'on-call:read',
  query: Type.Object({ weeks: Type.Optional(Type.Integer({ minimum: 1, maximum: 52 })) }, closed),
  status: 200,
  reply: Type.Array(Shift),
});

/** The people that an alarm would reach if it started now. */
export const ChainStep = Type.Object({
  step: Type.Enum(['start', 'mail', 'stage1', 'stage2']),
  after_minutes: Type.Integer(),
  user_ids: Type.Array(Type.String()),
  names: Type.Array(Type.String()),
  /** Names of active paging and chat targets that are notified at this step. */
  targets: Type.Array(Type.String()),
  /** Nobody is on duty, so the administrators are notified instead. */
  fallback: Type.Boolean(),
});
export type ChainStep = Static<typeof ChainStep>;

export const previewChain = operation({
  ...Shared,
  id: 'previewAlarmChain',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/preview',
  summary: 'The alarm chain as it would run if an incident opened now',
  right: 'member',
  scope: 'on-call:read',
  status: 200,
  reply: Type.Array(ChainStep),
});

export const Ringing = Type.Object({
  incident_id: Type.String(),
  monitor_name: Nullable(Type.String()),
  cause: Type.String(),
  severity: Type.String(),
  since_unix: UnixSeconds(),
  /** The name of its storm; null without a storm, or if its incidents share nothing. */
  group_name: Nullable(Type.String()),
});
export type Ringing = Static<typeof Ringing>;

export const listRinging = operation({
  ...Shared,
  id: 'listRingingAlarms',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/ringing',
  summary: 'Incidents whose alarm rings for the caller now',
  right: 'member',
  status: 200,
  reply: Type.Array(Ringing),
});
