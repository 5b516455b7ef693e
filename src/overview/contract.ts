// Browser-safe. The state of an organization on one screen (docs/rules/overview.md).
import { type Static, Type } from 'typebox';
import { ALARM_PLAN_WARNINGS, TILE_STATES } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

/** The most monitors in the field of tiles: more than fit any screen. */
export const MAX_TILES = 5000;
/** The most open incidents that are named; all of them are counted. */
export const MAX_OPEN = 50;
export const MAX_RECENT = 10;
export const MAX_HOLDS = 20;
export const MAX_UNNOTIFIED = 20;

const Count = (description?: string) => Type.Integer(description === undefined ? {} : { description });

export const Tile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  state: Type.Enum([...TILE_STATES], {
    description: 'as in the list of monitors; maintenance: planned work, and it does not pass',
  }),
  in_maintenance: Type.Boolean(),
  since_unix: Nullable(
    UnixSeconds({ description: 'since when it has this status or is without data; null while it passes' }),
  ),
});
export type Tile = Static<typeof Tile>;

export const Counts = Type.Object(
  {
    monitors: Count('all there are, paused ones too'),
    ...(Object.fromEntries(TILE_STATES.map((state) => [state, Count()])) as Record<
      (typeof TILE_STATES)[number],
      ReturnType<typeof Count>
    >),
  },
  { description: 'monitors by their state' },
);
export type Counts = Static<typeof Counts>;

export const OpenIncident = Type.Object({
  id: Type.String(),
  monitor_id: Nullable(Type.String({ description: 'null: of no monitor' })),
  monitor_name: Nullable(Type.String()),
  cause: Type.String(),
  severity: Type.String(),
  started_at_unix: UnixSeconds(),
  acknowledged_at_unix: Nullable(UnixSeconds()),
  acknowledged_by_name: Nullable(Type.String()),
  in_maintenance: Type.Boolean({ description: 'its monitor is in planned maintenance' }),
});
export type OpenIncident = Static<typeof OpenIncident>;

export const Acknowledger = Type.Object({
  name: Type.String({ description: 'of a person or key; "": its name was forgotten' }),
  incidents: Type.Integer(),
});
export type Acknowledger = Static<typeof Acknowledger>;

const Open = Type.Object({
  total: Count(),
  since_unix: Nullable(UnixSeconds({ description: 'start of the one that is open for longest' })),
  since_same_minute: Type.Boolean({ description: 'whether all of them began in that minute' }),
  unacknowledged: Count('that nobody has acknowledged'),
  acknowledged_by: Type.Array(Acknowledger, { description: 'who has acknowledged how many, most first' }),
  incidents: Type.Array(OpenIncident, {
    description: `the first ${MAX_OPEN}: unacknowledged ones before others, worst first, newest first`,
  }),
});
export type Open = Static<typeof Open>;

export const RecentIncident = Type.Object({
  id: Type.String(),
  monitor_name: Nullable(Type.String()),
  cause: Type.String(),
  severity: Type.String(),
  started_at_unix: UnixSeconds(),
  resolved_at_unix: UnixSeconds(),
});
export type RecentIncident = Static<typeof RecentIncident>;

export const Hold = Type.Object({
  incident_id: Nullable(Type.String({ description: 'null: announced, for incidents that open until then' })),
  monitor_id: Nullable(Type.String()),
  name: Type.String({ description: 'of the monitor, or what the incident is about' }),
  by_name: Type.String({ description: 'a person, a key, or the monitor that it depends on' }),
  until_unix: UnixSeconds(),
});
export type Hold = Static<typeof Hold>;

const Shift = Type.Object({
  name: Nullable(Type.String({ description: 'null: nobody is on duty' })),
  user_id: Nullable(Type.String()),
  from_unix: Nullable(UnixSeconds({ description: 'null: the shift that goes on has no known beginning' })),
  until_unix: Nullable(UnixSeconds()),
});

const OnCall = Type.Object({
  enabled: Type.Boolean({ description: 'a rotation is in force; otherwise administrators are notified' }),
  now: Shift,
  next: Nullable(Type.Object(Shift.properties, { description: 'the next shift of somebody else, or a gap' })),
});

const Window = Type.Object({
  id: Type.String(),
  title: Type.String(),
  starts_at_unix: UnixSeconds(),
  ends_at_unix: UnixSeconds(),
  monitors: Count('how many it is about'),
});
export type Window = Static<typeof Window>;

const Unnotified = Type.Object({
  all: Type.Boolean({
    description: 'an outage would notify nobody: no step of the alarm reaches anybody',
  }),
  warnings: Type.Array(Type.Enum([...ALARM_PLAN_WARNINGS]), {
    description: 'of the alarm of a new monitor',
  }),
  total: Count('monitors whose outages would notify nobody, while others’ would'),
  monitors: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: `the first ${MAX_UNNOTIFIED}`,
  }),
});

const Uptime = Type.Object({
  period: Type.String({ description: 'the month in UTC, such as 2026-11' }),
  pct: Nullable(
    Type.Number({
      description:
        'uptime by time of all monitors together, as in the report of the month; null: nothing is known',
    }),
  ),
  at_unix: UnixSeconds({ description: 'when it was computed: within the last ten minutes' }),
});
export type Uptime = Static<typeof Uptime>;

export const Overview = Type.Object({
  at_unix: UnixSeconds(),
  counts: Nullable(Counts),
  monitors: Nullable(
    Type.Array(Tile, { description: `by project and name, ${MAX_TILES} at most; null: not asked for` }),
  ),
  open: Nullable(Type.Object(Open.properties, { description: 'null for keys without incidents:read' })),
  recent: Nullable(
    Type.Array(RecentIncident, {
      description: 'of the closed incidents without discarded ones, those that started last',
    }),
  ),
  holds: Nullable(
    Type.Array(Hold, { description: `alarms that are held, ending first; the first ${MAX_HOLDS}` }),
  ),
  on_call: Nullable(
    Type.Object(OnCall.properties, { description: 'null for keys without on-call:read, and narrowed ones' }),
  ),
  maintenance: Nullable(
    Type.Object(
      { now: Type.Array(Window), next: Type.Array(Window) },
      { description: 'null for keys without maintenance:read' },
    ),
  ),
  unnotified: Nullable(
    Type.Object(Unnotified.properties, {
      description: 'null for keys without on-call:read, and narrowed ones',
    }),
  ),
  uptime: Nullable(
    Type.Object(Uptime.properties, {
      description: 'null while it is being computed, and for narrowed keys',
    }),
  ),
});
export type Overview = Static<typeof Overview>;

export const getOverview = operation({
  id: 'getOverview',
  method: 'GET',
  path: '/organizations/{org_id}/overview',
  summary:
    'How the organization does: what is wrong and who has it, who is on duty, what is held, planned, without data, and unnotified',
  tag: 'Overview',
  right: 'member',
  resource: 'organization',
  scope: 'monitors:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: Type.Object(
    {
      monitors: Type.Optional(
        Type.Enum(['true', 'false'], {
          description:
            'false: without monitors and counts, for clients that have them and follow the live events',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  reply: Overview,
});
