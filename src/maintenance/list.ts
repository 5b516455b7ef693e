import { sql } from 'kysely';
import type { MaintenanceState } from '../domain/names.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { seenIn } from '../platform/http/within.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import type { MaintenanceWindow } from './contract.ts';
import { readWindows, showWindow } from './row.ts';

export type WindowsAsked = Page & { state: MaintenanceState | undefined; now: Date; within: ResourceFilter };

/** The state of a window `w` at an instant, as in src/domain/maintenance. */
const inState = (state: MaintenanceState, now: Date) =>
  ({
    upcoming: sql`w.cancelled_at IS NULL AND w.scheduled_start > ${now}`,
    active: sql`w.cancelled_at IS NULL AND w.scheduled_start <= ${now} AND w.scheduled_end > ${now}`,
    past: sql`w.cancelled_at IS NULL AND w.scheduled_end <= ${now}`,
    cancelled: sql`w.cancelled_at IS NOT NULL`,
  })[state];

/** A narrowed key sees windows of its monitors; windows without monitors belong to the whole organization. */
export const visibleTo = (within: ResourceFilter) =>
  within === null
    ? sql`true`
    : sql`EXISTS (SELECT FROM maintenance_monitors own JOIN monitors mine ON mine.no = own.monitor_no
        WHERE own.window_id = w.id AND ${seenIn(within, { project: 'mine.project_id', monitor: 'mine.id' })})`;

/** Windows of an organization, the latest start first; `before` is a window of it. */
export async function listWindows(
  db: Database,
  orgId: string,
  { state, now, within, limit, before }: WindowsAsked,
): Promise<MaintenanceWindow[]> {
  const visible = sql`w.org_id = ${orgId} AND ${visibleTo(within)}`;
  let from = sql`true`;
  if (before !== null) {
    const [row] = await readWindows(db, sql`${visible} AND w.id = ${before}`);
    if (!row) return notFound('maintenance window');
    from = sql`(w.scheduled_start, w.id) < (${row.scheduled_start}, ${row.id})`;
  }
  const rows = await readWindows(
    db,
    sql`${visible} AND ${from} AND ${state === undefined ? sql`true` : inState(state, now)}`,
    sql`ORDER BY w.scheduled_start DESC, w.id DESC LIMIT ${limit}`,
  );
  return rows.map((row) => showWindow(row, within));
}
