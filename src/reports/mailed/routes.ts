import type { Caller } from '#src/platform/http/caller.ts';
import { type Route, read, write } from '#src/platform/http/route.ts';
import { refuse } from '#src/platform/refusals.ts';
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

/** People only: these operations take no keys. */
const personOf = (caller: Caller | null): string =>
  caller?.kind === 'user' ? caller.userId : refuse('forbidden', 'Only people have reports mailed to them.');
