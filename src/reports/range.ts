// The range of a report: a period in a time zone, or two times. Refuses an invalid query.
import { canonicalZone, isTimezone } from '../domain/cron.ts';
import { DAY_MS } from '../domain/durations.ts';
import { monthAt, periodProblem, periodSpan } from '../domain/report-period.ts';
import type { Span } from '../domain/spans.ts';
import { refuse } from '../platform/refusals.ts';
import { REPORTED_TIMES } from '../retention.ts';
import type { ReportQuery } from './contract.ts';

/** History is kept as long; a longer report would cover time without data. */
const LONGEST_DAYS = REPORTED_TIMES.keepDays;

export type ReportRange = {
  period: string | null;
  timezone: string;
  /** Ends now at the latest. */
  span: Span;
  isOver: boolean;
  /** The time from which history is kept; null if all of the range is. */
  keptSinceMs: number | null;
};

type RangeQuery = {
  [Name in 'period' | 'from_unix' | 'to_unix' | 'timezone']?: ReportQuery[Name] | undefined;
};

/** Throws `invalid_request`, naming the parameter. */
export function rangeOf(asked: RangeQuery, now: Date): ReportRange {
  const timezone = asked.timezone ?? 'UTC';
  if (!isTimezone(timezone))
    refuse('invalid_request', 'timezone must be the name of an IANA time zone, such as Europe/Berlin.', {
      field: 'timezone',
    });
  const period = asked.period ?? (isOpen(asked) ? monthAt(now.getTime(), timezone) : undefined);
  const { span, field } = spanOf({ ...asked, period }, timezone);
  if (span.untilMs - span.fromMs > LONGEST_DAYS * DAY_MS)
    refuse('invalid_request', `${field} names more than ${LONGEST_DAYS} days.`, { field });
  if (span.fromMs >= now.getTime())
    refuse('invalid_request', `${field} names a time that has not begun yet.`, { field });
  const keptSinceMs = now.getTime() - LONGEST_DAYS * DAY_MS;
  return {
    period: period ?? null,
    timezone: canonicalZone(timezone),
    span: { fromMs: span.fromMs, untilMs: Math.min(span.untilMs, now.getTime()) },
    isOver: span.untilMs <= now.getTime(),
    keptSinceMs: span.fromMs < keptSinceMs ? keptSinceMs : null,
  };
}

/** The default is the current month. */
const isOpen = ({ from_unix, to_unix }: RangeQuery) => from_unix === undefined && to_unix === undefined;

function spanOf({ period, from_unix, to_unix }: RangeQuery, timezone: string): { span: Span; field: string } {
  if (period !== undefined) {
    const beside = from_unix !== undefined ? 'from_unix' : to_unix !== undefined ? 'to_unix' : null;
    if (beside !== null)
      refuse('invalid_request', `${beside} and period exclude each other; leave one out.`, { field: beside });
    const problem = periodProblem(period);
    if (problem !== null) refuse('invalid_request', `period ${problem}.`, { field: 'period' });
    return { span: periodSpan(period, timezone), field: 'period' };
  }
  if (from_unix === undefined) return missing('from_unix');
  if (to_unix === undefined) return missing('to_unix');
  if (to_unix <= from_unix)
    refuse('invalid_request', 'to_unix must be later than from_unix.', { field: 'to_unix' });
  return { span: { fromMs: from_unix * 1000, untilMs: to_unix * 1000 }, field: 'from_unix' };
}

const missing = (field: string): never =>
  refuse('invalid_request', `${field} is required where there is no period.`, { field });
