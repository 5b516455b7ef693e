import { hook } from '../platform/hook.ts';
import type { WindowRow } from './row.ts';

/** Time that entered or left maintenance. */
export type ChangedTime = { monitorNos: readonly number[]; since: Date; until: Date };

/** Numbers of monitors. Their states are locked. */
export type MaintenanceChange = {
  /** Past time whose figures must be computed again. */
  changed: readonly ChangedTime[];
  /** Maintenance begins: their alarms pause. */
  begun: readonly number[];
  /** Maintenance is over, or may be: suppressed incidents open, and alarms resume. */
  released: readonly number[];
};

/** A maintenance window was written, began or ended. */
export const maintenanceChanged = hook<MaintenanceChange>();

/** One window before and after; null: it did not exist yet, or is deleted. `events`: its start or end took effect. */
export type WindowChange = {
  before: WindowRow | null;
  after: WindowRow | null;
  events: readonly ('maintenance_started' | 'maintenance_ended')[];
};

/** The same change as `maintenanceChanged`, by window: for code that notifies people. */
export const windowChanged = hook<WindowChange>();
