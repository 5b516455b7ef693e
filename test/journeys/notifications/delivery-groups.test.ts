// Many incidents that open together are told to a chat in one message that counts and lists them; nothing is dropped, a
// webhook gets every event, and everything is in the timelines.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentSummary, TimelineEntry } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { resultOf } from '#test/harness/probe.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { until } from '#test/harness/until.ts';

const MANY = 25;
let app: TestApp;
/** A chat that takes everything with the status that the test says. */
const chat = { url: '', host: '', status: 200, texts: [] as string[], answers: Promise.resolve() };
before(async () => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    chat.texts.push(Buffer.concat(chunks).toString('utf8'));
    await chat.answers;
    response.writeHead(chat.status).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTests(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  chat.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  chat.url = `http://${chat.host}/hooks/secret`;
  app = await startAppOfFile({ env: { CHAT_WEBHOOK_HOSTS: chat.host } });
});

type Delivery = { id: string; event: string; attempts: number; ok: boolean; error: string | null };

/** An organization with a chat and a webhook, and monitors that are about to fail together. */
async function scene(t: { after: (fn: () => Promise<void>) => void }) {
  const place: Place = await app.place(app.alice, 'business');
  chat.texts.length = 0;
  chat.status = 200;
  chat.answers = Promise.resolve();
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const hooks = `/organizations/${place.orgId}/webhooks`;
  const events = ['opened', 'acknowledged', 'resolved'];
  const target = await app.alice.ok<WebhookTarget>('POST', hooks, {
    name: 'Chat',
    kind: 'mattermost',
    url: chat.url,
    events,
  });
  await app.alice.ok('POST', hooks, { name: 'Hook', kind: 'webhook', url: receiver.url, events });
  const monitors: Monitor[] = [];
  for (let i = 0; i < MANY; i++)
    monitors.push(
      await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
        name: `Monitor ${i}`,
        type: 'http',
        config: { url: 'https://shop.example.com/' },
        interval_seconds: 10,
      }),
    );
  return {
    place,
    receiver,
    monitors,
    deliver: async (afterMs = 0) => {
      // What is under way keeps its lease: the clock must not run away from it.
      if (afterMs > 0) await app.runTask('deliver');
      app.clock.advance(afterMs);
      await app.runTask('deliver');
    },
    all: async (status: 'up' | 'down', some = monitors) => {
      for (let i = 0; i < 2; i++) {
        app.clock.advance(1000);
        await app.probe().post(some.map(({ id }) => resultOf(id, app.clock.ms(), status)));
      }
    },
    incidents: () =>
      app.alice.ok<IncidentSummary[]>('GET', `/organizations/${place.orgId}/incidents?status=all`),
    timeline: (id: string) =>
      app.alice.ok<TimelineEntry[]>('GET', `/organizations/${place.orgId}/incidents/${id}/timeline`),
    toChat: () => app.alice.ok<Delivery[]>('GET', `${hooks}/${target.id}/deliveries?limit=1000`),
    replay: (id: string) => app.alice.ok('POST', `${hooks}/${target.id}/deliveries/${id}/replay`),
  };
}

const deliveredTo = (entries: TimelineEntry[], target: string) =>
  entries
    .filter(({ kind, detail }) => kind.startsWith('deliver') && detail?.includes(` to ${target}`))
    .map(({ kind, detail }) => `${kind}: ${detail}`);

test('simultaneous openings are one message at once, the next one a minute later, and every webhook event', async (t) => {
  const s = await scene(t);
  await s.all('down');
  await s.deliver();
  assert.equal(s.receiver.received.length, MANY, 'webhooks do not wait');
  assert.equal(chat.texts.length, 1);
  assert.match(chat.texts[0] ?? '', /25 incidents, 25 open/);

  await s.all('up', s.monitors.slice(0, 10));
  await s.deliver(6_000);
  await s.all('up', s.monitors.slice(10, 12));
  await s.deliver(49_000);
  assert.equal(chat.texts.length, 1, 'too close to the one before');
  await s.deliver(5_000);
  assert.equal(chat.texts.length, 2);
  assert.match(chat.texts[1] ?? '', /25 incidents, 13 open/);
  assert.equal(s.receiver.received.length, MANY + 12);

  assert.deepEqual(
    (await s.toChat()).map(({ ok }) => ok),
    Array.from({ length: MANY + 12 }, () => true),
  );
  const incidents = await s.incidents();
  assert.equal(incidents.length, MANY);
  for (const { id, status } of incidents) {
    const delivered = deliveredTo(await s.timeline(id), 'Chat');
    const opened = 'delivered: opened to Chat, in one message with 24 others';
    const resolved = 'delivered: resolved to Chat, in one message with 11 others';
    assert.deepEqual(delivered, status === 'closed' ? [opened, resolved] : [opened]);
  }
});

test('pending deliveries of earlier incidents join the storm’s message, without loss or reordering', async (t) => {
  const s = await scene(t);
  chat.status = 500;
  await s.all('down', s.monitors.slice(0, 1));
  await s.deliver();
  await s.all('down', s.monitors.slice(1, 2));
  await s.deliver();
  assert.equal(chat.texts.length, 2, 'both were tried on their own');
  await s.all('down', s.monitors.slice(2, 5));
  chat.status = 200;
  await s.deliver(10_000);
  assert.equal(chat.texts.length, 3);
  assert.match(chat.texts[2] ?? '', /5 incidents, 5 open/);
  assert.ok((await s.toChat()).every(({ ok }) => ok));
  const incidents = await s.incidents();
  for (const { id } of incidents)
    assert.deepEqual(deliveredTo(await s.timeline(id), 'Chat'), [
      'delivered: opened to Chat, in one message with 4 others',
    ]);
});

test('a message being sent while its storm forms is not overtaken, and joins the storm’s message if it fails', async (t) => {
  const s = await scene(t);
  const answer = Promise.withResolvers<void>();
  chat.answers = answer.promise;
  await s.all('down', s.monitors.slice(0, 1));
  const sending = s.deliver();
  await until(async () => chat.texts.length === 1, 'the first is being sent');
  await s.all('down', s.monitors.slice(1, 3));
  // Under one ordering key nothing is sent while the first is: see the tests of deliveries.
  const { rows } = await sql<{ key: string; n: number; sending: number }>`
    SELECT split_part(q.lane, ':', 2) AS key, count(*)::int AS n, count(q.leased_until)::int AS sending
    FROM delivery_queue q JOIN webhook_targets t ON t.id = q.target_id AND t.kind = 'mattermost'
    WHERE q.org_id = ${s.place.orgId} GROUP BY q.lane`.execute(app.db);
  assert.deepEqual(rows, [{ key: 'group', n: 3, sending: 1 }]);
  chat.status = 500;
  answer.resolve();
  await sending;
  chat.status = 200;
  await s.deliver(10_000);
  assert.equal(chat.texts.length, 2);
  assert.match(chat.texts[1] ?? '', /3 incidents, 3 open/);
  assert.ok((await s.toChat()).every(({ ok }) => ok));
});

test('a failed message about a storm is retried with later events, in order; nothing overtakes it', async (t) => {
  const s = await scene(t);
  chat.status = 500;
  await s.all('down');
  await s.deliver();
  await s.all('up', s.monitors.slice(0, 3));
  await s.deliver(2_000);
  assert.equal(chat.texts.length, 1);
  chat.status = 200;
  await s.deliver(4_000);
  assert.equal(chat.texts.length, 2);
  assert.match(chat.texts[1] ?? '', /25 incidents, 22 open/);
  const deliveries = await s.toChat();
  assert.ok(deliveries.every(({ ok }) => ok));
  assert.deepEqual(Map.groupBy(deliveries, (d) => `${d.event} ${d.attempts}`).size, 2);
});

test('a message that a chat refused for good is a dead letter per incident, and each can be replayed', async (t) => {
  const s = await scene(t);
  chat.status = 404;
  await s.all('down');
  await s.deliver();
  for (let i = 0; i < 6; i++) await s.deliver(20 * 60_000);
  assert.equal(chat.texts.length, 7);
  const dead = await s.toChat();
  assert.ok(dead.length === MANY && dead.every((d) => !d.ok && d.error === 'http_status 404'));
  const [incident] = await s.incidents();
  assert.deepEqual(deliveredTo(await s.timeline(incident?.id ?? ''), 'Chat'), [
    'delivery_failed: opened to Chat: http_status 404, in one message with 24 others',
  ]);
  chat.status = 200;
  await s.replay(dead[0]?.id ?? '');
  await s.deliver();
  assert.equal(chat.texts.length, 8);
  assert.equal((await s.toChat()).filter(({ ok }) => ok).length, 1);
});
