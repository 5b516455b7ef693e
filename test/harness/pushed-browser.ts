// A browser that receives push messages. Its own push service is on the internet, so it gets one of ours to subscribe to; the
// worker, its messages and notifications are the browser's own.
import assert from 'node:assert/strict';
import type { BrowserContext, Page, Worker } from 'playwright-core';
import type { PushBrowser } from './push-service.ts';
import { until } from './until.ts';

export type ShownNotification = { title: string; body: string; tag: string; silent: boolean; icon: string };

export type PushedBrowser = {
  /** Hands a message to the worker, decrypted, as the push service of the browser would. */
  deliver: (payload: object) => Promise<void>;
  /** The notifications that the worker shows now. */
  shown: () => Promise<ShownNotification[]>;
  /** A person clicks the only notification. */
  click: () => Promise<void>;
};

/** Runs in the page: a subscription that the browser would have got from its push service. */
const SUBSCRIBING = (subscription: PushBrowser['subscription']) => `(() => {
  let own = null;
  PushManager.prototype.getSubscription = async () => own;
  PushManager.prototype.subscribe = async (options) => (own = {
    options,
    toJSON: () => (${JSON.stringify(subscription)}),
    unsubscribe: async () => (own = null) === null,
  });
})()`;

/**
 * Lets the pages of a context that are opened from now on subscribe as `browser`, and show notifications. Watches the worker of
 * `page`: it exists once the page has subscribed.
 */
export async function givePush(
  context: BrowserContext,
  page: Page,
  origin: string,
  browser: PushBrowser,
): Promise<PushedBrowser> {
  await context.grantPermissions(['notifications'], { origin });
  await page.addInitScript(SUBSCRIBING(browser.subscription));
  const scopes = new Map<string, string>();
  const active = new Set<string>();
  const cdp = await context.newCDPSession(page);
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId, scopeURL } of registrations) scopes.set(scopeURL, registrationId);
  });
  cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { registrationId, status } of versions) if (status === 'activated') active.add(registrationId);
  });
  await cdp.send('ServiceWorker.enable');

  const worker = (): Worker => {
    const [own] = context.serviceWorkers();
    assert.ok(own, 'there is no worker');
    return own;
  };
  const shown = () =>
    worker().evaluate<ShownNotification[]>(
      `self.registration.getNotifications().then((all) =>
        all.map(({ title, body, tag, silent, icon }) => ({ title, body, tag, silent, icon })))`,
    );
  return {
    async deliver(payload) {
      await until(() => scopes.has(`${origin}/app/`), 'a worker for the whole dashboard');
      const registrationId = scopes.get(`${origin}/app/`) as string;
      // What is delivered before is dropped, and nobody is told.
      await until(() => active.has(registrationId), 'the worker is active');
      const data = JSON.stringify(payload);
      await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    },
    shown,
    click: async () => {
      // A headless browser has nothing to press: the worker gets the event directly.
      await worker().evaluate(`self.registration.getNotifications().then(([notification]) =>
        void self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
    },
  };
}
