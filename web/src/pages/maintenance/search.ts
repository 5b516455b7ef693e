import { MAINTENANCE_STATES, type MaintenanceState } from '#src/domain/names.ts';
import { readMonth, writeMonth } from './calendar.ts';

/** The URL parameters of the page: a month (`2026-11`), and which windows are listed. */
export type MaintenanceSearch = { month?: string; state?: MaintenanceState };

export function readMaintenanceSearch(search: Record<string, unknown>): MaintenanceSearch {
  const month = readMonth(search.month);
  const state = MAINTENANCE_STATES.find((each) => each === search.state);
  return { ...(month && { month: writeMonth(month) }), ...(state && { state }) };
}
