// The routes of hosts.
import { createRoute } from '@tanstack/react-router';
import { page } from '../page-code.ts';
import { organization } from './parents.ts';

const hosts = createRoute({
  getParentRoute: () => organization,
  path: '/hosts',
  component: page(() => import('../pages/hosts/HostsPage.tsx')),
});

const host = createRoute({
  getParentRoute: () => organization,
  path: '/hosts/$agentId',
  component: page(() => import('../pages/hosts/HostPage.tsx')),
});

export const hostRoutes = [hosts, host] as const;
