// SQL conditions on a row `i` of incidents, which decide whether it pages. Every query uses these.
import { type RawBuilder, sql } from 'kysely';
import { inMaintenance } from './maintenance.ts';

/** `i` is open and not acknowledged. No alarm starts for an example. */
export const isPending = sql<boolean>`(i.status = 'open' AND i.acknowledged_at IS NULL AND NOT i.example)`;

/** Its severity pages: `degraded` does not, whoever opened the incident. */
export const isPagingSeverity = sql<boolean>`(i.severity IN ('critical', 'default'))`;

/** Its monitor is in an active maintenance window at `now`. */
export const monitorInMaintenance = (now: Date): RawBuilder<boolean> =>
  inMaintenance(sql`i.monitor_no`, sql`${now}::timestamptz`);

export const isHeld = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(i.alarm_held_until > ${now}, false)`;

/** `i` pages at `now`. */
export const isPaging = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${isPending} AND ${isPagingSeverity} AND NOT ${isHeld(now)} AND NOT ${monitorInMaintenance(now)})`;
