// Validation of a repetition: its rule, its zone, and how many windows it makes.
import { isTimezone } from '../domain/cron.ts';
import { DAY_MS } from '../domain/durations.ts';
import { nextOccurrence, normalRule, occurrencesOf, ruleProblem, type Series } from '../domain/recurrence.ts';
import type { Span } from '../domain/spans.ts';
import { refuse } from '../platform/refusals.ts';
import type { Repeat } from './contract.ts';

/** Windows are made so long ahead. */
export const AHEAD_MS = 90 * DAY_MS;
/** Of one series within that time: four a day and some. */
const MAX_WINDOWS = 400;
/** Windows times monitors within that time: a change of all of them is one unit of work. */
const MAX_PAIRS = 20_000;
/** Windows that have begun already: the figures of each are calculated again. */
const MAX_PAST = 100;

export type Planned = { start: number; end: number; monitors: number; now: Date };

/** A rule that is taken, its first occurrence, and how many windows it makes in 90 days. */
export type ValidRepeat = { series: Series; first: Span; count: number };

/**
 * The series that a window planned for these times (Unix seconds) begins, and its first occurrence: the first match at or after
 * the start. Refuses a rule that is none, that never matches, or that makes too many windows.
 */
export function validateRepeat(asked: Repeat, planned: Planned): ValidRepeat {
  const rrule = normalRule(asked.rrule);
  const problem = ruleProblem(rrule);
  if (problem) refuse('invalid_request', `repeat.rrule ${problem}.`, { field: 'repeat.rrule' });
  if (!isTimezone(asked.timezone))
    refuse('invalid_request', 'repeat.timezone must be the name of an IANA time zone.', {
      field: 'repeat.timezone',
    });
  const untilMs = asked.until_unix == null ? null : asked.until_unix * 1000;
  const series: Series = {
    repeat: { rrule, timezone: asked.timezone, untilMs },
    first: { fromMs: planned.start * 1000, untilMs: planned.end * 1000 },
  };
  const first = firstOf(series);
  if (!first) {
    if (untilMs !== null && untilMs < series.first.fromMs)
      refuse('invalid_request', 'repeat.until_unix must not be before scheduled_start.', {
        field: 'repeat.until_unix',
      });
    return refuse('invalid_request', 'repeat.rrule matches no day at or after scheduled_start.', {
      field: 'repeat.rrule',
    });
  }
  return { series, first, count: countOf(series, first, planned) };
}

function firstOf(series: Series): Span | null {
  try {
    return nextOccurrence(series, series.first.fromMs);
  } catch {
    // The search was given up: nothing for years.
    return null;
  }
}

/** The windows of 90 days from the first on. Refuses too many. */
function countOf(series: Series, first: Span, { monitors, now }: Planned): number {
  const field = 'repeat.rrule';
  const count = countFrom(series, first.fromMs);
  if (count > MAX_WINDOWS)
    refuse('invalid_request', `repeat.rrule must make at most ${MAX_WINDOWS} windows in 90 days.`, { field });
  refuseTooMany(count, monitors, field);
  const past = occurrences(series, first.fromMs, now.getTime())?.length ?? Number.POSITIVE_INFINITY;
  if (past > MAX_PAST)
    refuse('invalid_request', `At most ${MAX_PAST} windows of a repetition may begin in the past.`, {
      field: 'scheduled_start',
    });
  return count;
}

/** Refuses so many monitors for each window of a series that goes on. Answers how many windows it makes in 90 days from now. */
export function validateWindowCount(series: Series, monitors: number, now: Date): number {
  const count = countFrom(series, now.getTime());
  refuseTooMany(count, monitors, 'monitors');
  return count;
}

const countFrom = (series: Series, fromMs: number): number =>
  occurrences(series, fromMs, fromMs + AHEAD_MS)?.length ?? Number.POSITIVE_INFINITY;

function refuseTooMany(windows: number, monitors: number, field: string): void {
  if (windows * monitors > MAX_PAIRS)
    refuse(
      'invalid_request',
      `repeat.rrule makes ${windows} windows of ${monitors} monitors in 90 days; at most ${MAX_PAIRS} together are possible. Name fewer monitors, or repeat it less often.`,
      { field },
    );
}

/** null: the search was given up, there are too many. */
function occurrences(series: Series, fromMs: number, untilMs: number): Span[] | null {
  try {
    return occurrencesOf(series, fromMs, untilMs);
  } catch {
    return null;
  }
}
