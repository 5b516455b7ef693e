import type { MaintenanceState } from '#src/domain/names.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';

/** Windows in their order, of each repetition the first alone, with how many more of it there are. */
export function firstOfEach(
  windows: readonly MaintenanceWindow[],
): { window: MaintenanceWindow; others: number }[] {
  const groups = Map.groupBy(windows, ({ id, series_id }) => series_id ?? id);
  return [...groups.values()].flatMap(([window, ...others]) =>
    window === undefined ? [] : [{ window, others: others.length }],
  );
}

/** What a window is at `now` (Unix seconds); half-open, as the server has it. */
export function stateOf(window: MaintenanceWindow, now: number): MaintenanceState {
  if (window.cancelled) return 'cancelled';
  if (now < window.scheduled_start) return 'upcoming';
  return now < window.scheduled_end ? 'active' : 'past';
}
