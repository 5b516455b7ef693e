import { announcement } from '../platform/announcement.ts';

/** Time that is now, or is no longer, inside of maintenance. */
export type Restated = { monitorNos: readonly number[]; since: Date; until: Date };

/** Monitors whose states are locked. */
export type MaintenanceChange = {
  /** What figures of the past have to be made anew of. */
  restated: readonly Restated[];
  /** Whose maintenance begins: alarms of theirs fall quiet. */
  begun: readonly number[];
  /** Whose maintenance is over, or may be: what was kept back by it is due, and alarms go on. */
  released: readonly number[];
};

/** Maintenance windows were written, or came to their end. */
export const maintenanceChanged = announcement<MaintenanceChange>();
