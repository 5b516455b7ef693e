// Web push in this browser: whether it is supported, whether it is on, and how to change that.
import {
  createPushSubscription,
  deletePushSubscription,
  getPushKey,
  listPushSubscriptions,
} from '#src/user-notifications/contract.ts';
import { ApiError, call } from './call.ts';
import { remember, remembered } from './remembered.ts';
import { send } from './write.ts';

/**
 * Blocked: the person has denied it, and only they can allow it again, in the browser's settings. To install: on an iPhone
 * or iPad only apps on the home screen can receive push messages.
 */
export type PushState = 'unsupported' | 'to_install' | 'blocked' | 'off' | 'on';

const WORKER = '/app/push-worker.js';
const SCOPE = '/app/';
/** The server's subscription for this browser. */
const OWN = 'push-subscription';
/** The address of that subscription. */
const ENDPOINT = 'push-endpoint';

/** The state for the signed-in person: the browser may still be subscribed for another one. */
export async function pushState(): Promise<PushState> {
  if (!canPush()) return isUninstalledIPhone() ? 'to_install' : 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const subscription = await currentSubscription();
  if (!subscription || Notification.permission !== 'granted') return 'off';
  const known = await call(listPushSubscriptions, {});
  if (!known.some(({ id }) => id === remembered(OWN))) return 'off';
  // The push service changed it, and not every browser tells its worker what it was before.
  const before = remembered(ENDPOINT);
  const now = bodyOf(subscription);
  if (before && before !== now.endpoint) {
    const body = { ...now, replaces: before };
    await send(createPushSubscription, { body }, (made) => keep(made, now));
  }
  return 'on';
}

/**
 * Subscribes this browser to web push. It asks the person first, so call it in a user gesture. Throws if they refuse, if
 * the browser cannot reach its push service, or ApiError.
 */
export async function subscribePush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Notifications are not allowed in this browser.');
  const { key } = await call(getPushKey, {});
  const registration = await registeredWorker();
  const applicationServerKey = bytesOf(key);
  const before = await registration.pushManager.getSubscription();
  // The subscription has another key, of an earlier installation for example: nothing could be sent to it.
  if (before && !sameBytes(before.options.applicationServerKey, applicationServerKey))
    await before.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey,
  });
  const body = bodyOf(subscription);
  await send(createPushSubscription, { body }, (made) => keep(made, body));
}

function bodyOf(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}

function keep({ id }: { id: string }, { endpoint }: { endpoint: string }): void {
  remember(OWN, id);
  remember(ENDPOINT, endpoint);
}

/** Unsubscribes this browser from web push. Throws ApiError. */
export async function unsubscribePush(): Promise<void> {
  const id = remembered(OWN);
  // The browser first: whatever the server answers, this browser stays silent.
  await (await currentSubscription())?.unsubscribe();
  if (!id) return;
  try {
    await send(deletePushSubscription, { params: { subscription_id: id } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  remember(OWN, '');
}

const canPush = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window && isSecureContext;

/** An iPad claims to be a Mac, but no Mac has a touch screen. */
function isUninstalledIPhone(): boolean {
  const { userAgent, platform, maxTouchPoints } = navigator;
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1);
  return isIos && isSecureContext && !window.matchMedia('(display-mode: standalone)').matches;
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** A service worker that is still installing cannot subscribe yet. */
async function registeredWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' });
  return navigator.serviceWorker.ready;
}

/** Not every browser accepts the key as base64url. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function sameBytes(left: ArrayBuffer | null, right: Uint8Array): boolean {
  if (left === null) return false;
  const bytes = new Uint8Array(left);
  return bytes.length === right.length && bytes.every((byte, at) => byte === right[at]);
}
