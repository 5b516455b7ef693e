// The window of a series: one of the ranges, or two instants. What is asked for wrongly is refused.
import { DAY_MS } from '../domain/durations.ts';
import { DEFAULT_SERIES_RANGE, freeWindow, type SeriesWindow, seriesWindow } from '../domain/series.ts';
import { planLimits } from '../plans/plan.ts';
import { refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { BUCKETS_1H, BUCKETS_12H, CHECKS } from '../retention.ts';
import { FREE_RANGE, type SeriesQuery } from './contract.ts';

const DAY_SECONDS = DAY_MS / 1000;
/** The coarsest buckets are kept as long. */
const LONGEST_DAYS = BUCKETS_12H.keepDays;

/** Throws `invalid_request`, naming the parameter. Buckets finer than roll-ups only go as far back as single checks are shown. */
export async function windowOf(
  db: Database,
  orgId: string,
  { range, ...asked }: Pick<SeriesQuery, 'range' | 'from_unix' | 'to_unix'>,
  now: Date,
): Promise<SeriesWindow & { range: string }> {
  const nowUnix = unix(now);
  const span = freeSpan(asked, nowUnix);
  if (span === null) {
    const name = range ?? DEFAULT_SERIES_RANGE;
    return { range: name, ...seriesWindow(name, nowUnix) };
  }
  if (range !== undefined)
    refuse('invalid_request', 'range and from_unix exclude each other; leave one out.', { field: 'range' });
  const { rawCheckRetentionDays } = await planLimits(db, orgId);
  const kept = {
    checks: Math.min(rawCheckRetentionDays ?? CHECKS.keepDays, CHECKS.keepDays),
    hours: BUCKETS_1H.keepDays,
  };
  return { range: FREE_RANGE, ...freeWindow(span.fromUnix, span.toUnix, nowUnix, kept) };
}

/**
 * The two instants of a request, in Unix seconds; null where it has none. Throws `invalid_request`, naming the parameter, for
 * one of them alone, an end that is not later, more than 400 days, and time that has not begun.
 */
export function freeSpan(
  { from_unix: fromUnix, to_unix: toUnix }: Pick<SeriesQuery, 'from_unix' | 'to_unix'>,
  nowUnix: number,
): { fromUnix: number; toUnix: number } | null {
  if (fromUnix === undefined && toUnix === undefined) return null;
  if (fromUnix === undefined) return missing('from_unix', 'to_unix');
  if (toUnix === undefined) return missing('to_unix', 'from_unix');
  if (toUnix <= fromUnix)
    refuse('invalid_request', 'to_unix must be later than from_unix.', { field: 'to_unix' });
  if (toUnix - fromUnix > LONGEST_DAYS * DAY_SECONDS)
    refuse('invalid_request', `from_unix and to_unix are more than ${LONGEST_DAYS} days apart.`, {
      field: 'from_unix',
    });
  if (fromUnix >= nowUnix)
    refuse('invalid_request', 'from_unix names a time that has not begun yet.', { field: 'from_unix' });
  return { fromUnix, toUnix };
}

const missing = (field: string, other: string): never =>
  refuse('invalid_request', `${other} needs ${field} beside it.`, { field });
