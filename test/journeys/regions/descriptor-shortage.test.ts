// The server itself has no descriptor or port left: that is no failure of a receiver, however often it happens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { makeDeliveryWorker } from '#src/notifications/deliver.ts';
import type { Send } from '#src/notifications/delivery/send.ts';
import { startTestApp } from '#test/harness/app.ts';
import { silent } from '#test/harness/cluster.ts';
import { enqueueEach } from '#test/harness/enqueued-events.ts';

test('twenty attempts without a free descriptor leave a target unchanged, and the next one delivers', async () => {
  await using app = await startTestApp();
  const { orgId } = app.home;
  const webhooks = `/organizations/${orgId}/webhooks`;
  const hook = { name: 'Hook', kind: 'webhook', url: 'https://hook.example.com/', events: ['opened'] };
  const { id } = await app.alice.ok<WebhookTarget>('POST', webhooks, hook);
  let exhausted = true;
  let tries = 0;
  const send: Send = async () => {
    tries += 1;
    return exhausted
      ? { kind: 'failed', failureClass: 'probe_exhausted', latencyMs: 1 }
      : { kind: 'answered', status: 200, retryAfter: null, body: '', latencyMs: 1 };
  };
  const { db, vault, clock } = app;
  const worker = makeDeliveryWorker({
    db,
    vault,
    send,
    clock: clock.now,
    baseUrl: app.url,
    random: () => 0.5,
    log: silent,
  });
  // The application's own worker must not be the one that sends it.
  await app.app.stop();
  await enqueueEach(app, orgId, 'opened', ['inc_1']);
  for (let i = 0; i < 20; i++) {
    await worker.untilIdle();
    clock.advance(5_000);
  }
  const delivery = () =>
    db
      .selectFrom('deliveries')
      .select(['state', 'attempts', 'error'])
      .where('target_id', '=', id)
      .executeTakeFirstOrThrow();
  const target = () =>
    db
      .selectFrom('webhook_targets')
      .select(['failing_since', 'last_delivery_ok', 'last_error'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  assert.equal(tries, 20);
  assert.deepEqual(await delivery(), { state: 'pending', attempts: 0, error: 'probe_exhausted' });
  assert.deepEqual(await target(), { failing_since: null, last_delivery_ok: null, last_error: null });

  exhausted = false;
  await worker.untilIdle();
  assert.deepEqual(await delivery(), { state: 'delivered', attempts: 1, error: null });
  assert.equal((await target()).last_delivery_ok, true);
});
