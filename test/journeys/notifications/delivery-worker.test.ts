// The delivery worker under receivers that hang, fail and vanish, with several servers at it
// (docs/rules/notifications.md#delivery-guarantees, docs/rules/notifications.md#order-of-deliveries). Time is the test's; what
// is due is delivered when it says so.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import type { AppOptions } from '#test/harness/app-options.ts';
import { enqueueEach, idsOf } from '#test/harness/enqueued-events.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

type Cleanup = { after: (fn: () => Promise<void>) => void };
type Delivery = { id: string; event: string; attempts: number; ok: boolean; error: string | null };
const HOUR = 3_600_000;

async function hookTo(on: TestApp, orgId: string, url: string, name = 'Hook') {
  const { secret, ...target } = await on.alice.ok<WebhookTarget & { secret: string }>(
    'POST',
    `/organizations/${orgId}/webhooks`,
    { name, kind: 'webhook', url, events: ['opened', 'acknowledged', 'resolved'] },
  );
  return { ...target, secret };
}

async function receiver(t: Cleanup, status: number | null = 200) {
  const made = await startReceiver();
  made.answer(status);
  t.after(() => made.stop());
  return made;
}

/** A server that answers in a way of its own, and counts how many requests it holds at a time. */
async function answering(t: Cleanup, answer: (response: ServerResponse, nth: number) => void) {
  const state = { bodies: [] as string[], ids: [] as string[], atOnce: 0, most: 0, url: '' };
  const server = createServer((request, response) => {
    let body = '';
    state.most = Math.max(state.most, ++state.atOnce);
    response.on('close', () => {
      state.atOnce -= 1;
    });
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      state.ids.push(String(request.headers['webhook-id']));
      answer(response, state.bodies.push(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return state;
}

const deliveriesOf = (orgId: string, { id }: { id: string }) =>
  app.alice.ok<Delivery[]>('GET', `/organizations/${orgId}/webhooks/${id}/deliveries?limit=1000`);

const targetOf = async (orgId: string, { id }: { id: string }) =>
  (await app.alice.ok<WebhookTarget[]>('GET', `/organizations/${orgId}/webhooks`)).find((t) => t.id === id);

const noticesOf = async (orgId: string) =>
  (
    await app.db
      .selectFrom('notices')
      .select(['kind', 'data'])
      .where('org_id', '=', orgId)
      .orderBy('no')
      .execute()
  ).map(({ kind, data }) => [kind, (data as { error: string }).error]);

test('a hanging target gets four deliveries at a time and delays no other; however many hang, the rest has slots', async (t) => {
  await using own = await startTestApp();
  const { orgId } = own.home;
  const hanging = await receiver(t, null);
  const well = await receiver(t);
  await hookTo(own, orgId, hanging.url, 'Hangs');
  await hookTo(own, orgId, well.url, 'Well');
  await enqueueEach(own, orgId, 'opened', idsOf(12));
  await until(() => well.received.length === 12, 'the other target is told');
  await until(() => hanging.received.length === 4, 'the one that hangs is told of four');

  // Known to fail, and far more of them than there are places.
  for (const i of idsOf(40)) await hookTo(own, orgId, hanging.url, `Hangs ${i}`);
  await sql`UPDATE webhook_targets SET failing_since = ${own.clock.now()} WHERE name LIKE 'Hangs %'`.execute(
    own.db,
  );
  await enqueueEach(own, orgId, 'resolved', idsOf(12));
  await until(() => well.received.length === 24, 'the other target is told of everything');
  await until(() => hanging.received.length === 21, 'a part of the places is used for those that fail');
  await hanging.stop();
});

test('after an hour of 500s everything arrives, in order for each incident, each with the bytes of its first attempt', async (t) => {
  const { orgId } = await app.place();
  const there = await receiver(t, 500);
  const hook = await hookTo(app, orgId, there.url);
  there.trust(hook.secret);
  const incidents = idsOf(15, 'hour');
  for (const event of ['opened', 'acknowledged', 'resolved'] as const) {
    await enqueueEach(app, orgId, event, incidents);
    await app.runTask('deliver');
    app.clock.advance(1000);
  }
  for (let i = 0; i < 12; i++) {
    app.clock.advance(5 * 60_000);
    await app.runTask('deliver');
  }
  assert.ok(
    there.received.every((r) => r.event === 'opened'),
    'nothing overtook the first event',
  );
  const failures = there.received.length;
  there.answer(200);
  for (let i = 0; i < 3; i++) {
    app.clock.advance(HOUR);
    await app.runTask('deliver');
  }
  const arrived = there.received.slice(failures);
  assert.equal(arrived.length, 45);
  for (const incident of incidents)
    assert.deepEqual(
      arrived.filter((r) => r.body.incident?.id === incident).map((r) => r.event),
      ['opened', 'acknowledged', 'resolved'],
    );
  assert.ok(there.received.every((r) => r.genuine));
  const bytes = Map.groupBy(there.received, (r) => r.id);
  assert.equal(bytes.size, 45);
  for (const tries of bytes.values()) assert.equal(new Set(tries.map((r) => r.raw)).size, 1);
  const target = await targetOf(orgId, hook);
  assert.deepEqual([target?.last_delivery_ok, target?.last_error], [true, null]);
});

test('a receiver that closes the connection half-way gets the message again, with the same id and bytes', async (t) => {
  const { orgId } = await app.place();
  const there = await answering(t, (response, nth) => {
    if (nth > 1) response.writeHead(204).end();
    else {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setImmediate(() => response.destroy());
    }
  });
  const hook = await hookTo(app, orgId, there.url);
  await enqueueEach(app, orgId, 'opened', ['half']);
  await app.runTask('deliver');
  const [failed] = await deliveriesOf(orgId, hook);
  assert.deepEqual([failed?.ok, failed?.error], [false, 'response_reset']);
  app.clock.advance(6_000);
  await app.runTask('deliver');
  assert.equal(there.bodies.length, 2);
  assert.equal(new Set(there.bodies).size, 1);
  assert.equal(new Set(there.ids).size, 1);
  assert.equal((await deliveriesOf(orgId, hook))[0]?.ok, true);
});

test('three servers on one database send each message once, four at a time to a target', async (t) => {
  await using own = await startTestApp();
  await using _second = await own.another();
  await using _third = await own.another();
  const there = await answering(t, (response) => {
    setTimeout(() => response.writeHead(204).end(), 2);
  });
  await hookTo(own, own.home.orgId, there.url);
  const incidents = idsOf(80, 'twice');
  await Promise.all([
    enqueueEach(own, own.home.orgId, 'opened', incidents.slice(0, 40)),
    enqueueEach(own, own.home.orgId, 'opened', incidents.slice(40)),
  ]);
  await until(() => there.ids.length >= 80, 'all have arrived');
  await own.runTask('deliver');
  assert.equal(there.ids.length, 80);
  assert.equal(new Set(there.ids).size, 80);
  assert.ok(there.most <= 4, `${there.most} at a time`);
});

test('switching a target off drops its waiting deliveries; a changed secret signs the pending ones', async (t) => {
  const { orgId } = await app.place();
  const there = await receiver(t, 503);
  const hook = await hookTo(app, orgId, there.url);
  const path = `/organizations/${orgId}/webhooks/${hook.id}`;
  await enqueueEach(app, orgId, 'opened', ['queued']);
  await app.runTask('deliver');
  const { secret } = await app.alice.ok<{ secret: string }>('POST', `${path}/rotate-secret`);
  there.trust(secret);
  there.answer(200);
  app.clock.advance(10_000);
  await app.runTask('deliver');
  assert.deepEqual(
    there.received.map((r) => r.genuine),
    [false, true],
  );
  there.answer(503);
  await enqueueEach(app, orgId, 'resolved', ['queued']);
  await app.runTask('deliver');
  await app.alice.ok('PATCH', path, { active: false });
  there.answer(200);
  app.clock.advance(10_000);
  await app.runTask('deliver');
  await app.alice.ok('PATCH', path, { active: true });
  await app.runTask('deliver');
  assert.equal(there.received.length, 3);
  const [dropped] = await deliveriesOf(orgId, hook);
  assert.deepEqual([dropped?.event, dropped?.error], ['resolved', 'cancelled: the target was off']);
  await app.alice.ok('POST', `${path}/deliveries/${dropped?.id}/replay`);
  await app.runTask('deliver');
  assert.equal(there.received.length, 4);
});

test('a delivery with an invalid request is abandoned after seven attempts, and delays nothing else', async (t) => {
  const { orgId } = await app.place();
  const there = await receiver(t);
  const broken = await hookTo(app, orgId, there.url, 'Broken');
  await hookTo(app, orgId, there.url, 'Whole');
  await sql`UPDATE webhook_targets SET secret_sealed = 'spoilt' WHERE id = ${broken.id}`.execute(app.db);
  await enqueueEach(app, orgId, 'opened', ['poison']);
  for (let i = 0; i < 8; i++) {
    await app.runTask('deliver');
    app.clock.advance(20 * 60_000);
  }
  assert.equal(there.received.length, 1);
  const [failed] = await deliveriesOf(orgId, broken);
  assert.deepEqual([failed?.attempts, failed?.ok, failed?.error], [7, false, 'cannot_be_rendered']);
});

test('a webhook that fails every attempt is reported after a day and deactivated after five', async (t) => {
  const { orgId } = await app.place();
  const there = await receiver(t, 500);
  const hook = await hookTo(app, orgId, there.url);
  for (let halfDay = 0; halfDay <= 10; halfDay++) {
    if (halfDay > 0) app.clock.advance(12 * HOUR);
    await app.runTask('partitions');
    await enqueueEach(app, orgId, 'opened', [`day_${halfDay}`]);
    await app.runTask('deliver');
    assert.equal((await targetOf(orgId, hook))?.active, halfDay < 10, `after ${halfDay / 2} days`);
  }
  assert.deepEqual(await noticesOf(orgId), [
    ['target_failing', 'http_status 500'],
    ['target_deactivated', 'http_status 500'],
  ]);
  const log = await app.alice.ok<{ action: string }[]>(
    'GET',
    `/organizations/${orgId}/activity?resource_id=${hook.id}`,
  );
  assert.equal(log[0]?.action, 'webhook.deactivate');
  const { rows } =
    await sql`SELECT FROM deliveries WHERE target_id = ${hook.id} AND state = 'pending'`.execute(app.db);
  assert.equal(rows.length, 0);
});

test('a target that somebody switches on again is not switched off by its next failure, but a day after another mail', async (t) => {
  const { orgId } = await app.place();
  const there = await receiver(t, 500);
  const hook = await hookTo(app, orgId, there.url);
  let sent = 0;
  const isActiveAfterFailure = async () => {
    await app.runTask('partitions');
    await enqueueEach(app, orgId, 'opened', [`again_${sent++}`]);
    await app.runTask('deliver');
    return (await targetOf(orgId, hook))?.active;
  };
  for (let day = 0; day < 5; day++) {
    assert.equal(await isActiveAfterFailure(), true);
    app.clock.advance(24 * HOUR);
  }
  assert.equal(await isActiveAfterFailure(), false);
  await app.alice.ok('PATCH', `/organizations/${orgId}/webhooks/${hook.id}`, { active: true });
  assert.equal(await isActiveAfterFailure(), true);
  app.clock.advance(24 * HOUR);
  assert.equal(await isActiveAfterFailure(), false);
  const kinds = (await noticesOf(orgId)).map(([kind]) => kind);
  assert.deepEqual(kinds, ['target_failing', 'target_deactivated', 'target_failing', 'target_deactivated']);
});

test('targets of several addresses that all give no answer are not deactivated until one of them answers', async (t) => {
  await using own = await startTestApp();
  const { orgId } = own.home;
  const [silent] = await Promise.all(
    ['Silent', 'As silent'].map(async (name) => {
      const closed = await startReceiver();
      await closed.stop();
      return hookTo(own, orgId, closed.url, name);
    }),
  );
  const isActiveAfter = async (days: number) => {
    own.clock.advance(days * 24 * HOUR);
    await own.runTask('partitions');
    await enqueueEach(own, orgId, 'opened', [`after_${own.clock.ms()}`]);
    await own.runTask('deliver');
    const targets = await own.alice.ok<WebhookTarget[]>('GET', `/organizations/${orgId}/webhooks`);
    const { active, last_error } = targets.find(({ id }) => id === silent?.id) ?? {};
    assert.equal(last_error, 'connect_refused');
    return active;
  };
  for (const days of [0, 1, 4, 4])
    assert.equal(await isActiveAfter(days), true, 'our network may be at fault');
  const there = await receiver(t, 503);
  await hookTo(own, orgId, there.url, 'There');
  assert.equal(await isActiveAfter(0.5), true, 'a day more');
  assert.equal(await isActiveAfter(2), false);
});

test('a target that is gone is deactivated at once and reported', async (t) => {
  const { orgId } = await app.place();
  const there = await receiver(t, 410);
  const hook = await hookTo(app, orgId, there.url);
  await enqueueEach(app, orgId, 'opened', idsOf(6, 'gone'));
  await app.runTask('deliver');
  assert.equal((await targetOf(orgId, hook))?.active, false);
  assert.deepEqual(await noticesOf(orgId), [['target_deactivated', 'http_status 410']]);
  const states = new Set((await deliveriesOf(orgId, hook)).map(({ error }) => error));
  assert.deepEqual([...states].sort(), ['cancelled: the target was off', 'http_status 410']);
});

test('a paging target is never deactivated: three failures within two minutes are reported, once an hour', async (t) => {
  const there = await answering(t, (response, nth) => response.writeHead(nth > 3 ? 410 : 500).end());
  await using own = await startTestApp({ env: { PAGERDUTY_URL: there.url } } satisfies AppOptions);
  const { orgId } = own.home;
  await own.alice.ok('POST', `/organizations/${orgId}/webhooks`, {
    name: 'Pager',
    kind: 'pagerduty',
    credential: '0123456789abcdef0123456789abcdef',
    events: ['opened', 'resolved'],
  });
  const monitor = await own.alice.ok<Monitor>('POST', `/projects/${own.home.projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
  });
  const paged = await putIncident(own, monitor, { fromMs: own.clock.ms(), toMs: null });
  await enqueueEach(own, orgId, 'opened', [paged]);
  const noticesSent = async () =>
    (await own.db.selectFrom('notices').select('kind').where('org_id', '=', orgId).execute()).map(
      ({ kind }) => kind,
    );
  for (const seconds of [0, 6, 20]) {
    assert.deepEqual(await noticesSent(), []);
    own.clock.advance(seconds * 1000);
    await own.runTask('deliver');
  }
  assert.deepEqual(await noticesSent(), ['target_failing']);
  for (const minutes of [1, 4, 10, 20]) {
    own.clock.advance(minutes * 60_000);
    await own.runTask('deliver');
  }
  assert.deepEqual(await noticesSent(), ['target_failing']);
  own.clock.advance(30 * 60_000);
  await enqueueEach(own, orgId, 'opened', ['again']);
  await own.runTask('deliver');
  assert.deepEqual(await noticesSent(), ['target_failing', 'target_failing']);
  const [target] = await own.alice.ok<WebhookTarget[]>('GET', `/organizations/${orgId}/webhooks`);
  assert.deepEqual([target?.active, target?.last_delivery_ok], [true, false]);
});

test('a target gets at most ten tests a minute', async (t) => {
  await using own = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const { orgId } = own.home;
  const there = await receiver(t);
  const hook = await hookTo(own, orgId, there.url);
  const path = `/organizations/${orgId}/webhooks/${hook.id}/test`;
  for (let i = 0; i < 10; i++) assert.equal((await own.alice.ok<{ ok: boolean }>('POST', path)).ok, true);
  const refused = await own.alice.send('POST', path);
  assertRefused(refused, { status: 429, error: 'rate_limited' });
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.equal(there.received.length, 10);
});
