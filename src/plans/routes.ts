import { type Route, read } from '../platform/http/mount.ts';
import { getOrganizationPlan } from './contract.ts';
import { planOf } from './plan.ts';
import { planUsage } from './usage.ts';

export const planRoutes: Route[] = [
  read(getOrganizationPlan, async ({ db, subject, now }) => ({
    ...(await planOf(db, subject.orgId)),
    used: await planUsage(db, subject.orgId, now),
  })),
];
