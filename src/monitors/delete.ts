import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { publishMonitor } from '../events/publish.ts';
import { announceNow } from '../incidents/announce.ts';
import { closeIncidentsOf } from '../incidents/close.ts';
import { deleteIncidentsOf } from '../incidents/delete.ts';
import { hook } from '../platform/hook.ts';
import type { Work } from '../platform/work.ts';
import { reassign } from './assignments.ts';
import { triggerGroupsOf } from './groups.ts';
import { forgetReferences, lockReferencesOf } from './references.ts';
import { loggedMonitor, type ShownAt, showMonitor } from './row.ts';
import { announceTags, lockTagsOf } from './tags-changed.ts';
import { lockMonitor } from './update.ts';

/** Monitors were deleted: subscribers delete the history they keep of them, in the background. */
export const monitorsDeleted = hook<{ monitorNos: number[] }>();

/** Deletes a monitor for good: resolves its open incidents and delivers their events, then deletes its data. */
export async function deleteMonitor(work: Work, monitorId: string, shownAt: ShownAt): Promise<void> {
  const { tx } = work;
  await lockReferencesOf(tx, monitorId);
  await lockTagsOf(tx, monitorId);
  const monitor = await lockMonitor(work, monitorId);
  await closeIncidentsOf(work, monitor, 'the monitor was deleted');
  // Before the organization is locked.
  await triggerGroupsOf(work, [monitorId]);
  await announceNow(work);
  await recordActivity(work, {
    orgId: monitor.org_id,
    action: 'monitor.delete',
    resource: { kind: 'monitor', id: monitorId, name: monitor.name },
    before: loggedMonitor(showMonitor(monitor, shownAt, { mayWrite: true })),
  });
  publishMonitor(work, monitor.org_id, {
    monitor_id: monitorId,
    project_id: monitor.project_id,
    change: 'deleted',
    last_status: monitor.last_status,
  });
  await monitorsDeleted.run(work, { monitorNos: [monitor.no] });
  await forgetReferences(tx, monitor.org_id, monitorId);
  await sql`DELETE FROM monitors WHERE no = ${monitor.no}`.execute(tx);
  // A page that was full of monitors with its tags has room for the next.
  await announceTags(work, monitor.org_id, monitor.tags, []);
  reassign(work, { monitorNo: monitor.no, intervalSeconds: monitor.interval_seconds, sinceMs: null });
}

/** Deletes every monitor of an organization that is being deleted, with its incidents, and has the probes forget them. */
export async function deleteMonitorsOf(work: Work, orgId: string): Promise<void> {
  const { tx } = work;
  // The evaluation of results locks these rows first, too, in the same order.
  const { rows } = await sql<{ no: number; interval_seconds: number }>`
    SELECT m.no, m.interval_seconds FROM monitor_state s JOIN monitors m ON m.no = s.monitor_no
    WHERE m.org_id = ${orgId} ORDER BY s.monitor_no FOR UPDATE OF s`.execute(tx);
  await deleteIncidentsOf(work, orgId);
  await monitorsDeleted.run(work, { monitorNos: rows.map(({ no }) => no) });
  await sql`DELETE FROM monitors WHERE org_id = ${orgId}`.execute(tx);
  for (const { no, interval_seconds } of rows)
    reassign(work, { monitorNo: no, intervalSeconds: interval_seconds, sinceMs: null });
}
