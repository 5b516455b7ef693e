// Writes the maintenance windows of an export. Their effective times follow from the plan; windows that are not over
// get a job for their next start or end.
import { isTimezone } from '../domain/cron.ts';
import { timeInForce } from '../domain/maintenance.ts';
import { ruleProblem } from '../domain/recurrence.ts';
import { scheduleWindow, wakeWindow } from '../maintenance/effects.ts';
import { plannedTime } from '../maintenance/row.ts';
import { wakeSeries } from '../maintenance/series.ts';
import { checkedTags } from '../platform/tags.ts';
import type { Work } from '../platform/work.ts';
import * as into from './columns.ts';
import type { DataOf, LineKind } from './format.ts';
import { insertRows } from './insert.ts';
import { BrokenLine, within } from './read-lines.ts';
import { refusedAt } from './refused-at.ts';

type Loaded = {
  work: Work;
  orgId: string;
  monitorNos: ReadonlyMap<string, number>;
  maintenanceSeries: Set<string>;
};
type Lines<K extends LineKind> = readonly { number: number; data: DataOf<K> }[];

/** Their rules go into every window that is made: they are what the API would take. */
export async function loadMaintenanceSeries(
  { work, orgId, monitorNos, maintenanceSeries }: Loaded,
  lines: Lines<'maintenance_series'>,
): Promise<void> {
  const { tx } = work;
  for (const { number, data } of lines) {
    const problem = ruleProblem(data.rrule);
    if (problem) throw new BrokenLine(number, `its rrule ${problem}.`);
    if (!isTimezone(data.timezone)) throw new BrokenLine(number, 'its timezone is none that is known here.');
    await insertRows(tx, 'maintenance_series', into.MAINTENANCE_SERIES, [
      { ...data, tags: refusedAt(number, () => checkedTags(data.tags ?? [])), org_id: orgId },
    ]);
    const monitors = data.monitor_ids.map((id) => {
      within(number, monitorNos, id, 'monitor_ids');
      return { series_id: data.id, monitor_no: monitorNos.get(id) };
    });
    await insertRows(tx, 'maintenance_series_monitors', into.SERIES_MONITOR, monitors);
    maintenanceSeries.add(data.id);
    if (data.next_at !== null) await wakeSeries(tx, data.id);
  }
}

export async function loadMaintenance(
  { work, orgId, monitorNos, maintenanceSeries }: Loaded,
  lines: Lines<'maintenance_window'>,
): Promise<void> {
  const { tx, now } = work;
  const windows = lines.map(({ number, data }) => {
    if (data.series_id != null) within(number, maintenanceSeries, data.series_id, 'series_id');
    const tags = refusedAt(number, () => checkedTags(data.tags ?? []));
    return { ...data, tags, org_id: orgId };
  });
  await insertRows(tx, 'maintenance_windows', into.MAINTENANCE_WINDOW, windows);
  for (const { number, data } of lines) {
    const row = {
      id: data.id,
      scheduled_start: new Date(data.scheduled_start),
      scheduled_end: new Date(data.scheduled_end),
      cancelled_at: data.cancelled_at === null ? null : new Date(data.cancelled_at),
    };
    const { fromMs, untilMs } = timeInForce(plannedTime(row));
    const tagged = new Set(data.tagged_ids);
    const monitors = data.monitor_ids.map((id) => {
      within(number, monitorNos, id, 'monitor_ids');
      return {
        window_id: data.id,
        monitor_no: monitorNos.get(id),
        starts_at: new Date(fromMs),
        ends_at: new Date(untilMs),
        by_tag: tagged.has(id),
      };
    });
    await insertRows(tx, 'maintenance_monitors', into.MAINTENANCE_MONITOR, monitors);
    const isOverdue = data.ended_at === null && row.scheduled_start <= now;
    if (isOverdue) await wakeWindow(tx, data.id);
    else await scheduleWindow(tx, row, now);
  }
}
