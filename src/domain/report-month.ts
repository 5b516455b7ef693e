// When the report of a month is mailed (docs/rules/figures.md#reports-by-mail). Pure.
import { HOUR_MS } from './durations.ts';
import { hash32 } from './hash.ts';
import { periodSpan } from './report-period.ts';

/** Results that probes held back, and the roll-up, have this long. */
const NOT_BEFORE_MS = HOUR_MS;
/** Mails of all subscriptions spread over this long, so that no mail server gets them at once. */
const SPREAD_MS = 2 * HOUR_MS;

/** `2026-12` → `2027-01`. */
export const monthAfter = (month: string): string =>
  Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();

/** Between one and three hours into the next month on the clocks of the zone, at a moment that follows from the id. */
export function mailedAt(month: string, timezone: string, subscriptionId: string): Date {
  const { untilMs } = periodSpan(month, timezone);
  return new Date(untilMs + NOT_BEFORE_MS + (hash32(subscriptionId) % SPREAD_MS));
}
