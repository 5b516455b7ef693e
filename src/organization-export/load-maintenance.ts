// Writes the maintenance windows of an export. Their effective times follow from the plan; windows that are not over
// get a job for their next start or end.
import { timeInForce } from '../domain/maintenance.ts';
import { scheduleWindow, wakeWindow } from '../maintenance/effects.ts';
import { plannedTime } from '../maintenance/row.ts';
import type { Work } from '../platform/work.ts';
import type { DataOf } from './format.ts';
import * as into from './insert.ts';
import { insertRows } from './insert.ts';
import { within } from './read-lines.ts';

type Loaded = { work: Work; orgId: string; monitorNos: ReadonlyMap<string, number> };
type Lines = readonly { number: number; data: DataOf<'maintenance_window'> }[];

export async function loadMaintenance({ work, orgId, monitorNos }: Loaded, lines: Lines): Promise<void> {
  const { tx, now } = work;
  const windows = lines.map(({ data }) => ({ ...data, org_id: orgId }));
  await insertRows(tx, 'maintenance_windows', into.MAINTENANCE_WINDOW, windows);
  for (const { number, data } of lines) {
    const row = {
      id: data.id,
      scheduled_start: new Date(data.scheduled_start),
      scheduled_end: new Date(data.scheduled_end),
      cancelled_at: data.cancelled_at === null ? null : new Date(data.cancelled_at),
    };
    const { fromMs, untilMs } = timeInForce(plannedTime(row));
    const monitors = data.monitor_ids.map((id) => {
      within(number, monitorNos, id, 'monitor_ids');
      return {
        window_id: data.id,
        monitor_no: monitorNos.get(id),
        starts_at: new Date(fromMs),
        ends_at: new Date(untilMs),
      };
    });
    await insertRows(tx, 'maintenance_monitors', into.MAINTENANCE_MONITOR, monitors);
    const isOverdue = data.ended_at === null && row.scheduled_start <= now;
    if (isOverdue) await wakeWindow(tx, data.id);
    else await scheduleWindow(tx, row, now);
  }
}
