import { holdSession } from '#src/accounts/hold-session.ts';
import { languageOf } from '#src/accounts/language-of.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { personOf } from '#src/platform/http/actor.ts';
import { perMinute } from '#src/platform/http/per-minute.ts';
import { type Route, raw, read, write } from '#src/platform/http/route.ts';
import type { Push } from '#src/platform/push/push.ts';
import * as contract from '../contract.ts';
import { subscribe, subscriptionOf, unsubscribe } from './subscribe.ts';
import { listSubscriptions, noteOutcome } from './subscriptions.ts';

export type PushRoutesOptions = {
  push: Push;
  /** Allows push services on private addresses (ALLOW_PRIVATE_WEBHOOKS). */
  allowPrivate: boolean;
  clock: () => Date;
  /** Whether test messages are rate-limited. */
  limited: boolean;
};

const TESTS_PER_MINUTE = 6;
const TEST = { title: 'Tocsin', url: '/app/account', tag: 'test', kind: 'test' };
const TEST_BODY: Readonly<Record<PageLanguage, string>> = {
  en: 'This is a test: alarms will look like this.',
  de: 'Das ist ein Test: So werden Alarme aussehen.',
};

/** Routes for the browsers in which a signed-in person gets web push. */
export function pushRoutes({ push, allowPrivate, clock, limited }: PushRoutesOptions): Route[] {
  const tests = perMinute(
    TESTS_PER_MINUTE,
    `You may send ${TESTS_PER_MINUTE} test messages a minute; wait a moment.`,
  );
  return [
    read(contract.getPushKey, async () => ({ key: push.publicKey })),
    read(contract.listPushSubscriptions, ({ db, caller }) => listSubscriptions(db, personOf(caller))),
    write(contract.createPushSubscription, async ({ caller, body, request }, work) => {
      const by = { allowPrivate, userAgent: request.headers['user-agent'] };
      const made = await subscribe(work, personOf(caller), body, by);
      await holdSession(work.tx, caller);
      return made;
    }),
    write(contract.deletePushSubscription, async ({ caller, params }, work) => {
      await unsubscribe(work, personOf(caller), params.subscription_id);
      return undefined;
    }),
    raw(contract.testPushSubscription, async ({ db, caller, params }) => {
      const userId = personOf(caller);
      const subscription = await subscriptionOf(db, userId, params.subscription_id);
      if (limited) await tests.count(userId);
      const payload = JSON.stringify({ ...TEST, body: TEST_BODY[await languageOf(db, userId)] });
      const message = { payload, ttlSeconds: 60, urgency: 'high' } as const;
      const outcome = await push.send(subscription, message);
      await noteOutcome(db, clock(), subscription, outcome);
      return outcome.kind === 'accepted' ? { ok: true } : { ok: false, error: outcome.error };
    }),
  ];
}
