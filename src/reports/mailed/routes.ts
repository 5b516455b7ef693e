import { personOf } from '#src/platform/http/actor.ts';
import { type Route, read, write } from '#src/platform/http/route.ts';
import * as contract from './contract.ts';
import { listSubscriptions, subscribe, unsubscribe } from './subscriptions.ts';

/** The caller's own subscriptions to reports. */
export const reportSubscriptionRoutes: Route[] = [
  read(contract.listReportSubscriptions, ({ db, caller, resource }) =>
    listSubscriptions(db, resource.orgId, personOf(caller)),
  ),
  write(contract.subscribeToReport, ({ caller, resource, body }, work) =>
    subscribe(work, resource.orgId, personOf(caller), body),
  ),
  write(contract.unsubscribeFromReport, async ({ caller, resource, params }, work) => {
    await unsubscribe(work, resource.orgId, personOf(caller), params.subscription_id);
    return undefined;
  }),
];
