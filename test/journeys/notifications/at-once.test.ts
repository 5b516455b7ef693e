// What a unit of work queues is sent right after its commit, under a lease written with it, while nothing else is being sent;
// otherwise the workers claim it (docs/rules/notifications.md#delivery-guarantees).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeDeliveryWorker } from '#src/notifications/deliver.ts';
import { LEASE_MS } from '#src/notifications/delivery/claim.ts';
import { registerWorker } from '#src/notifications/delivery/queue.ts';
import type { Attempt, Send } from '#src/notifications/delivery/send.ts';
import { startTestApp, type TestApp } from '#test/harness/app.ts';
import { silent } from '#test/harness/cluster.ts';
import { enqueueEach, whileNobodyClaims } from '#test/harness/enqueued-events.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { until } from '#test/harness/until.ts';

type Cleanup = { after: (fn: () => Promise<void>) => void };

async function receiving(t: Cleanup, app: TestApp, status: number | null = 200) {
  const receiver = await startReceiver();
  receiver.answer(status);
  t.after(() => receiver.stop());
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/webhooks`, {
    name: `Hook ${receiver.url}`,
    kind: 'webhook',
    url: receiver.url,
    events: ['opened', 'resolved'],
  });
  return receiver;
}

const queued = async ({ db }: TestApp) => {
  const { rows } = await sql<{ lane: string; attempts: number; leased_until: Date | null }>`
    SELECT lane, attempts, leased_until FROM delivery_queue ORDER BY seq`.execute(db);
  return rows;
};

/** A worker that is handed deliveries before the application's own one is. */
async function withWorker(
  app: TestApp,
  take: (attempts: readonly Attempt[]) => void,
  act: () => Promise<void>,
  render: Parameters<typeof registerWorker>[0]['render'] = () => new Map(),
) {
  const forget = registerWorker({ db: app.db, wake: () => undefined, take, render });
  try {
    await act();
  } finally {
    forget();
  }
}

test('a delivery queued while nothing else is being sent is leased and handed over; a crash then costs the lease', async (t) => {
  await using app = await startTestApp();
  const receiver = await receiving(t, app);
  const accepted: Attempt[] = [];
  await withWorker(
    app,
    (attempts) => accepted.push(...attempts),
    () => enqueueEach(app, app.home.orgId, 'opened', ['inc_1']),
  );
  const leasedUntil = new Date(app.clock.now().getTime() + LEASE_MS);
  const [attempt] = accepted;
  assert.deepEqual(
    await queued(app),
    accepted.map(({ orderingKey }) => ({ lane: orderingKey, attempts: 1, leased_until: leasedUntil })),
  );
  assert.equal(accepted.length, 1);
  // It dies with it here. Nobody else sends it while the lease holds.
  await app.runTask('deliver', { alone: true });
  assert.equal(receiver.received.length, 0);
  app.clock.advance(LEASE_MS + 1);
  await app.runTask('deliver');
  assert.deepEqual(
    receiver.received.map(({ raw }) => raw),
    [attempt?.deliveries[0]?.body],
  );
  assert.deepEqual(await queued(app), []);
});

test('a delivery that is handed over was rendered as its first attempt while the database answered', async (t) => {
  await using app = await startTestApp();
  const receiver = await receiving(t, app);
  const accepted: Attempt[] = [];
  const asked: { deliveryId: string; attempt: number; body: string }[] = [];
  const rendered = [{ url: receiver.url, headers: {}, body: 'rendered' }];
  await withWorker(
    app,
    (attempts) => accepted.push(...attempts),
    () => enqueueEach(app, app.home.orgId, 'opened', ['inc_1']),
    (messages) => {
      for (const { deliveryId, attempt, events } of messages)
        asked.push({ deliveryId, attempt, body: events[0].body });
      return new Map(messages.map(({ deliveryId }) => [deliveryId, rendered]));
    },
  );
  const [attempt] = accepted;
  assert.deepEqual(
    asked,
    attempt?.deliveries.map(({ id, body }) => ({ deliveryId: id, attempt: 1, body })),
  );
  assert.equal(attempt?.rendered, rendered);
});

test('a worker that is late gives a delivery back instead of sending it under a lease that may end meanwhile', async (t) => {
  await using app = await startTestApp();
  await receiving(t, app);
  const { db, vault } = app;
  const clock = () => new Date(app.clock.ms() + 16_000);
  const attempts: { left: number; attempts: number }[] = [];
  const send: Send = async () => {
    const [row] = await queued(app);
    attempts.push({
      left: (row?.leased_until?.getTime() ?? 0) - clock().getTime(),
      attempts: row?.attempts ?? 0,
    });
    return { kind: 'answered', status: 200, retryAfter: null, body: '', latencyMs: 1 };
  };
  const worker = makeDeliveryWorker({
    ...{ db, vault, send, clock, log: silent, baseUrl: app.url, random: () => 0.5 },
  });
  await withWorker(app, worker.take, () => enqueueEach(app, app.home.orgId, 'opened', ['inc_1']));
  await worker.untilIdle();
  assert.deepEqual(attempts, [{ left: LEASE_MS, attempts: 1 }]);
  assert.deepEqual(await queued(app), []);
});

test('while a worker claims, nothing is handed over: queued deliveries wait their turn', async (t) => {
  await using app = await startTestApp();
  const receiver = await receiving(t, app);
  await whileNobodyClaims(app, async () => {
    await enqueueEach(app, app.home.orgId, 'opened', ['inc_1']);
    assert.deepEqual(
      (await queued(app)).map(({ attempts, leased_until }) => ({ attempts, leased_until })),
      [{ attempts: 0, leased_until: null }],
    );
  });
  await until(() => receiver.received.length === 1, 'it is claimed');
});

for (const { when, before = ['inc_0'], ids = ['inc_1'], failing = false } of [
  { when: 'while something else is being sent' },
  { when: 'that is more than one target gets at a time', before: [], ids: ['a', 'b', 'c', 'd', 'e'] },
  { when: 'for a target whose last attempt failed', before: [], failing: true },
])
  test(`a delivery queued ${when} is not handed over, and shares the slots with everything else`, async (t) => {
    await using app = await startTestApp();
    const receiver = await receiving(t, app, null);
    if (failing) await sql`UPDATE webhook_targets SET failing_since = ${app.clock.now()}`.execute(app.db);
    await enqueueEach(app, app.home.orgId, 'opened', before);
    await until(() => receiver.received.length === before.length, 'the first one is being sent');
    const accepted: Attempt[] = [];
    await withWorker(
      app,
      (attempts) => accepted.push(...attempts),
      () => enqueueEach(app, app.home.orgId, 'opened', ids),
    );
    assert.deepEqual(accepted, []);
    await until(() => receiver.received.length === before.length + Math.min(4, ids.length), 'it is claimed');
    await receiver.stop();
  });
