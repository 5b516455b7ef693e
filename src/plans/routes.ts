import { type Route, read } from '../platform/http/route.ts';
import { getOrganizationPlan } from './contract.ts';
import { planOf } from './plan.ts';
import { planUsage } from './usage.ts';

export const planRoutes: Route[] = [
  read(getOrganizationPlan, async ({ db, resource, now }) => ({
    ...(await planOf(db, resource.orgId)),
    used: await planUsage(db, resource.orgId, now),
  })),
];
