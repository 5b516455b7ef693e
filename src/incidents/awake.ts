// Which incidents wake people: conditions on a row `i` of incidents, the same wherever somebody asks.
import { type RawBuilder, sql } from 'kysely';
import { inMaintenance } from './in-maintenance.ts';

/** `i` waits for somebody: it is open and nobody has taken it. */
export const isPending = sql<boolean>`(i.status = 'open' AND i.acknowledged_at IS NULL)`;

/** Automatic incidents always wake, those made by hand unless they are only degraded. */
export const wakes = sql<boolean>`(i.origin = 'automatic' OR i.severity IN ('critical', 'default'))`;

/** Its monitor is inside of an active window at `now`. */
export const monitorInMaintenance = (now: Date): RawBuilder<boolean> =>
  inMaintenance(sql`i.monitor_no`, sql`${now}::timestamptz`);

export const isHeld = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(i.alarm_held_until > ${now}, false)`;

/** `i` wakes people at `now`. */
export const isAwake = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${isPending} AND ${wakes} AND NOT ${isHeld(now)} AND NOT ${monitorInMaintenance(now)})`;
