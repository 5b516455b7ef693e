// Ends the incident of a failure that turned out to be none, and lets the monitor start anew.
import { healthy, statusShown } from '../domain/confirmation-state.ts';
import { publishMonitor } from '../events/publish.ts';
import { closeIncidentsOf } from '../incidents/close.ts';
import type { Work } from '../platform/work.ts';
import { assignInterval } from './assignments.ts';
import { triggerGroupsOf } from './groups.ts';
import { lockMonitor } from './update.ts';

/** Closes the open incidents of an enabled monitor with the reason `why`, and forgets its earlier decisions. */
export async function startOver(work: Work, monitorId: string, why: string): Promise<void> {
  const monitor = await lockMonitor(work, monitorId);
  if (!monitor.enabled) return;
  await closeIncidentsOf(work, monitor, why);
  const status = statusShown(healthy, [], false);
  await work.tx
    .updateTable('monitor_state')
    .set({
      state: JSON.stringify(healthy),
      calm: false,
      not_before: work.now,
      last_status: status,
      last_status_since: work.now,
      reevaluate_at: null,
      confirming: null,
    })
    .where('monitor_no', '=', monitor.no)
    .execute();
  await assignInterval(work, {
    monitorNo: monitor.no,
    intervalSeconds: monitor.interval_seconds,
    sinceMs: null,
  });
  publishMonitor(work, monitor.org_id, {
    monitor_id: monitorId,
    project_id: monitor.project_id,
    change: 'status',
    last_status: status,
  });
  await triggerGroupsOf(work, [monitorId]);
}
