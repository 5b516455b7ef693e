// When a maintenance window is in force (docs/rules/confirmation.md#maintenance). Pure; every instant is in milliseconds.
// Windows are half-open: [start, end).
import type { MaintenanceState } from './names.ts';

export type Span = { fromMs: number; untilMs: number };

/** A window as it was planned, and when it was cancelled, if it was. */
export type PlannedTime = { startMs: number; endMs: number; cancelledMs: number | null };

/** The longest window there is: a year. */
export const MOST_SECONDS = 366 * 86_400;

/** What of the planned time is in force: cut at the cancellation; empty where that was before the beginning. */
export function timeInForce({ startMs, endMs, cancelledMs }: PlannedTime): Span {
  const untilMs = cancelledMs === null ? endMs : Math.min(endMs, Math.max(startMs, cancelledMs));
  return { fromMs: startMs, untilMs };
}

/** What a window is at `nowMs`, as lists are asked for it. */
export function maintenanceState(planned: PlannedTime, nowMs: number): MaintenanceState {
  if (planned.cancelledMs !== null) return 'cancelled';
  if (nowMs < planned.startMs) return 'upcoming';
  return nowMs < planned.endMs ? 'active' : 'past';
}

/** When a window that is not over turns next: its beginning, then its end; null when nothing comes any more. */
export function nextTurnMs(planned: PlannedTime, nowMs: number): number | null {
  const state = maintenanceState(planned, nowMs);
  if (state === 'upcoming') return planned.startMs;
  return state === 'active' ? planned.endMs : null;
}

export const isIn = ({ fromMs, untilMs }: Span, ms: number): boolean => ms >= fromMs && ms < untilMs;

/** What is in exactly one of two spans, by time; null is nothing. */
export function changedTime(before: Span | null, after: Span | null): Span[] {
  const [a, b] = [before, after].map((span) => (span && span.fromMs < span.untilMs ? span : null));
  if (!a || !b) return [a, b].filter((span) => span != null);
  if (a.untilMs <= b.fromMs || b.untilMs <= a.fromMs) return [a, b].sort((x, y) => x.fromMs - y.fromMs);
  return [
    { fromMs: Math.min(a.fromMs, b.fromMs), untilMs: Math.max(a.fromMs, b.fromMs) },
    { fromMs: Math.min(a.untilMs, b.untilMs), untilMs: Math.max(a.untilMs, b.untilMs) },
  ].filter(({ fromMs, untilMs }) => fromMs < untilMs);
}
