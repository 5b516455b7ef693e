// Browser-safe. Fire drills (docs/rules/on-call-and-alarms.md#fire-drills).
import { type Static, Type } from 'typebox';
import {
  ALARM_CHANNELS,
  ALARM_STEPS,
  CHANNEL_NAMES,
  DRILL_OUTCOMES,
  REACH_STATES,
} from '#src/domain/names.ts';
import { OrganizationParams } from '#src/organizations/contract.ts';
import { closed, Id, Nullable, operation, UnixSeconds } from '#src/platform/contract.ts';

const Shared = { tag: 'On-call', resource: 'organization' } as const;
const DrillParams = Type.Object({ org_id: Type.String(), drill_id: Type.String() });

export const Drill = Type.Object({
  id: Type.String(),
  scope: Type.Enum(['chain', 'person']),
  /** The only person who is notified; null: the whole chain, or the account is gone. */
  user_id: Nullable(Type.String()),
  person_name: Nullable(Type.String()),
  started_at_unix: UnixSeconds(),
  started_by_name: Nullable(Type.String()),
  ended_at_unix: Nullable(UnixSeconds()),
  ended_by_name: Nullable(Type.String()),
  /** null: it is running. */
  outcome: Type.Union([Type.Enum([...DRILL_OUTCOMES]), Type.Null()]),
  reached: Type.Object({ arrived: Type.Integer(), failed: Type.Integer(), waiting: Type.Integer() }),
  /** Whether it rings for the caller now. */
  rings: Type.Boolean(),
});
export type Drill = Static<typeof Drill>;

/** One person or target, on one channel. */
export const DrillReach = Type.Object({
  recipient_id: Type.String(),
  name: Nullable(Type.String()),
  channel: Type.Enum([...ALARM_CHANNELS, ...CHANNEL_NAMES]),
  step: Type.Enum([...ALARM_STEPS]),
  at_unix: UnixSeconds(),
  state: Type.Enum([...REACH_STATES]),
  settled_at_unix: Nullable(UnixSeconds()),
  /** A class, like `mail_not_configured` or `http_status 500`; while waiting, that of the last attempt. */
  error: Nullable(Type.String()),
});
export type DrillReach = Static<typeof DrillReach>;

export const DrillRecord = Type.Object({
  ...Drill.properties,
  /** In the order in which they came. */
  reaches: Type.Array(DrillReach),
  /** The remaining steps of a running drill; `drill_end`: it ends if nobody acknowledges it. */
  coming: Type.Array(Type.Object({ step: Type.String(), due_at_unix: UnixSeconds() })),
});
export type DrillRecord = Static<typeof DrillRecord>;

export const listDrills = operation({
  ...Shared,
  params: OrganizationParams,
  id: 'listFireDrills',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/drills',
  summary: 'The last 100 fire drills, the newest first, or the one that is running',
  right: 'member',
  scope: 'on-call:read',
  query: Type.Object({ state: Type.Optional(Type.Enum(['running', 'all'])) }, closed),
  status: 200,
  reply: Type.Array(Drill),
});

export const startDrill = operation({
  ...Shared,
  params: OrganizationParams,
  id: 'startFireDrill',
  method: 'POST',
  path: '/organizations/{org_id}/on-call/drills',
  summary: 'Start a fire drill: the real alarm chain, marked as a drill, for one person or for all',
  right: 'admin',
  scope: 'on-call:write',
  body: Type.Object({ user_id: Type.Optional(Nullable(Id)) }, closed),
  status: 201,
  refusals: [409, 429],
  reply: DrillRecord,
});

export const getDrill = operation({
  ...Shared,
  params: DrillParams,
  id: 'getFireDrill',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/drills/{drill_id}',
  summary: 'The record of a fire drill: who was reached when and by what, and what failed',
  right: 'member',
  scope: 'on-call:read',
  status: 200,
  refusals: [404],
  reply: DrillRecord,
});

export const acknowledgeDrill = operation({
  ...Shared,
  params: DrillParams,
  id: 'acknowledgeFireDrill',
  method: 'POST',
  path: '/organizations/{org_id}/on-call/drills/{drill_id}/ack',
  summary: 'Acknowledge a fire drill, which ends it; once it is over this changes nothing',
  right: 'member',
  scope: 'on-call:write',
  status: 200,
  refusals: [404],
  reply: DrillRecord,
});

export const stopDrill = operation({
  ...Shared,
  params: DrillParams,
  id: 'stopFireDrill',
  method: 'POST',
  path: '/organizations/{org_id}/on-call/drills/{drill_id}/stop',
  summary: 'Stop a fire drill; once it is over this changes nothing',
  right: 'admin',
  scope: 'on-call:write',
  status: 200,
  refusals: [404],
  reply: DrillRecord,
});

/** Only the dashboard knows that it rings. */
export const confirmDrillRings = operation({
  ...Shared,
  params: DrillParams,
  id: 'confirmFireDrillRings',
  method: 'POST',
  path: '/organizations/{org_id}/on-call/drills/{drill_id}/rings',
  summary: 'Record that the loud alarm of a fire drill rings in a dashboard of the caller',
  right: 'member',
  status: 204,
  refusals: [404],
});
