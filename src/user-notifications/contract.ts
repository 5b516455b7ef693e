// Browser-safe. Browsers that get web push, even while the dashboard is closed.
import { type Static, Type } from 'typebox';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

/** `key` is the application server key (VAPID, RFC 8292) in base64url. */
export const getPushKey = operation({
  id: 'getPushKey',
  method: 'GET',
  path: '/me/push/key',
  summary: 'The key with which a browser subscribes to web push',
  tag: 'Account',
  right: 'signed_in',
  resource: 'none',
  status: 200,
  reply: Type.Object({ key: Type.String() }),
});

export const PushSubscription = Type.Object({
  id: Type.String(),
  browser: Type.String(),
  created_at_unix: UnixSeconds(),
  last_success_at_unix: Nullable(UnixSeconds()),
  last_error: Nullable(Type.String()),
});
export type PushSubscription = Static<typeof PushSubscription>;

export const listPushSubscriptions = operation({
  id: 'listPushSubscriptions',
  method: 'GET',
  path: '/me/push/subscriptions',
  summary: 'Browsers in which the caller gets web push',
  tag: 'Account',
  right: 'signed_in',
  resource: 'none',
  status: 200,
  reply: Type.Array(PushSubscription),
});

/** The body is what `PushSubscription.toJSON()` of a browser gives. */
export const createPushSubscription = operation({
  id: 'createPushSubscription',
  method: 'POST',
  path: '/me/push/subscriptions',
  summary: 'Subscribe this browser to web push; the same endpoint again replaces the stored subscription',
  tag: 'Account',
  right: 'signed_in',
  resource: 'none',
  body: Type.Object(
    {
      endpoint: Type.String({ maxLength: 2048 }),
      expirationTime: Type.Optional(Nullable(Type.Number())),
      keys: Type.Object(
        { p256dh: Type.String({ maxLength: 200 }), auth: Type.String({ maxLength: 100 }) },
        closed,
      ),
      replaces: Type.Optional(
        Type.String({
          maxLength: 2048,
          description:
            'the endpoint that this browser had before: its subscription goes on, with the same id',
        }),
      ),
    },
    closed,
  ),
  status: 201,
  reply: PushSubscription,
});

const SubscriptionParams = Type.Object({ subscription_id: Type.String() });

export const deletePushSubscription = operation({
  id: 'deletePushSubscription',
  method: 'DELETE',
  path: '/me/push/subscriptions/{subscription_id}',
  summary: 'Unsubscribe a browser from web push',
  tag: 'Account',
  right: 'signed_in',
  resource: 'none',
  params: SubscriptionParams,
  status: 204,
  refusals: [404],
});

export const testPushSubscription = operation({
  id: 'testPushSubscription',
  method: 'POST',
  path: '/me/push/subscriptions/{subscription_id}/test',
  summary: 'Send a test message to a browser now',
  tag: 'Account',
  right: 'signed_in',
  resource: 'none',
  params: SubscriptionParams,
  status: 200,
  refusals: [404, 429],
  reply: Type.Object({ ok: Type.Boolean(), error: Type.Optional(Type.String()) }),
});
