// Browser-safe. What a changed policy would have done with stored checks (docs/rules/confirmation.md#replay-of-a-policy).
import { type Static, Type } from 'typebox';
import { REPLAY_CAVEATS } from '../domain/names.ts';
import { MonitorParams, PolicyWrite } from '../monitors/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

export const PolicyReplayAsked = Type.Object(
  {
    /** Laid over the stored policy, as an update lays it: absent fields stay, null inherits. */
    policy: PolicyWrite,
  },
  closed,
);
export type PolicyReplayAsked = Static<typeof PolicyReplayAsked>;

export const ReplayedAlarm = Type.Object({
  started_at_unix: UnixSeconds({ description: 'beginning of the confirmed outage' }),
  opened_at_unix: UnixSeconds({ description: 'when the incident opens' }),
  ended_at_unix: Nullable(UnixSeconds({ description: 'null: still open at until_unix' })),
  reason: Type.String({ description: 'why it opens then, as in evidence' }),
  down_regions: Type.Array(Type.String()),
});
export type ReplayedAlarm = Static<typeof ReplayedAlarm>;

export const ReplayedOutage = Type.Object({
  now: Nullable(ReplayedAlarm),
  draft: Nullable(ReplayedAlarm),
  later_seconds: Nullable(
    Type.Integer({
      description: 'how much later the draft opens; negative: earlier; null: only one of them does',
    }),
  ),
  cause: Nullable(Type.String({ description: 'one line, as of an incident' })),
  incident_id: Nullable(
    Type.String({ description: 'the automatic incident of that time, where there is one' }),
  ),
});
export type ReplayedOutage = Static<typeof ReplayedOutage>;

const Side = Type.Object({
  alarm_count: Type.Integer(),
  open_seconds: Type.Integer({ description: 'how long incidents are open, in sum' }),
});

/** The number of outages by the effect that the draft has on them. */
const Differences = Type.Object({
  unchanged: Type.Integer({ description: 'opens at the same second' }),
  later: Type.Integer(),
  earlier: Type.Integer(),
  only_now: Type.Integer({ description: 'the draft has no alarm of its own for it' }),
  only_draft: Type.Integer(),
});

export const PolicyReplay = Type.Object({
  from_unix: UnixSeconds({ description: 'the first check that was looked at' }),
  until_unix: UnixSeconds(),
  complete: Type.Boolean({ description: 'false: there are more checks than one replay looks at' }),
  check_count: Type.Integer(),
  now: Side,
  draft: Side,
  differences: Differences,
  outages: Type.Array(ReplayedOutage, { description: 'newest first, at most 100' }),
  caveats: Type.Array(Type.Enum([...REPLAY_CAVEATS]), { description: 'what the replay cannot know' }),
});
export type PolicyReplay = Static<typeof PolicyReplay>;

export const replayPolicy = operation({
  id: 'replayPolicy',
  viewers: true,
  method: 'POST',
  path: '/monitors/{monitor_id}/policy-replay',
  summary:
    'What a changed policy would have done with the stored checks of the last 30 days, beside the policy in force; nothing is stored',
  tag: 'Monitors',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  body: PolicyReplayAsked,
  status: 200,
  reply: PolicyReplay,
});
