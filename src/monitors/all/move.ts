import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { publishMonitor } from '#src/events/publish.ts';
import type { ResourceFilter } from '#src/platform/http/caller.ts';
import { Refusal } from '#src/platform/refusals.ts';
import type { Work } from '#src/platform/work.ts';
import { refuseDestination } from '../destination-project.ts';
import { freeSlug } from '../free-slug.ts';
import { loggedMonitor, type ShownAt, selectMonitors, showMonitor } from '../row.ts';
import { lockMonitor, refuseExample } from '../update.ts';

const WRITER = { mayWrite: true };

/**
 * Locks the project that monitors move to, so that nobody deletes it or creates a monitor in it meanwhile. 400 if it is not one
 * of the organization's, 403 if a narrowed key does not see it.
 */
export async function lockDestination(
  { tx }: Work,
  orgId: string,
  projectId: string,
  within: ResourceFilter,
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM projects WHERE id = ${projectId} AND org_id = ${orgId} FOR UPDATE`.execute(tx);
  refuseDestination(projectId, rows.length > 0, within);
}

/**
 * Moves a monitor to a project that `lockDestination` has locked. Its incidents and figures move with it; its slug gets a
 * number if another monitor of that project has it. Refuses a name that is in use there.
 */
export async function moveMonitor(
  work: Work,
  monitorId: string,
  projectId: string,
  shownAt: ShownAt,
): Promise<void> {
  const { tx, now } = work;
  const before = await lockMonitor(work, monitorId);
  refuseExample(before);
  if (before.project_id === projectId) return;
  const { no, name, org_id: orgId } = before;
  const namesake = await sql`SELECT FROM monitors WHERE project_id = ${projectId} AND name = ${name}`.execute(
    tx,
  );
  if (namesake.rows.length > 0)
    throw new Refusal('name_taken', `The project has a monitor named ${JSON.stringify(name)} already.`, {
      field: 'name',
    });
  const slug = await freeSlug(tx, projectId, before.slug);
  await sql`UPDATE monitors SET project_id = ${projectId}, slug = ${slug} WHERE no = ${no}`.execute(tx);
  await sql`UPDATE incidents SET project_id = ${projectId} WHERE monitor_no = ${no}`.execute(tx);
  publishMonitor(work, orgId, {
    monitor_id: monitorId,
    project_id: projectId,
    change: 'updated',
    last_status: before.last_status,
  });
  const row = await selectMonitors(tx, now).where('monitors.no', '=', no).executeTakeFirstOrThrow();
  await recordActivity(work, {
    orgId,
    action: 'monitor.update',
    resource: { kind: 'monitor', id: monitorId, name },
    before: loggedMonitor(showMonitor(before, shownAt, WRITER)),
    after: loggedMonitor(showMonitor(row, shownAt, WRITER)),
  });
}
