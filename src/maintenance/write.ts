// Writing maintenance windows. Locks: the window, then the states of its monitors by number, then everything else.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { timeInForce } from '../domain/maintenance.ts';
import type { BodyOf } from '../platform/contract.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Within } from '../platform/http/caller.ts';
import { newId } from '../platform/ids.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Work } from '../platform/work.ts';
import { checkedTitle, checkTimes, monitorsNamed, refuseOutside } from './admit.ts';
import type { createMaintenance, MaintenanceWindow, updateMaintenance } from './contract.ts';
import { applyWindow } from './effects.ts';
import { plannedTime, showWindow, type WindowMonitor, type WindowRow, windowOf } from './row.ts';

/** Plans a window. A window in the past changes figures, and notifies nobody. */
export async function createWindow(
  work: Work,
  orgId: string,
  body: BodyOf<typeof createMaintenance>,
  within: Within,
): Promise<MaintenanceWindow> {
  const named = await monitorsNamed(work.tx, orgId, body.monitors ?? []);
  refuseOutside(within, named);
  checkTimes({ start: body.scheduled_start, end: body.scheduled_end });
  const id = newId('mwn');
  const row = {
    id,
    org_id: orgId,
    title: checkedTitle(body.title),
    body: body.body ?? '',
    scheduled_start: new Date(body.scheduled_start * 1000),
    scheduled_end: new Date(body.scheduled_end * 1000),
    public_visible: body.public_visible ?? true,
    created_at: work.now,
  };
  const monitors = await lockMonitors(work, named);
  await work.tx.insertInto('maintenance_windows').values(row).execute();
  const after = { ...row, monitors, cancelled_at: null, started_at: null, ended_at: null };
  return finish(work, { before: null, after }, 'maintenance.create');
}

/** Changes a window. Omitted and null fields keep their value; `monitors` replaces the list. A cancelled one is refused. */
export async function updateWindow(
  work: Work,
  orgId: string,
  windowId: string,
  body: BodyOf<typeof updateMaintenance>,
  within: Within,
): Promise<MaintenanceWindow> {
  const before = await lockWindow(work, orgId, windowId, within);
  const ids = body.monitors?.map((each) => (typeof each === 'string' ? each : each.id));
  const named = ids ? await monitorsNamed(work.tx, orgId, ids) : before.monitors;
  refuseOutside(within, named);
  const { id, cancelled } = body;
  refuseChangedReadOnly({ id, cancelled }, showWindow(before));
  const start = body.scheduled_start ?? unix(before.scheduled_start);
  const end = body.scheduled_end ?? unix(before.scheduled_end);
  checkTimes({ start, end });
  const row = {
    title: body.title == null ? before.title : checkedTitle(body.title),
    body: body.body ?? before.body,
    scheduled_start: new Date(start * 1000),
    scheduled_end: new Date(end * 1000),
    public_visible: body.public_visible ?? before.public_visible,
  };
  if (before.cancelled_at !== null) {
    if (isSame(before, { ...row, monitors: named })) return showWindow(before);
    refuse('window_cancelled', 'This maintenance window is cancelled; plan a new one instead.');
  }
  const existing = await lockMonitors(work, union(before.monitors, named));
  const monitors = named.filter(({ no }) => existing.some((each) => each.no === no));
  await work.tx.updateTable('maintenance_windows').set(row).where('id', '=', windowId).execute();
  return finish(work, { before, after: { ...before, ...row, monitors } }, 'maintenance.update');
}

/** Cancels a window. Elapsed maintenance stays; the rest is lifted. Nothing changes for a window that is over. */
export async function cancelWindow(
  work: Work,
  orgId: string,
  windowId: string,
  within: Within,
): Promise<MaintenanceWindow> {
  const before = await lockWindow(work, orgId, windowId, within);
  if (before.cancelled_at !== null) return showWindow(before);
  const monitors = await lockMonitors(work, before.monitors);
  await work.tx
    .updateTable('maintenance_windows')
    .set({ cancelled_at: work.now })
    .where('id', '=', windowId)
    .execute();
  const after = { ...before, monitors, cancelled_at: work.now };
  return finish(work, { before, after }, 'maintenance.cancel');
}

/** Deletes a window as if it had never existed: its checks count again. */
export async function deleteWindow(
  work: Work,
  orgId: string,
  windowId: string,
  within: Within,
): Promise<void> {
  const before = await lockWindow(work, orgId, windowId, within);
  await lockMonitors(work, before.monitors);
  await work.tx.deleteFrom('maintenance_windows').where('id', '=', windowId).execute();
  await finish(work, { before, after: null }, 'maintenance.delete');
}

type Changeable = Pick<
  WindowRow,
  'title' | 'body' | 'scheduled_start' | 'scheduled_end' | 'public_visible' | 'monitors'
>;

/** Clients may send back what they read, even for a cancelled window. */
function isSame(before: Changeable, after: Changeable): boolean {
  const of = ({ title, body, scheduled_start, scheduled_end, public_visible, monitors }: Changeable) =>
    JSON.stringify([
      title,
      body,
      scheduled_start,
      scheduled_end,
      public_visible,
      monitors.map(({ no }) => no).sort((a, b) => a - b),
    ]);
  return of(before) === of(after);
}

/** Refuses an unknown window (404), and one that the key does not cover (403). */
async function lockWindow(work: Work, orgId: string, windowId: string, within: Within): Promise<WindowRow> {
  const { rows } = await sql`
    SELECT FROM maintenance_windows WHERE id = ${windowId} AND org_id = ${orgId} FOR UPDATE`.execute(work.tx);
  if (rows.length === 0) notFound('maintenance window');
  const row = await windowOf(work.tx, orgId, windowId);
  refuseOutside(within, row.monitors);
  return row;
}

/** Locks the states of monitors in the order that evaluation uses, and returns the monitors that still exist. */
export async function lockMonitors(
  { tx }: Work,
  monitors: readonly WindowMonitor[],
): Promise<WindowMonitor[]> {
  if (monitors.length === 0) return [];
  const { rows } = await sql<{ no: number }>`
    SELECT monitor_no AS no FROM monitor_state WHERE monitor_no = ANY(${pgArray(monitors.map(({ no }) => no))}::int[])
    ORDER BY monitor_no FOR UPDATE`.execute(tx);
  const existing = new Set(rows.map(({ no }) => no));
  return monitors.filter(({ no }) => existing.has(no));
}

function union(some: readonly WindowMonitor[], others: readonly WindowMonitor[]): WindowMonitor[] {
  const known = new Set(some.map(({ no }) => no));
  return [...some, ...others.filter(({ no }) => !known.has(no))];
}

/** Writes the time in force, applies the effects, and records the activity. */
async function finish(
  work: Work,
  change: { before: WindowRow | null; after: WindowRow | null },
  action: string,
): Promise<MaintenanceWindow> {
  const { before, after } = change;
  const window = after ?? before;
  if (!window) throw new Error('a change is of a window');
  if (after) await writeTimeInForce(work, after);
  await applyWindow(work, change);
  const shown = showWindow(window);
  await recordActivity(work, {
    orgId: window.org_id,
    action,
    resource: { kind: 'maintenance_window', id: window.id, name: window.title },
    ...(before ? { before: showWindow(before) } : {}),
    ...(after ? { after: shown } : {}),
  });
  return shown;
}

async function writeTimeInForce({ tx }: Work, row: WindowRow): Promise<void> {
  const { fromMs, untilMs } = timeInForce(plannedTime(row));
  const nos = pgArray(row.monitors.map(({ no }) => no));
  await sql`
    WITH gone AS (
      DELETE FROM maintenance_monitors WHERE window_id = ${row.id} AND monitor_no <> ALL(${nos}::int[])
    )
    INSERT INTO maintenance_monitors (window_id, monitor_no, starts_at, ends_at)
    SELECT ${row.id}, no, ${new Date(fromMs)}, ${new Date(untilMs)} FROM unnest(${nos}::int[]) AS no
    ON CONFLICT (monitor_no, window_id) DO UPDATE SET starts_at = excluded.starts_at, ends_at = excluded.ends_at`.execute(
    tx,
  );
}
