// The service worker of web push, run by itself: what it shows, what it closes, and what it tells the server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';

const SOURCE = readFileSync(new URL('../public/push-worker.js', import.meta.url), 'utf8');

type Shown = { title: string; tag: string };
type WorkerEvent = { waitUntil: (work: Promise<unknown>) => void } & Record<string, unknown>;

/** The worker in a browser whose push service gives out `subscription`. */
function startWorker(subscription: object = {}) {
  const listeners = new Map<string, (event: WorkerEvent) => void>();
  const sent: { path: string; body: unknown }[] = [];
  let shown: Shown[] = [];
  const registration = {
    showNotification: async (title: string, { tag }: { tag: string }) => {
      shown = [...shown.filter((each) => each.tag !== tag), { title, tag }];
    },
    getNotifications: async ({ tag }: { tag?: string } = {}) =>
      shown
        .filter((each) => tag === undefined || each.tag === tag)
        .map((one) => ({
          tag: one.tag,
          close: () => {
            shown = shown.filter((each) => each !== one);
          },
        })),
    pushManager: { subscribe: async () => ({ toJSON: () => subscription }) },
  };
  const self = {
    registration,
    addEventListener: (name: string, listener: (event: WorkerEvent) => void) => listeners.set(name, listener),
  };
  const fetch = async (path: string, { body }: { body?: string } = {}) => {
    if (body !== undefined) sent.push({ path, body: JSON.parse(body) });
    return { ok: true, json: async () => ({ key: 'BKey' }) };
  };
  runInContext(SOURCE, createContext({ self, fetch }));
  return {
    sent,
    titles: () => shown.map(({ title }) => title),
    dispatch: async (name: string, given: object) => {
      const work: Promise<unknown>[] = [];
      listeners.get(name)?.({ ...given, waitUntil: (each) => work.push(each) });
      await Promise.all(work);
    },
    push(message: object) {
      return this.dispatch('push', { data: { json: () => message } });
    },
  };
}

test('the push of a storm takes the place of the alarms that joined it, and of no other', async () => {
  const worker = startWorker();
  await worker.push({ title: 'Alarm: Shop', tag: 'alarm-1', kind: 'alarm' });
  await worker.push({ title: 'Alarm: Mail', tag: 'alarm-2', kind: 'alarm' });
  await worker.push({ title: 'Alarm: Other', tag: 'alarm-3', kind: 'alarm' });
  await worker.push({ title: 'Alarm: a storm', tag: 'alarm-1', kind: 'alarm', replaces: ['alarm-2'] });
  assert.deepEqual(worker.titles(), ['Alarm: Other', 'Alarm: a storm']);
});

test('a message of which nothing can be read is shown all the same', async () => {
  const worker = startWorker();
  for (const replaces of [null, 'alarm-1', [7, null]]) await worker.push({ title: 'Alarm', replaces });
  await worker.dispatch('push', { data: null });
  assert.deepEqual(worker.titles(), ['Tocsin']);
});

test('a subscription that the push service changed replaces the one before it', async () => {
  const subscription = { endpoint: 'https://push.example.com/new', expirationTime: null, keys: {} };
  const worker = startWorker(subscription);
  await worker.dispatch('pushsubscriptionchange', {
    oldSubscription: { endpoint: 'https://push.example.com/old' },
  });
  await worker.dispatch('pushsubscriptionchange', { oldSubscription: null });
  const path = '/me/push/subscriptions';
  assert.deepEqual(worker.sent, [
    { path, body: { ...subscription, replaces: 'https://push.example.com/old' } },
    { path, body: subscription },
  ]);
});
