// Browser-safe. Who would be notified now (docs/rules/on-call-and-alarms.md#who-would-be-notified).
import { type Static, Type } from 'typebox';
import {
  ALARM_CHANNELS,
  ALARM_PLAN_WARNINGS,
  ALARM_STEPS,
  CHANNEL_NAMES,
  CHANNEL_PROBLEMS,
  QUIET_REASONS,
  TARGET_PROBLEMS,
} from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { operation } from '../platform/contract.ts';

/** A person whom a step notifies, with the channels. The loud alarm needs an open dashboard. */
const PlannedPerson = Type.Object({
  user_id: Type.String(),
  name: Type.String(),
  channels: Type.Array(
    Type.Object({
      channel: Type.Enum([...ALARM_CHANNELS]),
      works: Type.Boolean(),
      problem: Type.Union([Type.Enum([...CHANNEL_PROBLEMS]), Type.Null()]),
    }),
  ),
});

const PlannedTarget = Type.Object({
  target_id: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...CHANNEL_NAMES]),
  works: Type.Boolean(),
  problem: Type.Union([Type.Enum([...TARGET_PROBLEMS]), Type.Null()]),
});

export const AlarmPlan = Type.Object({
  /** Why it would wake nobody at this moment; null: it would. */
  quiet: Type.Union([Type.Enum([...QUIET_REASONS]), Type.Null()]),
  /** In order; steps that notify nobody new are left out, except the start. */
  steps: Type.Array(
    Type.Object({
      step: Type.Enum([...ALARM_STEPS]),
      after_minutes: Type.Integer(),
      /** Nobody is on duty, or nobody else is available, so the administrators are notified instead. */
      fallback: Type.Boolean(),
      people: Type.Array(PlannedPerson),
      targets: Type.Array(PlannedTarget),
    }),
  ),
  warnings: Type.Array(Type.Enum([...ALARM_PLAN_WARNINGS])),
});
export type AlarmPlan = Static<typeof AlarmPlan>;

export const getAlarmPlan = operation({
  tag: 'On-call',
  resource: 'organization',
  params: OrganizationParams,
  id: 'getAlarmPlan',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/alarm-plan',
  summary:
    'Who would be notified now of an incident of a new monitor, in which order and on which channels, with warnings',
  right: 'member',
  scope: 'on-call:read',
  status: 200,
  reply: AlarmPlan,
});

export const getMonitorAlarmPlan = operation({
  tag: 'On-call',
  resource: 'monitor',
  params: Type.Object({ monitor_id: Type.String() }),
  id: 'getMonitorAlarmPlan',
  method: 'GET',
  path: '/monitors/{monitor_id}/alarm-plan',
  summary:
    'Who would be notified now of an incident of this monitor, in which order and on which channels, with warnings',
  right: 'member',
  scope: 'on-call:read',
  status: 200,
  reply: AlarmPlan,
});
