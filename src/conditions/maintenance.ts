// Maintenance as SQL conditions. Every query reads the windows themselves, so planning, moving or deleting one takes effect
// everywhere at once.
import { type RawBuilder, sql } from 'kysely';

/** Is the monitor with this number in maintenance at this instant? */
export const inMaintenance = (monitorNo: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql<boolean>`
  EXISTS (SELECT FROM maintenance_monitors w
    WHERE w.monitor_no = ${monitorNo} AND w.starts_at <= ${at} AND w.ends_at > ${at})`;

/** A monitor's windows that have begun by `until` and had not ended at `since`, as an array of spans. */
export const maintenanceSince = (
  monitorNo: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
) => sql`
  (SELECT coalesce(jsonb_agg(jsonb_build_object('fromMs', (extract(epoch FROM w.starts_at) * 1000)::bigint,
      'untilMs', (extract(epoch FROM w.ends_at) * 1000)::bigint)), '[]')
    FROM maintenance_monitors w
    WHERE w.monitor_no = ${monitorNo} AND w.starts_at <= ${until} AND w.ends_at > ${since})`;

/** A monitor's windows as one multirange, null where it has none; for testing many instants of one monitor. */
export const maintenanceTime = (monitorNo: RawBuilder<unknown>) => sql`
  (SELECT range_agg(tstzrange(w.starts_at, w.ends_at)) FROM maintenance_monitors w WHERE w.monitor_no = ${monitorNo})`;
