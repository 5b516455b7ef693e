import { type Route, show } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import * as contract from './contract.ts';
import { listActivity } from './list.ts';

export const activityRoutes: Route[] = [
  show(contract.listActivity, (call) =>
    paged(
      call,
      (page) => listActivity(call.db, call.resource.orgId, { ...call.query, ...page }, call.within),
      ({ id }) => id,
    ),
  ),
];
