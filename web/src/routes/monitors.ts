// The routes of monitors.

import { createRoute } from '@tanstack/react-router';
import type { MonitorType } from '#src/domain/names.ts';
import { page } from '../page-code.ts';
import { readAllSearch, readListSearch } from '../pages/monitors/all/search.ts';
import { readChartSearch } from '../pages/monitors/detail/chart/span.ts';
import { isMonitorType } from '../pages/monitors/monitor-types.ts';
import { managing, organization, text } from './parents.ts';
import { exactly } from './search.ts';

const monitors = createRoute({
  getParentRoute: () => organization,
  path: '/monitors',
  validateSearch: exactly(readListSearch),
  component: page(() => import('../pages/monitors/MonitorsPage.tsx')),
});

const allMonitors = createRoute({
  getParentRoute: () => organization,
  path: '/monitors/all',
  validateSearch: exactly(readAllSearch),
  component: page(() => import('../pages/monitors/all/AllMonitorsPage.tsx')),
});

const newMonitor = createRoute({
  getParentRoute: () => managing,
  path: '/monitors/new',
  validateSearch: exactly((search: Record<string, unknown>): { type?: MonitorType } => {
    const type = text(search.type);
    return type !== undefined && isMonitorType(type) ? { type } : {};
  }),
  component: page(() => import('../pages/monitors/NewMonitorPage.tsx')),
});

const importMonitors = createRoute({
  getParentRoute: () => managing,
  path: '/monitors/import',
  component: page(() => import('../pages/monitors/import/ImportPage.tsx')),
});

const monitor = createRoute({
  getParentRoute: () => organization,
  path: '/monitors/$monitorId',
  validateSearch: exactly(readChartSearch),
  component: page(() => import('../pages/monitors/MonitorPage.tsx')),
});

const editMonitor = createRoute({
  getParentRoute: () => managing,
  path: '/monitors/$monitorId/edit',
  validateSearch: exactly((search: Record<string, unknown>): { type?: MonitorType } => {
    const type = text(search.type);
    return type !== undefined && isMonitorType(type) ? { type } : {};
  }),
  component: page(() => import('../pages/monitors/EditMonitorPage.tsx')),
});

export const monitorRoutes = [monitors, allMonitors, monitor];
/** For people who manage the project. */
export const managedMonitorRoutes = [newMonitor, importMonitors, editMonitor];
