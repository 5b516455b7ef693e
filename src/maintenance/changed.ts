import { hook } from '../platform/hook.ts';

/** Time that entered or left maintenance. */
export type Restated = { monitorNos: readonly number[]; since: Date; until: Date };

/** Numbers of monitors. Their states are locked. */
export type MaintenanceChange = {
  /** Past time whose figures must be computed again. */
  restated: readonly Restated[];
  /** Maintenance begins: their alarms pause. */
  begun: readonly number[];
  /** Maintenance is over, or may be: suppressed incidents open, and alarms resume. */
  released: readonly number[];
};

/** A maintenance window was written, began or ended. */
export const maintenanceChanged = hook<MaintenanceChange>();
