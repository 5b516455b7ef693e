import { paged } from '../platform/http/page.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import { type AskedAccess, refuseBeyondPlan } from './access-mode.ts';
import { accessRoutes } from './access-routes.ts';
import { archiveStatusPage } from './archive.ts';
import * as contract from './contract.ts';
import { createStatusPage } from './create.ts';
import { getStatusPage } from './detail.ts';
import { type DomainRouteOptions, domainRoutes } from './domains/routes.ts';
import { listStatusPages } from './list.ts';
import { findPage } from './lock.ts';
import { logoRoutes } from './logos/routes.ts';
import { previewStatusPage } from './preview.ts';
import { setStatusPageMonitors } from './set-monitors.ts';
import * as subscriptions from './subscriptions/contract.ts';
import { deleteSubscriber, listSubscribers } from './subscriptions/list.ts';
import { updateStatusPage } from './update.ts';
import type { ViewerMailOptions } from './viewers/invite.ts';
import { viewerRoutes } from './viewers/routes.ts';

/** Status pages for signed-in callers: their settings, and their access. */
export const statusPageRoutes = (options: ViewerMailOptions, domains: DomainRouteOptions): Route[] => [
  // Status pages belong to the whole organization: a narrowed key sees none.
  read(contract.listStatusPages, async ({ db, resource, within }) =>
    within ? [] : listStatusPages(db, resource.orgId),
  ),
  write(contract.createStatusPage, ({ resource, body }, work) =>
    createStatusPage(work, resource.orgId, body),
  ),
  read(contract.getStatusPage, ({ db, params }) => getStatusPage(db, params.id)),
  {
    ...write(contract.updateStatusPage, ({ params, body }, work) => updateStatusPage(work, params.id, body)),
    async beforeBody({ db, params, body }) {
      const asked: AskedAccess = typeof body === 'object' && body !== null ? body : {};
      await refuseBeyondPlan(db, await findPage(db, params.id ?? ''), asked);
    },
  },
  write(contract.setStatusPageMonitors, ({ params, body }, work) =>
    setStatusPageMonitors(work, params.id, body),
  ),
  write(contract.previewStatusPage, ({ params, body }, work) =>
    previewStatusPage(work, params.id, body, { baseUrl: options.baseUrl, canMail: options.mail !== null }),
  ),
  read(subscriptions.listSubscribers, (call) =>
    paged(
      call,
      (page) => listSubscribers(call.db, call.params.id, page),
      ({ id }) => id,
    ),
  ),
  write(subscriptions.deleteSubscriber, async ({ params }, work) => {
    await deleteSubscriber(work, params.id, params.sub_id);
    return undefined;
  }),
  write(contract.archiveStatusPage, async ({ params }, work) => {
    await archiveStatusPage(work, params.id);
    return undefined;
  }),
  ...accessRoutes,
  ...logoRoutes,
  ...viewerRoutes(options),
  ...domainRoutes(domains),
];
