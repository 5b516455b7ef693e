import type { MaintenanceState } from '#src/domain/names.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';

/** What a window is at `now` (Unix seconds); half-open, as the server has it. */
export function stateOf(window: MaintenanceWindow, now: number): MaintenanceState {
  if (window.cancelled) return 'cancelled';
  if (now < window.scheduled_start) return 'upcoming';
  return now < window.scheduled_end ? 'active' : 'past';
}
