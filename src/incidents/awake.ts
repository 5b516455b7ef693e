// Which incidents wake people: conditions on a row `i` of incidents, the same wherever somebody asks.
import { type RawBuilder, sql } from 'kysely';

/** `i` waits for somebody: it is open and nobody has taken it. */
export const isPending = sql<boolean>`(i.status = 'open' AND i.acknowledged_at IS NULL)`;

/** Automatic incidents always wake, those made by hand unless they are only degraded. */
export const wakes = sql<boolean>`(i.origin = 'automatic' OR i.severity IN ('critical', 'default'))`;

/** Its monitor is inside of an active window at `now`. */
export const inMaintenance = (now: Date): RawBuilder<boolean> => sql<boolean>`EXISTS (
  SELECT FROM maintenance_monitors w
  WHERE w.monitor_no = i.monitor_no AND w.starts_at <= ${now} AND w.ends_at > ${now})`;

export const isHeld = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(i.alarm_held_until > ${now}, false)`;

/** `i` wakes people at `now`. */
export const isAwake = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${isPending} AND ${wakes} AND NOT ${isHeld(now)} AND NOT ${inMaintenance(now)})`;
