// Web push in this browser: whether it can, whether it does, and the ways to change that.
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
 * Blocked: the person has refused it, and only they can allow it again, in the settings of the browser. To install: an
 * iPhone or iPad, where only what is on the home screen can be pushed to.
 */
export type PushState = 'unsupported' | 'to_install' | 'blocked' | 'off' | 'on';

const WORKER = '/app/push-worker.js';
const SCOPE = '/app/';
/** Which subscription of the server is this browser's. */
const OWN = 'push-subscription';

/** How it stands here, for whoever is signed in: a browser may still be subscribed for somebody else. */
export async function pushState(): Promise<PushState> {
  if (!canPush()) return isUninstalledIPhone() ? 'to_install' : 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const subscription = await currentSubscription();
  if (!subscription || Notification.permission !== 'granted') return 'off';
  const known = await call(listPushSubscriptions, {});
  return known.some(({ id }) => id === remembered(OWN)) ? 'on' : 'off';
}

/**
 * Has this browser told by web push. Asks the person first, so call it in a gesture of theirs. Throws when they refuse,
 * when the browser cannot reach its push service, or ApiError.
 */
export async function subscribePush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Notifications are not allowed in this browser.');
  const { key } = await call(getPushKey, {});
  const registration = await registeredWorker();
  const applicationServerKey = bytesOf(key);
  const before = await registration.pushManager.getSubscription();
  // Of another key, of an installation made anew say: nothing could be sent to it any more.
  if (before && !sameBytes(before.options.applicationServerKey, applicationServerKey))
    await before.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  const body = {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  };
  await send(createPushSubscription, { body }, ({ id }) => remember(OWN, id));
}

/** No longer has this browser told. Throws ApiError. */
export async function unsubscribePush(): Promise<void> {
  const id = remembered(OWN);
  // First here: whatever the server says, this browser stays silent.
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

/** An iPad says that it is a Mac; no Mac is touched. */
function isUninstalledIPhone(): boolean {
  const { userAgent, platform, maxTouchPoints } = navigator;
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1);
  return isIos && isSecureContext && !window.matchMedia('(display-mode: standalone)').matches;
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** A worker that is just being installed cannot subscribe yet. */
async function registeredWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' });
  return navigator.serviceWorker.ready;
}

/** Not every browser takes the key as base64url. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function sameBytes(left: ArrayBuffer | null, right: Uint8Array): boolean {
  if (left === null) return false;
  const bytes = new Uint8Array(left);
  return bytes.length === right.length && bytes.every((byte, at) => byte === right[at]);
}
