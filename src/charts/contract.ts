// Browser-safe. What a chart of a monitor shows beside its curve: incidents, maintenance and announced changes in a range
// (docs/rules/figures.md#annotations), and availability by hour of the week.
import { type Static, Type } from 'typebox';
import { ALARM_GATE_ORIGINS } from '../domain/names.ts';
import { MonitorParams } from '../monitors/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

/** Most annotations of a kind; the newest ones. */
export const MAX_ANNOTATIONS = 500;

const AnnotatedIncident = Type.Object({
  id: Type.String(),
  origin: Type.Enum(['automatic', 'manual']),
  cause: Type.String(),
  severity: Type.String(),
  status: Type.String(),
  discarded: Type.Boolean(),
  started_at_unix: UnixSeconds(),
  resolved_at_unix: Nullable(UnixSeconds()),
});

const AnnotatedMaintenance = Type.Object({
  id: Type.String({ description: 'of the window' }),
  title: Type.String(),
  starts_at_unix: UnixSeconds(),
  ends_at_unix: UnixSeconds({ description: 'exclusive; of a window that was cancelled, that moment' }),
});

const AnnouncedChange = Type.Object({
  origin: Type.Enum([...ALARM_GATE_ORIGINS]),
  name: Type.String({ description: 'who announced it' }),
  announced_at_unix: UnixSeconds(),
  held_until_unix: UnixSeconds({ description: 'alarms were held until then' }),
});

export const Annotations = Type.Object({
  from_unix: UnixSeconds(),
  to_unix: UnixSeconds(),
  incidents: Nullable(
    Type.Array(AnnotatedIncident, {
      description: 'oldest first, discarded ones too; null for keys without incidents:read',
    }),
  ),
  maintenance: Nullable(
    Type.Array(AnnotatedMaintenance, { description: 'oldest first; null for keys without maintenance:read' }),
  ),
  changes: Type.Array(AnnouncedChange, { description: 'oldest first' }),
  complete: Type.Boolean({
    description: `false: of a kind there are more than the ${MAX_ANNOTATIONS} newest, which are here`,
  }),
});
export type Annotations = Static<typeof Annotations>;

const Range = {
  from_unix: UnixSeconds(),
  to_unix: UnixSeconds({ description: 'exclusive; at most 400 days later' }),
};

const SHARED = {
  method: 'GET',
  tag: 'Checks',
  right: 'member',
  resource: 'monitor',
  scope: 'monitors:read',
  params: MonitorParams,
  status: 200,
  refusals: [400],
} as const;

export const getAnnotations = operation({
  ...SHARED,
  id: 'getMonitorAnnotations',
  path: '/monitors/{monitor_id}/annotations',
  summary: 'Incidents, maintenance and announced changes that lie in a range or reach into it',
  query: Type.Object(Range, closed),
  reply: Annotations,
});

export const HoursOfWeek = Type.Object({
  timezone: Type.String(),
  from_unix: UnixSeconds(),
  to_unix: UnixSeconds(),
  uptime_time_pct: Nullable(Type.Number({ description: 'over the whole range, as in a series' })),
  hours: Type.Array(
    Type.Object({
      weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' }),
      hour: Type.Integer({ minimum: 0, maximum: 23 }),
      uptime_time_pct: Nullable(
        Type.Number({ description: 'of all these hours together; null: nothing is known' }),
      ),
      counted_seconds: Type.Integer({ description: 'time that counts: known, and outside maintenance' }),
      downtime_seconds: Type.Integer({ description: 'confirmed outages in the time that counts' }),
      maintenance_seconds: Type.Integer(),
    }),
    { description: 'all 168, from Monday 00:00 on' },
  ),
});
export type HoursOfWeek = Static<typeof HoursOfWeek>;

export const getHoursOfWeek = operation({
  ...SHARED,
  id: 'getMonitorHoursOfWeek',
  path: '/monitors/{monitor_id}/hours-of-week',
  summary: 'Uptime by hour of the week, on the clocks of a time zone',
  query: Type.Object(
    {
      from_unix: Type.Optional(UnixSeconds({ description: 'with to_unix; without them the last 28 days' })),
      to_unix: Type.Optional(Range.to_unix),
      timezone: Type.Optional(Type.String({ maxLength: 100, description: 'IANA time zone; UTC' })),
    },
    closed,
  ),
  reply: HoursOfWeek,
});
