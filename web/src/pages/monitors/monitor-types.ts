import { MONITOR_TYPES, type MonitorType, REGIONLESS_MONITOR_TYPES } from '../../../../src/domain/names.ts';

/** Whether nothing of the type is checked from a region (decisions, section 4). */
export const isRegionless = (type: string): boolean =>
  (REGIONLESS_MONITOR_TYPES as readonly string[]).includes(type);

export const isMonitorType = (type: string): type is MonitorType =>
  (MONITOR_TYPES as readonly string[]).includes(type);
