// Writing one maintenance window. Locks: the window, then the states of its monitors by number, then everything else. Several
// windows of a repetition are written by write-series.
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { normalRule } from '../domain/recurrence.ts';
import { lockTags } from '../monitors/tags-changed.ts';
import type { BodyOf } from '../platform/contract.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { newId } from '../platform/ids.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { checkedTags } from '../platform/tags.ts';
import { unix } from '../platform/unix.ts';
import type { Work } from '../platform/work.ts';
import { applyChange, lockMonitors } from './apply-change.ts';
import { withNamed, withTagged } from './by-tag.ts';
import type { createMaintenance, MaintenanceWindow, Repeat, updateMaintenance } from './contract.ts';
import type { Change } from './effects.ts';
import { validateRepeat } from './repeat.ts';
import { refuseWithoutRoom } from './room.ts';
import { showWindow, type WindowMonitor, type WindowRow, windowOf } from './row.ts';
import { extendSeries, insertSeries, lockSeries } from './series.ts';
import { checkedTitle, checkTimes, monitorsNamed, refuseOutsideKey } from './validate.ts';

export type Update = BodyOf<typeof updateMaintenance>;

/** Plans a window. A window in the past changes figures, and notifies nobody. With `repeat` it is the first of its series. */
export async function createWindow(
  work: Work,
  orgId: string,
  body: BodyOf<typeof createMaintenance>,
  within: ResourceFilter,
): Promise<MaintenanceWindow> {
  const tags = checkedTags(body.tags ?? []);
  if (tags.length > 0) await lockTags(work.tx, orgId, 'exclusive');
  const alone = await monitorsNamed(work.tx, orgId, body.monitors ?? []);
  refuseOutsideKey(within, { monitors: alone, tags });
  const named = await withTagged(work.tx, orgId, alone, tags);
  const planned = { start: body.scheduled_start, end: body.scheduled_end };
  checkTimes(planned);
  const fields = {
    org_id: orgId,
    title: checkedTitle(body.title),
    body: body.body ?? '',
    public_visible: body.public_visible ?? true,
    tags,
  };
  const row = {
    id: newId('mwn'),
    ...fields,
    scheduled_start: new Date(planned.start * 1000),
    scheduled_end: new Date(planned.end * 1000),
    created_at: work.now,
    ...(await beginSeries(work, fields, named, planned, body.repeat ?? null)),
  };
  const monitors = await lockMonitors(work, named);
  await work.tx.insertInto('maintenance_windows').values(row).execute();
  const made = await windowOf(work.tx, orgId, row.id);
  const after = { ...made, monitors };
  await applyChange(work, { before: null, after });
  await goOn(work, row.series_id);
  return log(work, { before: null, after }, 'maintenance.create');
}

/**
 * Stores the series that a window with these times begins. Answers the columns of its first window; without a repetition those
 * of a window that stands alone.
 */
export async function beginSeries(
  work: Work,
  fields: Pick<WindowRow, 'org_id' | 'title' | 'body' | 'public_visible' | 'tags'>,
  monitors: readonly WindowMonitor[],
  planned: { start: number; end: number },
  repeat: Repeat | null,
) {
  if (repeat === null) return { series_id: null, occurs_at: null };
  const admitted = validateRepeat(repeat, { ...planned, monitors: monitors.length, now: work.now });
  const { series, first, count } = admitted;
  const wanted = { orgId: fields.org_id, windows: count, monitors: monitors.length, instead: null };
  await refuseWithoutRoom(work, wanted);
  const seriesId = await insertSeries(work, series, fields, monitors, first.fromMs);
  const start = new Date(first.fromMs);
  return {
    series_id: seriesId,
    occurs_at: start,
    scheduled_start: start,
    scheduled_end: new Date(first.untilMs),
  };
}

/** Makes the windows that follow the first of a new series. */
async function goOn(work: Work, seriesId: string | null): Promise<void> {
  const series = seriesId === null ? null : await lockSeries(work, seriesId);
  if (series) await extendSeries(work, series);
}

/**
 * The window after the changes of a body: omitted and null fields keep their value; `monitors` replaces those that are named, and `tags`
 * those that go by a tag. So a window can be sent back as it was read. `isAlone`: the change is of this window only.
 */
export async function merged(
  work: Work,
  before: WindowRow,
  body: Update,
  within: ResourceFilter,
  isAlone = false,
) {
  const tags = body.tags == null ? before.tags : checkedTags(body.tags);
  if (tags.length > 0) await lockTags(work.tx, before.org_id, 'exclusive');
  const named = await namedBy(work, before, body);
  refuseOutsideKey(within, { monitors: named, tags });
  const { id, cancelled, series_id } = body;
  refuseChangedReadOnly({ id, cancelled, series_id }, showWindow(before));
  const start = body.scheduled_start ?? unix(before.scheduled_start);
  const end = body.scheduled_end ?? unix(before.scheduled_end);
  checkTimes({ start, end });
  const hasSameTags = isDeepStrictEqual(tags, before.tags);
  // Today's tags say nothing about a window that is over.
  const isOver = isAlone && isSettled(work, before, end);
  const isStill = hasSameTags && (isOver || body.monitors == null);
  return {
    start,
    end,
    named,
    monitors: isStill
      ? withNamed(before.monitors, named)
      : await withTagged(work.tx, before.org_id, named, tags),
    /** null: as it is. */
    repeat: body.repeat == null || isSameRepeat(body.repeat, before.repeat) ? null : body.repeat,
    row: {
      title: body.title == null ? before.title : checkedTitle(body.title),
      body: body.body ?? before.body,
      public_visible: body.public_visible ?? before.public_visible,
      tags,
    },
  };
}

/** Whether nothing of the window is to come, neither as it is nor with the end (seconds) that it gets. */
const isSettled = ({ now }: Work, { cancelled_at, scheduled_end }: WindowRow, end: number): boolean =>
  cancelled_at !== null || Math.max(unix(scheduled_end), end) <= unix(now);

/** Whom the body names, or the window as it is: not those that are sent back as read, and were in by a tag alone. */
async function namedBy(work: Work, before: WindowRow, { monitors }: Update): Promise<WindowMonitor[]> {
  const tagged = new Set(before.monitors.filter(({ byTag }) => byTag).map(({ id }) => id));
  if (monitors == null) return before.monitors.filter(({ byTag }) => !byTag);
  const ids = monitors.flatMap((each) => {
    const { id, by_tag: byTag = tagged.has(id) } = typeof each === 'string' ? { id: each } : each;
    return byTag ? [] : [id];
  });
  return monitorsNamed(work.tx, before.org_id, ids);
}

function isSameRepeat(asked: Repeat, stored: Repeat | null): boolean {
  const of = ({ rrule, timezone, until_unix }: Repeat) => [normalRule(rrule), timezone, until_unix ?? null];
  return stored !== null && isDeepStrictEqual(of(asked), of(stored));
}

/** Changes one window. A cancelled one is refused. A `repeat` makes a window that stood alone the first of a series. */
export async function updateWindow(
  work: Work,
  orgId: string,
  windowId: string,
  body: Update,
  within: ResourceFilter,
): Promise<MaintenanceWindow> {
  const before = await lockWindow(work, orgId, windowId, within);
  const { start, end, monitors: named, repeat, row: fields } = await merged(work, before, body, within, true);
  if (repeat !== null && before.series_id !== null)
    refuse(
      'invalid_request',
      'repeat is of all windows of the repetition; change it with scope=following or scope=all.',
      { field: 'repeat' },
    );
  const times = { scheduled_start: new Date(start * 1000), scheduled_end: new Date(end * 1000) };
  if (before.cancelled_at !== null) {
    if (repeat === null && isSame(before, { ...fields, ...times, monitors: named }))
      return showWindow(before);
    refuse('window_cancelled', 'This maintenance window is cancelled; plan a new one instead.');
  }
  const begun =
    repeat && (await beginSeries(work, { ...fields, org_id: orgId }, named, { start, end }, repeat));
  const row = { ...fields, ...times, ...begun };
  const existing = await lockMonitors(work, union(before.monitors, named));
  const monitors = named.filter(({ no }) => existing.some((each) => each.no === no));
  await work.tx.updateTable('maintenance_windows').set(row).where('id', '=', windowId).execute();
  const after = { ...(await windowOf(work.tx, orgId, windowId)), monitors };
  await applyChange(work, { before, after });
  await goOn(work, begun?.series_id ?? null);
  return log(work, { before, after }, 'maintenance.update');
}

/** Cancels a window. Elapsed maintenance stays; the rest is lifted. Nothing changes for a window that is over. */
export async function cancelWindow(
  work: Work,
  orgId: string,
  windowId: string,
  within: ResourceFilter,
): Promise<MaintenanceWindow> {
  const before = await lockWindow(work, orgId, windowId, within);
  if (before.cancelled_at !== null) return showWindow(before);
  const monitors = await lockMonitors(work, before.monitors);
  const after = await cancelled(work, { ...before, monitors });
  return log(work, { before, after }, 'maintenance.cancel');
}

/** Cancels a locked window whose monitors are locked. */
export async function cancelled(work: Work, before: WindowRow): Promise<WindowRow> {
  await work.tx
    .updateTable('maintenance_windows')
    .set({ cancelled_at: work.now })
    .where('id', '=', before.id)
    .execute();
  const after = { ...before, cancelled_at: work.now };
  await applyChange(work, { before, after });
  return after;
}

/** Deletes a window as if it had never existed: its checks count again. */
export async function deleteWindow(
  work: Work,
  orgId: string,
  windowId: string,
  within: ResourceFilter,
): Promise<void> {
  const before = await lockWindow(work, orgId, windowId, within);
  await lockMonitors(work, before.monitors);
  await removed(work, before);
  await log(work, { before, after: null }, 'maintenance.delete');
}

/** Deletes a locked window whose monitors are locked. */
export async function removed(work: Work, before: WindowRow): Promise<void> {
  await work.tx.deleteFrom('maintenance_windows').where('id', '=', before.id).execute();
  await applyChange(work, { before, after: null });
}

type Changeable = Pick<
  WindowRow,
  'title' | 'body' | 'scheduled_start' | 'scheduled_end' | 'public_visible' | 'monitors' | 'tags'
>;

/** Clients may send back what they read, even for a cancelled window. */
function isSame(before: Changeable, after: Changeable): boolean {
  const of = ({ title, body, scheduled_start, scheduled_end, public_visible, monitors, tags }: Changeable) =>
    JSON.stringify([
      title,
      body,
      scheduled_start,
      scheduled_end,
      public_visible,
      tags,
      monitors.map(({ no }) => no).sort((a, b) => a - b),
    ]);
  return of(before) === of(after);
}

/** Refuses an unknown window (404), and one that the key does not cover (403). */
async function lockWindow(
  work: Work,
  orgId: string,
  windowId: string,
  within: ResourceFilter,
): Promise<WindowRow> {
  const { rows } = await sql`
    SELECT FROM maintenance_windows WHERE id = ${windowId} AND org_id = ${orgId} FOR UPDATE`.execute(work.tx);
  if (rows.length === 0) notFound('maintenance window');
  const row = await windowOf(work.tx, orgId, windowId);
  refuseOutsideKey(within, row);
  return row;
}

export function union(some: readonly WindowMonitor[], others: readonly WindowMonitor[]): WindowMonitor[] {
  const known = new Set(some.map(({ no }) => no));
  return [...some, ...others.filter(({ no }) => !known.has(no))];
}

/** Records a change in the activity log, and answers the window as it is now. `scope`: what it was of, unless of one. */
export async function log(
  work: Work,
  { before, after }: Change,
  action: string,
  scope?: string,
): Promise<MaintenanceWindow> {
  const window = after ?? before;
  if (!window) throw new Error('a change is of a window');
  const shown = showWindow(window);
  const of = scope === undefined ? {} : { scope };
  await recordActivity(work, {
    orgId: window.org_id,
    action,
    resource: { kind: 'maintenance_window', id: window.id, name: window.title },
    ...(before ? { before: { ...showWindow(before), ...of } } : {}),
    ...(after ? { after: { ...shown, ...of } } : {}),
  });
  return shown;
}
