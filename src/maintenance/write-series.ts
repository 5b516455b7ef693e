// Writing several windows of a repetition: one and those that follow it, or all. Locks: the series, its windows by id, the
// states of their monitors by number, then everything else.
import { sql } from 'kysely';
import type { MaintenanceScope } from '../domain/names.ts';
import { movedLikewise, occurrencesOf, type Series } from '../domain/recurrence.ts';
import type { Span } from '../domain/spans.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { refuseOutsideKey } from './admit.ts';
import { applyChange, lockMonitors } from './apply-change.ts';
import type { MaintenanceWindow, Repeat } from './contract.ts';
import { placeMs, placesOf } from './places.ts';
import { AHEAD_MS, admitRepeat } from './repeat.ts';
import { refuseWithoutRoom } from './room.ts';
import { readWindows, showWindow, type WindowMonitor, type WindowRow, windowOf } from './row.ts';
import {
  columnsOf,
  endSeries,
  extendSeries,
  insertSeries,
  lockSeries,
  ruleOf,
  type SeriesRow,
  setMonitors,
} from './series.ts';
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

/** The windows that a change with a scope covers, locked. */
type Chosen = { series: SeriesRow; pivot: WindowRow; windows: WindowRow[]; scope: 'following' | 'all' };

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

/** The last second before a window's place in its series. */
const before = (window: WindowRow) => placeMs(window) - 1000;

/** Cancels windows that are not over; none is made any more. */
export async function cancelInScope(work: Work, place: Place): Promise<MaintenanceWindow> {
  const chosen = await choose(work, place, isAhead(work.now));
  if (!chosen) return cancelWindow(work, place.orgId, place.windowId, place.within);
  const { series, pivot, scope } = chosen;
  const windows = aheadOf(chosen, work.now);
  await lockMonitors(work, monitorsOf(windows));
  await endSeries(work, series, scope === 'all' ? work.now.getTime() : before(pivot));
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
  await endSeries(work, series, before(pivot));
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
  const { start, end, repeat, monitors: named, row } = await merged(work, pivot, body, place.within);
  if (pivot.cancelled_at !== null)
    refuse('window_cancelled', 'This maintenance window is cancelled; plan a new one instead.');
  const monitors = await lockMonitors(work, monitorsOf(windows, named));
  const fields = {
    ...(body.title == null ? {} : { title: row.title }),
    ...(body.body == null ? {} : { body: row.body }),
    ...(body.public_visible == null ? {} : { public_visible: row.public_visible }),
    ...(body.tags == null ? {} : { tags: row.tags }),
  };
  const given =
    body.monitors == null && body.tags == null
      ? null
      : monitors.filter(({ no }) => named.some((each) => each.no === no));
  const wanted = { startMs: start * 1000, endMs: end * 1000 };
  const isMoved =
    repeat !== null ||
    wanted.startMs !== pivot.scheduled_start.getTime() ||
    wanted.endMs !== pivot.scheduled_end.getTime();
  const each: Each = { fields, monitors: given };
  let seriesId = series.id;
  if (isMoved) seriesId = await layOut(work, chosen, wanted, repeat, each);
  else {
    for (const window of windows) await rewrite(work, window, each, null);
    await describe(work, series.id, each);
  }
  const logged = loggedOf(pivot, windows);
  const after =
    (await readWindows(work.tx, sql`w.id = ${logged.id}`))[0] ?? (await firstAhead(work, seriesId)) ?? pivot;
  const shown = await log(work, { before: logged, after }, 'maintenance.update', scope);
  return logged === pivot ? shown : showWindow(await windowOf(work.tx, place.orgId, pivot.id));
}

/** The change of each window; null: the monitors stay. */
type Each = {
  fields: Partial<Pick<WindowRow, 'title' | 'body' | 'public_visible' | 'tags'>>;
  monitors: readonly WindowMonitor[] | null;
};

/** The template for future windows. */
async function describe(work: Work, seriesId: string, { fields, monitors }: Each): Promise<void> {
  if (Object.keys(fields).length > 0)
    await work.tx.updateTable('maintenance_series').set(fields).where('id', '=', seriesId).execute();
  if (monitors) await setMonitors(work.tx, seriesId, monitors);
}

async function rewrite(
  work: Work,
  window: WindowRow,
  { fields, monitors }: Each,
  moved: { seriesId: string; span: Span } | null,
): Promise<void> {
  const times = moved && {
    series_id: moved.seriesId,
    occurs_at: new Date(moved.span.fromMs),
    scheduled_start: new Date(moved.span.fromMs),
    scheduled_end: new Date(moved.span.untilMs),
  };
  const row = { ...fields, ...times };
  if (Object.keys(row).length > 0)
    await work.tx.updateTable('maintenance_windows').set(row).where('id', '=', window.id).execute();
  const after = { ...window, ...row, monitors: [...(monitors ?? window.monitors)] };
  await applyChange(work, { before: window, after });
}

/** Lays out the windows that have not begun by a new rule or other times, and ends the old rule before them. Answers their series. */
async function layOut(
  work: Work,
  { series, pivot, windows, scope }: Chosen,
  wanted: { startMs: number; endMs: number },
  repeat: Repeat | null,
  each: Each,
): Promise<string> {
  const nowMs = work.now.getTime();
  if (pivot.scheduled_start.getTime() <= nowMs)
    refuse(
      'invalid_request',
      'This window has begun: change its times alone, or those of the following ones from one that has not begun.',
      { field: 'scope' },
    );
  const ahead = windows.filter(
    ({ scheduled_start, cancelled_at }) => scheduled_start.getTime() > nowMs && cancelled_at === null,
  );
  const [lead = pivot] = ahead;
  const old = ruleOf(series);
  const zone = repeat?.timezone ?? series.timezone;
  const pivotMs = pivot.scheduled_start.getTime();
  const leadMs = scope === 'following' ? pivotMs : placeMs(lead);
  const startMs = movedLikewise(leadMs, pivotMs, wanted.startMs, zone);
  if (startMs <= nowMs)
    refuse(
      'invalid_request',
      'scheduled_start must be in the future when the times of several windows change.',
      {
        field: 'scheduled_start',
      },
    );
  const endMs = movedLikewise(wanted.endMs, wanted.startMs, startMs, zone);
  const monitors = (each.monitors ?? pivot.monitors).length;
  const {
    series: next,
    first,
    count,
  } = admitRepeat(repeat ?? remainingRepeat(old, before(lead)), {
    start: startMs / 1000,
    end: endMs / 1000,
    monitors,
    now: work.now,
  });
  await refuseWithoutRoom(work, { orgId: series.org_id, windows: count, monitors, instead: series.id });
  const row = await replaceRule(work, { series, lead, pivot, each }, next, first);
  const places = placesOf(series, ahead, repeat);
  // As far as windows were made, too: a job would make the last ones anew, also where one was called off.
  const madeLikewiseMs = movedLikewise(series.made_until.getTime(), placeMs(lead), first.fromMs, zone);
  const horizonMs = Math.max(first.fromMs, nowMs + AHEAD_MS, madeLikewiseMs);
  const spans = occurrencesOf(next, first.fromMs, horizonMs);
  for (const window of ahead) {
    const span = spans[places.indexOf(placeMs(window))];
    if (span) await rewrite(work, window, each, { seriesId: row.id, span });
    else await removed(work, window);
  }
  // What has no window yet is made like any that comes later.
  const madeMs = spans[places.length - 1]?.fromMs ?? horizonMs;
  await extendSeries(work, { ...row, made_until: new Date(madeMs) });
  return row.id;
}

/** The rest of a rule after `lastMs`; a COUNT is reduced by the windows before. */
export function remainingRepeat({ repeat, first }: Series, lastMs: number): Repeat {
  const done = lastMs < first.fromMs ? 0 : occurrencesOf({ repeat, first }, first.fromMs, lastMs).length;
  return {
    rrule: repeat.rrule.replace(/COUNT=(\d+)/, (_, count) => `COUNT=${Math.max(1, Number(count) - done)}`),
    timezone: repeat.timezone,
    until_unix: repeat.untilMs === null ? null : repeat.untilMs / 1000,
  };
}

/** The row of the new rule: the same where no earlier window has the old one, else a row of its own. */
async function replaceRule(
  work: Work,
  { series, lead, pivot, each }: { series: SeriesRow; lead: WindowRow; pivot: WindowRow; each: Each },
  next: Series,
  first: Span,
): Promise<SeriesRow> {
  const { rows: earlier } = await sql`
    SELECT FROM maintenance_windows WHERE series_id = ${series.id} AND occurs_at < ${lead.occurs_at} LIMIT 1`.execute(
    work.tx,
  );
  const { title, body, public_visible, tags } = pivot;
  const template = { org_id: series.org_id, title, body, public_visible, tags, ...each.fields };
  const monitors = each.monitors ?? pivot.monitors;
  const made = new Date(first.fromMs);
  if (earlier.length === 0) {
    const row = { ...series, ...template, ...columnsOf(next), made_until: made };
    await work.tx
      .updateTable('maintenance_series')
      .set({ ...template, ...columnsOf(next) })
      .where('id', '=', series.id)
      .execute();
    await setMonitors(work.tx, series.id, monitors);
    return row;
  }
  await endSeries(work, series, before(lead));
  const id = await insertSeries(work, next, template, monitors, first.fromMs);
  return { ...series, ...template, ...columnsOf(next), id, made_until: made, next_at: null };
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
