import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { publishMonitor } from '../events/publish.ts';
import { closeIncidentsOf } from '../incidents/close.ts';
import { announcement } from '../platform/announcement.ts';
import type { Work } from '../platform/work.ts';
import { reassign } from './assign.ts';
import { showMonitor } from './row.ts';
import { lockMonitor } from './update.ts';

/** A monitor is gone: whoever keeps its history removes it, in the background. */
export const monitorDeleted = announcement<{ monitorNo: number }>();

/** Deletes a monitor for good: its open incidents are resolved and delivered first, then its data goes. */
export async function deleteMonitor(work: Work, monitorId: string): Promise<void> {
  const { tx } = work;
  const monitor = await lockMonitor(work, monitorId);
  await closeIncidentsOf(work, monitor, 'the monitor was deleted');
  await recordActivity(work, {
    orgId: monitor.org_id,
    action: 'monitor.delete',
    resource: { kind: 'monitor', id: monitorId, name: monitor.name },
    before: showMonitor(monitor),
  });
  publishMonitor(work, monitor.org_id, {
    monitor_id: monitorId,
    project_id: monitor.project_id,
    change: 'deleted',
    last_status: monitor.last_status,
  });
  await monitorDeleted.announce(work, { monitorNo: monitor.no });
  await sql`DELETE FROM monitors WHERE no = ${monitor.no}`.execute(tx);
  reassign(work, { monitorNo: monitor.no, intervalSeconds: monitor.interval_seconds });
}
