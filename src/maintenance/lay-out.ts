// Lays out the windows of a repetition that have not begun by another rule or other times. The series, its windows and the
// states of their monitors are locked.
import { sql } from 'kysely';
import {
  besideEnd,
  localAt,
  movedLikewise,
  occurrencesOf,
  type Series,
  withOwnEnd,
} from '../domain/recurrence.ts';
import type { Span } from '../domain/spans.ts';
import { LAST_SECOND } from '../platform/contract.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { applyChange } from './apply-change.ts';
import { withTagged } from './by-tag.ts';
import type { Repeat } from './contract.ts';
import {
  beforePlace,
  lastTargetMs,
  type Places,
  placeMs,
  placesOf,
  spansByPlace,
  targetMs,
  targetsOf,
} from './places.ts';
import { AHEAD_MS, validateRepeat } from './repeat.ts';
import { refuseWithoutRoom } from './room.ts';
import type { WindowMonitor, WindowRow } from './row.ts';
import {
  columnsOf,
  endSeries,
  insertSeries,
  makeAnew,
  namedBy,
  ruleOf,
  type SeriesRow,
  setMonitors,
} from './series.ts';
import { removed } from './write.ts';

/** The windows that a change with a scope covers, locked. */
export type Chosen = {
  series: SeriesRow;
  pivot: WindowRow;
  windows: WindowRow[];
  scope: 'following' | 'all';
};

/** The change of each window, and the monitors that it has from then on. */
export type Each = {
  fields: Partial<Pick<WindowRow, 'title' | 'body' | 'public_visible' | 'tags'>>;
  monitorsOf: (window: WindowRow) => readonly WindowMonitor[];
  /** Whom those name that are still to be made; null: as before. */
  named: readonly WindowMonitor[] | null;
};

type Named = readonly WindowMonitor[];
type Times = { startMs: number; endMs: number };

/** Plans the windows anew, and ends the old rule before them. Answers their series. */
export async function layOut(
  work: Work,
  given: Chosen,
  wanted: Times,
  repeat: Repeat | null,
  each: Each,
): Promise<string> {
  // An end inside the rule would stay where it is when the rule moves.
  const chosen = { ...given, series: { ...given.series, ...ownEndOf(given.series) } };
  const { series, pivot, windows } = chosen;
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
  const zone = repeat?.timezone ?? series.timezone;
  const places = placesFor(chosen, ahead, wanted, repeat);
  const startMs = startOf(chosen, lead, wanted, places, zone);
  if (startMs <= nowMs)
    refuse(
      'invalid_request',
      'scheduled_start must be in the future when the times of several windows change.',
      {
        field: 'scheduled_start',
      },
    );
  const endMs = movedLikewise(wanted.endMs, wanted.startMs, startMs, zone);
  // Not those of the pivot: they may be its own.
  const named = each.named ?? (await namedBy(work.tx, series.id));
  const tags = each.fields.tags ?? series.tags;
  const monitors = (await withTagged(work.tx, series.org_id, named, tags)).length;
  const old = ruleOf(series);
  const rest = remainingRepeat(old, beforePlace(lead));
  const {
    series: next,
    first,
    count,
  } = validateRepeat(repeat ?? movedRepeat(old, rest, places), {
    start: startMs / 1000,
    end: endMs / 1000,
    monitors,
    now: work.now,
  });
  await refuseWithoutRoom(work, { orgId: series.org_id, windows: count, monitors, instead: series.id });
  const row = await replaceRule(work, { series, lead, each, named }, next, first);
  const madeLikewiseMs = movedLikewise(series.made_until.getTime(), placeMs(lead), first.fromMs, zone);
  const horizonMs = Math.max(first.fromMs, nowMs + AHEAD_MS, madeLikewiseMs, lastTargetMs(places, zone));
  const spans = occurrencesOf(next, first.fromMs, horizonMs);
  const { byPlace, fresh } = spansByPlace(places, zone, spans);
  for (const window of ahead) {
    const span = byPlace.get(placeMs(window));
    if (span) await rewrite(work, window, each, { seriesId: row.id, span });
    else await removed(work, window);
  }
  // As far as the last place, too: a job would make a window there anew, also where it was called off.
  const lastMs = places.move
    ? lastTargetMs(places, zone)
    : (spans[places.all.length - 1]?.fromMs ?? horizonMs);
  await makeAnew(work, row, fresh, Math.max(first.fromMs, nowMs + AHEAD_MS, lastMs));
  return row.id;
}

const ownEndOf = (series: SeriesRow) => {
  const { repeat, first } = ruleOf(series);
  return columnsOf({ repeat: withOwnEnd(repeat), first });
};

/** Refuses a move that the rule cannot follow. */
function placesFor(
  { series, pivot, scope }: Chosen,
  ahead: readonly WindowRow[],
  wanted: Times,
  repeat: Repeat | null,
): Places {
  const zone = repeat?.timezone ?? series.timezone;
  const [now, to] = [
    localAt(pivot.scheduled_start.getTime(), series.timezone),
    localAt(wanted.startMs, zone),
  ];
  const from = localAt(placeMs(pivot), series.timezone);
  // The window that was moved alone leads the following ones where it is sent; in any other case it moves back among them.
  const isLed = scope === 'following' && wanted.startMs !== pivot.scheduled_start.getTime();
  const places = placesOf(series, ahead, repeat, [from, isLed ? to : from.add(now.until(to))]);
  return (
    places ??
    refuse(
      'invalid_request',
      `The rule ${series.rrule} names days or hours that this new time leaves: send repeat too, with the rule for the new time.`,
      { field: 'repeat', reason: 'rule_stays' },
    )
  );
}

/** Where the new rule begins: at the first place that has a time there, or where the first window moves. */
function startOf(
  { pivot, scope }: Chosen,
  lead: WindowRow,
  wanted: Times,
  places: Places,
  zone: string,
): number {
  const pivotMs = pivot.scheduled_start.getTime();
  const leadMs = scope === 'following' ? pivotMs : placeMs(lead);
  const target = targetsOf(places, zone).find((each) => each !== null);
  return target ?? movedLikewise(leadMs, pivotMs, wanted.startMs, zone);
}

/** What is left of a rule whose occurrences move. Its end goes along where it would cut a window off, or let one in. */
function movedRepeat(old: Series, rest: Repeat, { move }: Places): Repeat {
  if (!move) return rest;
  const rrule = move.rule.rrule.replace(COUNT, COUNT.exec(rest.rrule)?.[0] ?? '');
  const { untilMs } = old.repeat;
  if (untilMs === null) return { ...rest, rrule };
  const beside = besideEnd(old, untilMs);
  const targetOf = (ms: number | null | undefined) => (ms ? targetMs(move, ms, rest.timezone) : null);
  const last = targetOf(beside?.last) ?? 0;
  const next = targetOf(beside?.next) ?? Number.POSITIVE_INFINITY;
  if (beside && last <= untilMs && untilMs < next) return { ...rest, rrule };
  const end = move.rule.movedEnd(localAt(untilMs, move.timezone));
  const endMs = end.toZonedDateTime(rest.timezone).epochMilliseconds;
  return { ...rest, rrule, until_unix: Math.min(LAST_SECOND, Math.max(endMs, last) / 1000) };
}

const COUNT = /COUNT=\d+/;

/** The rest of a rule after `lastMs`; a COUNT is reduced by the windows before. */
export function remainingRepeat({ repeat, first }: Series, lastMs: number): Repeat {
  const done = lastMs < first.fromMs ? 0 : occurrencesOf({ repeat, first }, first.fromMs, lastMs).length;
  return {
    rrule: repeat.rrule.replace(/COUNT=(\d+)/, (_, count) => `COUNT=${Math.max(1, Number(count) - done)}`),
    timezone: repeat.timezone,
    until_unix: repeat.untilMs === null ? null : repeat.untilMs / 1000,
  };
}

/**
 * The row of the new rule: the same where no earlier window has the old one, else a row of its own. It keeps what windows are made as
 * from the old row: the window that was asked for may have been changed alone.
 */
async function replaceRule(
  work: Work,
  { series, lead, each, named }: Pick<Chosen, 'series'> & { lead: WindowRow; each: Each; named: Named },
  next: Series,
  first: Span,
): Promise<SeriesRow> {
  const { rows: earlier } = await sql`
    SELECT FROM maintenance_windows WHERE series_id = ${series.id} AND occurs_at < ${lead.occurs_at} LIMIT 1`.execute(
    work.tx,
  );
  const change = { ...each.fields, ...columnsOf(next) };
  const row = { ...series, ...change, made_until: new Date(first.fromMs) };
  if (earlier.length === 0) {
    await work.tx.updateTable('maintenance_series').set(change).where('id', '=', series.id).execute();
    await setMonitors(work.tx, series.id, named);
    return row;
  }
  await endSeries(work, series, beforePlace(lead));
  return { ...row, id: await insertSeries(work, next, row, named, first.fromMs), next_at: null };
}

/** Writes the change of one window, and where it goes. */
export async function rewrite(
  work: Work,
  window: WindowRow,
  { fields, monitorsOf }: Each,
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
  const after = { ...window, ...row, monitors: [...monitorsOf(window)] };
  await applyChange(work, { before: window, after });
}
