import { paged } from '../platform/http/page.ts';
import type { PerMinute } from '../platform/http/per-minute.ts';
import { type Route, raw, read, show, write } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { deliveryOf, listDeliveries, replayDelivery, showDelivery } from './deliveries.ts';
import type { SendOptions } from './delivery/send.ts';
import { listTargets, targetOf } from './targets/show-target.ts';
import {
  createTarget,
  deleteTarget,
  rotateSecret,
  type TargetOptions,
  updateTarget,
} from './targets/targets.ts';
import { sendTestEvent } from './targets/test-event.ts';

/** Answers 404 for an unknown target in the path, or an unknown delivery where the path names one. */
const beforeBody: Route['beforeBody'] = async ({ db, resource, params }) => {
  const { target_id = '', delivery_id } = params;
  await targetOf(db, resource.orgId, target_id);
  if (delivery_id !== undefined) await deliveryOf(db, resource.orgId, target_id, delivery_id);
};

type Options = TargetOptions & SendOptions & { limit: PerMinute | null };

export function webhookRoutes(options: Options): Route[] {
  return [
    // A target belongs to the whole organization, so that a narrowed key reaches none.
    read(contract.listWebhooks, (call) =>
      paged(
        call,
        async (page) => (call.within ? [] : listTargets(call.db, call.resource.orgId, page)),
        ({ id }) => id,
      ),
    ),
    write(contract.createWebhook, ({ resource, body }, work) =>
      createTarget(work, resource.orgId, body, options),
    ),
    ...ofOneTarget(options).map((route) => ({ ...route, beforeBody })),
  ];
}

function ofOneTarget(options: Options): Route[] {
  return [
    write(contract.updateWebhook, ({ resource, params, body }, work) =>
      updateTarget(work, resource.orgId, params.target_id, body, options),
    ),
    write(contract.deleteWebhook, async ({ resource, params }, work) => {
      await deleteTarget(work, resource.orgId, params.target_id);
      return undefined;
    }),
    raw(contract.testWebhook, (call) => sendTestEvent(call, options)),
    write(contract.rotateWebhookSecret, async ({ resource, params }, work) => ({
      secret: await rotateSecret(work, resource.orgId, params.target_id, options),
    })),
    read(contract.getDelivery, ({ db, resource, params }) =>
      showDelivery(db, resource.orgId, params.target_id, params.delivery_id),
    ),
    show(contract.listDeliveries, (call) =>
      paged(
        call,
        (page) => listDeliveries(call.db, call.resource.orgId, call.params.target_id, page),
        ({ id }) => id,
      ),
    ),
    write(contract.replayDelivery, ({ resource, params }, work) =>
      replayDelivery(work, resource.orgId, params.target_id, params.delivery_id),
    ),
  ];
}
