import { MONITOR_TYPES, type MonitorType, REGIONLESS_MONITOR_TYPES } from '#src/domain/names.ts';

/** Whether no region checks this type (docs/rules/confirmation.md#no-region). */
export const isRegionless = (type: string): boolean =>
  (REGIONLESS_MONITOR_TYPES as readonly string[]).includes(type);

export const isMonitorType = (type: string): type is MonitorType =>
  (MONITOR_TYPES as readonly string[]).includes(type);
