// When a maintenance window is in force (docs/rules/confirmation.md#maintenance). Pure; every instant is in milliseconds.
// Windows are half-open: [start, end).
import type { MaintenanceState } from './names.ts';

export type Span = { fromMs: number; untilMs: number };

/** A window as it was planned, and when it was cancelled, if it was. */
export type PlannedTime = { startMs: number; endMs: number; cancelledMs: number | null };

/** The longest window there is: a year. */
export const MAX_SECONDS = 366 * 86_400;

/** The part of the planned time that is in force: cut at the cancellation; empty if that was before the beginning. */
export function timeInForce({ startMs, endMs, cancelledMs }: PlannedTime): Span {
  const untilMs = cancelledMs === null ? endMs : Math.min(endMs, Math.max(startMs, cancelledMs));
  return { fromMs: startMs, untilMs };
}

/** The state of a window at `nowMs`, by which lists are filtered. */
export function maintenanceState(planned: PlannedTime, nowMs: number): MaintenanceState {
  if (planned.cancelledMs !== null) return 'cancelled';
  if (nowMs < planned.startMs) return 'upcoming';
  return nowMs < planned.endMs ? 'active' : 'past';
}

/** The next change of a window: its beginning, then its end; null when it is over. */
export function nextTurnMs(planned: PlannedTime, nowMs: number): number | null {
  const state = maintenanceState(planned, nowMs);
  if (state === 'upcoming') return planned.startMs;
  return state === 'active' ? planned.endMs : null;
}

export const isIn = ({ fromMs, untilMs }: Span, ms: number): boolean => ms >= fromMs && ms < untilMs;

/** The first instant from `ms` on that lies in none of the spans. */
export function firstOutside(spans: readonly Span[], ms: number): number {
  const inside = spans.find((span) => isIn(span, ms));
  return inside === undefined ? ms : firstOutside(spans, inside.untilMs);
}

/** The parts that are in exactly one of two spans, by time; null is an empty span. */
export function changedTime(before: Span | null, after: Span | null): Span[] {
  const [a, b] = [before, after].map((span) => (span && span.fromMs < span.untilMs ? span : null));
  if (!a || !b) return [a, b].filter((span) => span != null);
  if (a.untilMs <= b.fromMs || b.untilMs <= a.fromMs) return [a, b].sort((x, y) => x.fromMs - y.fromMs);
  return [
    { fromMs: Math.min(a.fromMs, b.fromMs), untilMs: Math.max(a.fromMs, b.fromMs) },
    { fromMs: Math.min(a.untilMs, b.untilMs), untilMs: Math.max(a.untilMs, b.untilMs) },
  ].filter(({ fromMs, untilMs }) => fromMs < untilMs);
}
