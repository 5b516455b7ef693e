import type { MaintenanceState } from '#src/domain/names.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';

/** Windows in order; of a recurring one only the first, with the number of further occurrences. */
export function firstOfEach(
  windows: readonly MaintenanceWindow[],
): { window: MaintenanceWindow; others: number }[] {
  const groups = Map.groupBy(windows, ({ id, series_id }) => series_id ?? id);
  return [...groups.values()].flatMap(([window, ...others]) =>
    window === undefined ? [] : [{ window, others: others.length }],
  );
}

/** The state of a window at `now` (Unix seconds); half-open, as on the server. */
export function stateOf(window: MaintenanceWindow, now: number): MaintenanceState {
  if (window.cancelled) return 'cancelled';
  if (now < window.scheduled_start) return 'upcoming';
  return now < window.scheduled_end ? 'active' : 'past';
}

/** Who sees a window: a status page shows it beside its monitors, so one without any is on none. */
export function visibilityOf({
  public_visible,
  monitors,
  tags,
}: Pick<MaintenanceWindow, 'public_visible' | 'monitors' | 'tags'>): 'public' | 'internal' | 'nowhere' {
  if (!public_visible) return 'internal';
  return monitors.length === 0 && tags.length === 0 ? 'nowhere' : 'public';
}
