// Writing several windows of a repetition: one and those that follow it, or all. Locks: the series, its windows by id, the
// states of their monitors by number, then everything else.
import { sql } from 'kysely';
import type { MaintenanceScope } from '../domain/names.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { lockMonitors } from './apply-change.ts';
import { monitorsOfEach } from './by-tag.ts';
import type { MaintenanceWindow } from './contract.ts';
import { type Chosen, type Each, layOut, rewrite } from './lay-out.ts';
import { beforePlace } from './places.ts';
import { validateWindowCount } from './repeat.ts';
import { refuseWithoutRoom } from './room.ts';
import { readWindows, showWindow, type WindowMonitor, type WindowRow, windowOf } from './row.ts';
import { endSeries, lockSeries, ruleOf, type SeriesRow, setMonitors } from './series.ts';
import { refuseOutsideKey } from './validate.ts';
import {
  cancelled,
  cancelWindow,
  deleteWindow,
  log,
  merged,
  removed,
  type Update,
  union,
  updateWindow,
} from './write.ts';

export type Place = {
  orgId: string;
  windowId: string;
  within: ResourceFilter;
  scope: MaintenanceScope | undefined;
};

/** Locks what the scope names; null where it is the one window. `which` narrows the windows `w`. */
async function choose(
  work: Work,
  { orgId, windowId, within, scope }: Place,
  which: ReturnType<typeof sql>,
): Promise<Chosen | null> {
  if (scope === undefined || scope === 'this') return null;
  const asked = await windowOf(work.tx, orgId, windowId);
  const series = asked.series_id === null ? null : await lockSeries(work, asked.series_id);
  if (!series) return null;
  const from = scope === 'all' ? sql`true` : sql`w.occurs_at >= ${asked.occurs_at}`;
  const mine = sql`w.series_id = ${series.id} AND (w.id = ${windowId} OR (${from} AND ${which}))`;
  await sql`SELECT FROM maintenance_windows w WHERE ${mine} ORDER BY w.id FOR UPDATE`.execute(work.tx);
  const windows = await readWindows(work.tx, mine, sql`ORDER BY w.occurs_at, w.id`);
  for (const window of windows) refuseOutsideKey(within, window);
  const pivot = windows.find(({ id }) => id === windowId);
  return pivot ? { series, pivot, windows, scope } : null;
}

const monitorsOf = (windows: readonly WindowRow[], more: readonly WindowMonitor[] = []) =>
  windows.reduce((all, { monitors }) => union(all, monitors), [...more]);

const isAhead = (now: Date) => sql`w.cancelled_at IS NULL AND w.scheduled_end > ${now}`;

/** Without the window that was asked for, where it is over: a change from there on leaves it as it was. */
const aheadOf = ({ windows }: Chosen, now: Date) =>
  windows.filter(({ cancelled_at, scheduled_end }) => cancelled_at === null && scheduled_end > now);

/** Whose change is logged: of the one that was asked for, unless that stays as it was. */
const loggedOf = (pivot: WindowRow, changed: readonly WindowRow[]) =>
  changed.includes(pivot) ? pivot : (changed[0] ?? pivot);

/** Cancels windows that are not over; none is made any more. */
export async function cancelInScope(work: Work, place: Place): Promise<MaintenanceWindow> {
  const chosen = await choose(work, place, isAhead(work.now));
  if (!chosen) return cancelWindow(work, place.orgId, place.windowId, place.within);
  const { series, pivot, scope } = chosen;
  const windows = aheadOf(chosen, work.now);
  await lockMonitors(work, monitorsOf(windows));
  await endSeries(work, series, scope === 'all' ? work.now.getTime() : beforePlace(pivot));
  for (const window of windows) await cancelled(work, window);
  const logged = loggedOf(pivot, windows);
  const after = await windowOf(work.tx, place.orgId, logged.id);
  const shown = await log(work, { before: logged, after }, 'maintenance.cancel', scope);
  return logged === pivot ? shown : showWindow(await windowOf(work.tx, place.orgId, pivot.id));
}

/** Deletes windows as if they had never existed, those that are over included; none is made any more. */
export async function deleteInScope(work: Work, place: Place): Promise<void> {
  const chosen = await choose(work, place, sql`true`);
  if (!chosen) return deleteWindow(work, place.orgId, place.windowId, place.within);
  const { series, pivot, windows, scope } = chosen;
  await lockMonitors(work, monitorsOf(windows));
  await endSeries(work, series, beforePlace(pivot));
  for (const window of windows) await removed(work, window);
  if (scope === 'all') await work.tx.deleteFrom('maintenance_series').where('id', '=', series.id).execute();
  await log(work, { before: pivot, after: null }, 'maintenance.delete', scope);
}

/**
 * Changes windows that are not over: what a window is, of each of them; when it is, by laying the repetition out anew from the
 * first that has not begun. The windows keep their ids, in order.
 */
export async function updateInScope(work: Work, place: Place, body: Update): Promise<MaintenanceWindow> {
  const chosen = await choose(work, place, isAhead(work.now));
  if (!chosen) return updateWindow(work, place.orgId, place.windowId, body, place.within);
  const { series, pivot, scope } = chosen;
  const windows = aheadOf(chosen, work.now);
  const { start, end, repeat, named, row } = await merged(work, pivot, body, place.within);
  if (pivot.cancelled_at !== null)
    refuse('window_cancelled', 'This maintenance window is cancelled; plan a new one instead.');
  const template = body.monitors == null ? null : named;
  const tags = body.tags == null ? null : row.tags;
  const given =
    template === null && tags === null
      ? null
      : await monitorsOfEach(work.tx, series.org_id, windows, { named: template, tags });
  const wantedMonitors = [...new Set(given?.values())].reduce(union, named);
  const existing = new Set(
    (await lockMonitors(work, monitorsOf(windows, wantedMonitors))).map(({ no }) => no),
  );
  const fields = {
    ...(body.title == null ? {} : { title: row.title }),
    ...(body.body == null ? {} : { body: row.body }),
    ...(body.public_visible == null ? {} : { public_visible: row.public_visible }),
    ...(body.tags == null ? {} : { tags: row.tags }),
  };
  const wanted = { startMs: start * 1000, endMs: end * 1000 };
  const isMoved =
    repeat !== null ||
    wanted.startMs !== pivot.scheduled_start.getTime() ||
    wanted.endMs !== pivot.scheduled_end.getTime();
  const each: Each = {
    fields,
    monitorsOf: ({ id, monitors }) => (given?.get(id) ?? monitors).filter(({ no }) => existing.has(no)),
    named: template,
  };
  let seriesId = series.id;
  if (isMoved) {
    seriesId = await layOut(work, chosen, wanted, repeat, each);
    // Those in progress keep their times only.
    const begun = windows.filter(({ scheduled_start }) => scheduled_start <= work.now);
    const isDescribed = given !== null || Object.keys(fields).length > 0;
    if (isDescribed) for (const window of begun) await rewrite(work, window, each, null);
  } else {
    await refuseMoreMonitors(work, series, windows, each);
    for (const window of windows) await rewrite(work, window, each, null);
    await describe(work, series.id, fields, template);
  }
  const logged = loggedOf(pivot, windows);
  const after =
    (await readWindows(work.tx, sql`w.id = ${logged.id}`))[0] ?? (await firstAhead(work, seriesId)) ?? pivot;
  const shown = await log(work, { before: logged, after }, 'maintenance.update', scope);
  return logged === pivot ? shown : showWindow(await windowOf(work.tx, place.orgId, pivot.id));
}

/** Refuses more monitors than the repetition could be planned with. Fewer are taken, however many tags have brought meanwhile. */
async function refuseMoreMonitors(
  work: Work,
  series: SeriesRow,
  windows: readonly WindowRow[],
  { monitorsOf: monitorsAfter }: Each,
): Promise<void> {
  const mostOf = (of: (window: WindowRow) => readonly WindowMonitor[]) =>
    windows.reduce((most, window) => Math.max(most, of(window).length), 0);
  const monitors = mostOf(monitorsAfter);
  if (monitors <= mostOf((window) => window.monitors)) return;
  const count = validateWindowCount(ruleOf(series), monitors, work.now);
  await refuseWithoutRoom(work, { orgId: series.org_id, windows: count, monitors, instead: series.id });
}

/** The template for future windows. */
async function describe(
  work: Work,
  seriesId: string,
  fields: Each['fields'],
  monitors: readonly WindowMonitor[] | null,
): Promise<void> {
  if (Object.keys(fields).length > 0)
    await work.tx.updateTable('maintenance_series').set(fields).where('id', '=', seriesId).execute();
  if (monitors) await setMonitors(work.tx, seriesId, monitors);
}

/** The pivot is gone where the new rule has fewer windows: the first of those that took their place. */
async function firstAhead(work: Work, seriesId: string): Promise<WindowRow | undefined> {
  const [first] = await readWindows(
    work.tx,
    sql`w.series_id = ${seriesId} AND ${isAhead(work.now)}`,
    sql`ORDER BY w.scheduled_start LIMIT 1`,
  );
  return first;
}
