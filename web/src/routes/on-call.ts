// The routes of on-call and its fire drills.
import { createRoute } from '@tanstack/react-router';
import { page } from '../page-code.ts';
import { organization } from './parents.ts';

const onCall = createRoute({
  getParentRoute: () => organization,
  path: '/on-call',
  component: page(() => import('../pages/on-call/OnCallPage.tsx')),
});

const drills = createRoute({
  getParentRoute: () => organization,
  path: '/on-call/drills',
  component: page(() => import('../pages/on-call/drills/DrillsPage.tsx')),
});

const drill = createRoute({
  getParentRoute: () => organization,
  path: '/on-call/drills/$drillId',
  component: page(() => import('../pages/on-call/drills/DrillPage.tsx')),
});

export const onCallRoutes = [onCall, drills, drill] as const;
