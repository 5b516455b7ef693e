// The routes of monitors.

import { createRoute } from '@tanstack/react-router';
import type { MonitorType } from '#src/domain/names.ts';
import { page } from '../page-code.ts';
import { readAllSearch, readListSearch } from '../pages/monitors/all/search.ts';
import { readChartSearch } from '../pages/monitors/detail/chart/span.ts';
import { isMonitorType } from '../pages/monitors/monitor-types.ts';
import { managementRoute, organization, text } from './parents.ts';
import { onlyFrom } from './search.ts';

const monitors = createRoute({
  getParentRoute: () => organization,
  path: '/monitors',
  validateSearch: onlyFrom(readListSearch),
  component: page(() => import('../pages/monitors/MonitorsPage.tsx')),
});

const allMonitors = createRoute({
  getParentRoute: () => organization,
  path: '/monitors/all',
  validateSearch: onlyFrom(readAllSearch),
  component: page(() => import('../pages/monitors/all/AllMonitorsPage.tsx')),
});

const newMonitor = createRoute({
  getParentRoute: () => managementRoute,
  path: '/monitors/new',
  validateSearch: onlyFrom((search: Record<string, unknown>): { type?: MonitorType } => {
    const type = text(search.type);
    return type !== undefined && isMonitorType(type) ? { type } : {};
  }),
  component: page(() => import('../pages/monitors/NewMonitorPage.tsx')),
});

const importMonitors = createRoute({
  getParentRoute: () => managementRoute,
  path: '/monitors/import',
  component: page(() => import('../pages/monitors/import/ImportPage.tsx')),
});

const monitor = createRoute({
  getParentRoute: () => organization,
  path: '/monitors/$monitorId',
  validateSearch: onlyFrom(readChartSearch),
  component: page(() => import('../pages/monitors/MonitorPage.tsx')),
});

const editMonitor = createRoute({
  getParentRoute: () => managementRoute,
  path: '/monitors/$monitorId/edit',
  validateSearch: onlyFrom((search: Record<string, unknown>): { type?: MonitorType } => {
    const type = text(search.type);
    return type !== undefined && isMonitorType(type) ? { type } : {};
  }),
  component: page(() => import('../pages/monitors/EditMonitorPage.tsx')),
});

export const monitorRoutes = [monitors, allMonitors, monitor];
/** For people who manage the project. */
export const managedMonitorRoutes = [newMonitor, importMonitors, editMonitor];
