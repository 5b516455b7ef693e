// From an incident to a receiver that may fail in every way: at least once, in order, the same id and bytes
// (docs/rules/notifications.md#signatures, docs/rules/notifications.md#retries). Time is the test's: tries are run when
// their moment has come.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { PAUSES_MS } from '#src/domain/backoff.ts';
import type { IncidentDetail, IncidentSummary, TimelineEntry } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { httpServer } from '#test/harness/listeners.ts';
import { readIncident } from '#test/harness/read-incident.ts';
import { type Receiver, startReceiver } from '#test/harness/receiver.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

type Delivery = {
  about: {
    name: string | null;
    monitor_id: string | null;
    incident_id: string | null;
    maintenance_id: string | null;
  };
  id: string;
  event: string;
  attempts: number;
  ok: boolean;
  status_code: number | null;
  error: string | null;
  next_attempt_at_unix: number | null;
};
type Scene = {
  place: Place;
  receiver: Receiver;
  target: WebhookTarget;
  monitor: Monitor;
  incident: () => Promise<IncidentSummary>;
  deliveries: () => Promise<Delivery[]>;
  /** Sends what is due by now. */
  work: () => Promise<void>;
};

/** An organization with a receiver that answers `status`, and a monitor that is about to fail. */
async function scene(
  t: { after: (fn: () => Promise<void>) => void },
  status: number | null,
  url?: string,
): Promise<Scene> {
  const place = await app.place();
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  receiver.answer(status);
  const hook = {
    name: 'Hook',
    kind: 'webhook',
    url: url ?? receiver.url,
    events: ['opened', 'acknowledged', 'resolved'],
  };
  const { secret, ...target } = await app.alice.ok<WebhookTarget & { secret: string }>(
    'POST',
    `/organizations/${place.orgId}/webhooks`,
    hook,
  );
  receiver.trust(secret);
  const body = {
    name: 'One',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 10,
  };
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, body);
  const incident = async () => {
    const [found] = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${monitor.id}/incidents`);
    assert.ok(found);
    return found;
  };
  return {
    place,
    receiver,
    target,
    monitor,
    incident,
    deliveries: () => app.alice.ok('GET', `/organizations/${place.orgId}/webhooks/${target.id}/deliveries`),
    work: () => app.runTask('deliver'),
  };
}
async function say(monitor: Monitor, ...statuses: ('up' | 'down')[]): Promise<void> {
  for (const status of statuses) {
    app.clock.advance(1000);
    await app.probe().says(monitor.id, status);
  }
}

/** Waits until the first try, which the queue makes by itself, is written down. */
async function tried({ deliveries, target }: Scene, attempts = 1): Promise<Delivery> {
  for (;;) {
    const { rows } = await sql<{ attempts: number; sending: boolean }>`
      SELECT d.attempts, q.leased_until IS NOT NULL AS sending FROM deliveries d LEFT JOIN delivery_queue q USING (seq)
      WHERE d.target_id = ${target.id} ORDER BY seq LIMIT 1`.execute(app.db);
    const [first] = rows;
    const [shown] = (await deliveries()).slice(-1);
    if (first && shown && first.attempts >= attempts && !first.sending) return shown;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('an incident is delivered: opened, acknowledged, resolved, signed, in order, with the incident and no e-mail', async (t) => {
  const s = await scene(t, 200);
  await say(s.monitor, 'down', 'down');
  const { id } = await s.incident();
  const opened = await s.receiver.next((r) => r.event === 'opened');
  await app.alice.ok('POST', `/organizations/${s.place.orgId}/incidents/${id}/ack`);
  await s.receiver.next((r) => r.event === 'acknowledged');
  await say(s.monitor, 'up', 'up');
  const resolved = await s.receiver.next((r) => r.event === 'resolved');
  const all = s.receiver.received;
  assert.deepEqual(
    all.map((r) => [r.event, r.genuine]),
    [
      ['opened', true],
      ['acknowledged', true],
      ['resolved', true],
    ],
  );
  assert.equal(new Set(all.map((r) => r.id)).size, 3);
  assert.equal(new Set(all.map((r) => r.deliveryId)).size, 3);
  const organization = await app.db
    .selectFrom('organizations')
    .select(['id', 'name', 'slug'])
    .where('id', '=', s.place.orgId)
    .executeTakeFirst();
  const { incident, ...envelope } = opened.body;
  assert.deepEqual(envelope, {
    id: opened.id,
    event: 'opened',
    created_at_unix: (incident as unknown as IncidentDetail).started_at_unix,
    organization,
    project: { id: s.place.projectId, name: 'Shop', slug: 'shop' },
    monitor: { id: s.monitor.id, name: 'One', type: 'http' },
  });
  assert.deepEqual(
    all.map((r) => [
      r.body.incident?.lifecycle_state,
      r.body.incident?.acknowledged_by_email,
      r.body.incident?.commander_email,
    ]),
    [
      ['triggered', null, null],
      ['acknowledged', null, null],
      ['resolved', null, null],
    ],
  );
  const detail = await readIncident(app.alice, s.place.orgId, id);
  const nobody = {
    ...{ acknowledged_by_email: null, acknowledged_by_name: null },
    ...{ commander_email: null, commander_name: null },
  };
  assert.deepEqual(resolved.body.incident, { ...detail, ...nobody });
  // Each delivery names what it is about, and shows the bytes that were sent.
  const [last] = await s.deliveries();
  assert.deepEqual(last?.about, {
    name: 'One',
    monitor_id: s.monitor.id,
    incident_id: id,
    maintenance_id: null,
  });
  const path = `/organizations/${s.place.orgId}/webhooks/${s.target.id}/deliveries/${last?.id}`;
  const shown = await app.alice.ok<{ event_id: string; event_body: string }>('GET', path);
  assert.deepEqual([shown.event_id, JSON.parse(shown.event_body)], [resolved.id, resolved.body]);
  for (;;) {
    const kinds = (
      await app.alice.ok<TimelineEntry[]>('GET', `/organizations/${s.place.orgId}/incidents/${id}/timeline`)
    ).map((e) => e.kind);
    if (kinds.filter((kind) => kind === 'delivered').length === 3) break;
  }
});

test('only active targets get events, and only subscribed ones', async (t) => {
  const s = await scene(t, 200);
  const path = `/organizations/${s.place.orgId}/webhooks/${s.target.id}`;
  await app.alice.ok('PATCH', path, { events: ['resolved'] });
  await say(s.monitor, 'down', 'down');
  await say(s.monitor, 'up', 'up');
  await s.receiver.next((r) => r.event === 'resolved');
  await app.alice.ok('PATCH', path, { active: false });
  await say(s.monitor, 'down', 'down');
  assert.deepEqual(
    (await s.deliveries()).map((d) => d.event),
    ['resolved'],
  );
});

test('a failing receiver is retried on schedule, with the same id and bytes and a new delivery id each time', async (t) => {
  const s = await scene(t, 500);
  await say(s.monitor, 'down', 'down');
  const first = await tried(s);
  assert.deepEqual(
    [first.attempts, first.ok, first.status_code, first.error],
    [1, false, 500, 'http_status 500'],
  );
  for (let attempt = 1; attempt < PAUSES_MS.length; attempt++) {
    const [pending] = await s.deliveries();
    const wait = (pending?.next_attempt_at_unix ?? 0) * 1000 - app.clock.ms();
    const pause = PAUSES_MS[attempt] ?? 0;
    // The next second of a time that was cut to whole ones; the first pause came with the queue's own chance.
    assert.ok(wait >= pause * 0.8 - 1000 && wait <= pause * 1.2, `try ${attempt + 1} in ${wait} ms`);
    await s.work();
    assert.equal(s.receiver.received.length, attempt, 'a try before its time');
    app.clock.advance(Math.ceil(pause * 1.2));
    await s.work();
    assert.equal(s.receiver.received.length, attempt + 1);
  }
  const [last] = await s.deliveries();
  assert.deepEqual([last?.attempts, last?.ok, last?.next_attempt_at_unix], [15, false, null]);
  app.clock.advance(10 * 86_400_000);
  await app.runTask('partitions');
  await s.work();
  assert.equal(s.receiver.received.length, 15);
  const { received } = s.receiver;
  assert.equal(new Set(received.map((r) => r.id)).size, 1);
  assert.equal(new Set(received.map((r) => r.raw)).size, 1);
  assert.equal(new Set(received.map((r) => r.deliveryId)).size, 15);
  assert.ok(received.every((r) => r.genuine));
});

test('a delivery that failed for good can be replayed: 202, the same id and bytes; once it arrived it is ok', async (t) => {
  const s = await scene(t, 410);
  await say(s.monitor, 'down', 'down');
  const failed = await tried(s);
  const path = `/organizations/${s.place.orgId}/webhooks/${s.target.id}`;
  await app.alice.ok('PATCH', path, { active: true });
  s.receiver.answer(200);
  const answer = await app.alice.send<Delivery>('POST', `${path}/deliveries/${failed.id}/replay`);
  assert.equal(answer.status, 202);
  assert.equal(answer.body.id, failed.id);
  await s.receiver.next((r) => r !== s.receiver.received[0]);
  const [one, two] = s.receiver.received;
  assert.deepEqual([two?.id, two?.raw, two?.genuine], [one?.id, one?.raw, true]);
  assert.notEqual(two?.deliveryId, one?.deliveryId);
  while (!(await s.deliveries())[0]?.ok);
});

test('a target that is deleted during a delivery is not reported as deactivated', async (t) => {
  const paths = { hook: '', activity: '' };
  const port = await httpServer(t, (_request, response) => {
    void app.alice.ok('DELETE', paths.hook).finally(() => response.writeHead(410).end());
  });
  const { place, target, monitor } = await scene(t, 200, `http://127.0.0.1:${port}/`);
  paths.hook = `/organizations/${place.orgId}/webhooks/${target.id}`;
  paths.activity = `/organizations/${place.orgId}/activity?resource_id=${target.id}`;
  await say(monitor, 'down', 'down');
  for (let code: number | null = null; code !== 410; ) {
    const row = await app.db
      .selectFrom('deliveries')
      .select('status_code')
      .where('target_id', '=', target.id)
      .executeTakeFirst();
    code = row?.status_code ?? null;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const log = await app.alice.ok<{ action: string }[]>('GET', paths.activity);
  assert.deepEqual(
    log.map(({ action }) => action),
    ['webhook.delete', 'webhook.create'],
  );
});

test('410 deactivates the target and ends the delivery', async (t) => {
  const s = await scene(t, 410);
  await say(s.monitor, 'down', 'down');
  const failed = await tried(s);
  assert.deepEqual([failed.ok, failed.status_code, failed.next_attempt_at_unix], [false, 410, null]);
  const [target] = await app.alice.ok<WebhookTarget[]>('GET', `/organizations/${s.place.orgId}/webhooks`);
  assert.deepEqual(
    [target?.active, target?.last_delivery_ok, target?.last_error],
    [false, false, 'http_status 410'],
  );
});

test('after a 429 the next attempt waits for Retry-After', async (t) => {
  const server = await answering(t, (response) => response.writeHead(429, { 'retry-after': '300' }).end());
  const s = await scene(t, 200, server.url);
  await say(s.monitor, 'down', 'down');
  const first = await tried(s);
  assert.equal(first.next_attempt_at_unix, Math.floor(app.clock.ms() / 1000) + 300);
  app.clock.advance(299_000);
  await s.work();
  assert.equal(server.count(), 1);
  app.clock.advance(1000);
  await s.work();
  assert.equal(server.count(), 2);
});

test('a redirect is not followed', async (t) => {
  const elsewhere = await startReceiver();
  t.after(() => elsewhere.stop());
  const server = await answering(t, (response) => response.writeHead(302, { location: elsewhere.url }).end());
  const s = await scene(t, 200, server.url);
  await say(s.monitor, 'down', 'down');
  const first = await tried(s);
  assert.deepEqual([first.ok, first.status_code], [false, 302]);
  assert.equal(elsewhere.received.length, 0);
});

/** A receiver that answers in a way of its own. */
async function answering(
  t: { after: (fn: () => Promise<void>) => void },
  answer: (response: import('node:http').ServerResponse) => void,
): Promise<{ url: string; count: () => number; server: Server }> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, count: () => count, server };
}

test('events of one incident arrive in order even if the first one needs several attempts', async (t) => {
  const s = await scene(t, 503);
  await say(s.monitor, 'down', 'down');
  await tried(s);
  await say(s.monitor, 'up', 'up');
  await s.work();
  assert.deepEqual(
    s.receiver.received.map((r) => r.event),
    ['opened'],
  );
  s.receiver.answer(200);
  app.clock.advance(10_000);
  await s.work();
  assert.deepEqual(
    s.receiver.received.map((r) => r.event),
    ['opened', 'opened', 'resolved'],
  );
});

test('an event behind one that waits for a retry is not due before it, although other incidents have arrived since', async (t) => {
  const s = await scene(t, 503);
  const body = { type: 'http', config: { url: 'https://blog.example.com/' }, interval_seconds: 10 };
  const other = await app.alice.ok<Monitor>('POST', `/projects/${s.place.projectId}/monitors`, {
    ...body,
    name: 'Two',
  });
  await say(s.monitor, 'down', 'down');
  await tried(s);
  app.clock.advance(7_000);
  await s.work();
  const { about, next_attempt_at_unix } = await tried(s, 2);
  s.receiver.answer(200);
  await say(other, 'down', 'down');
  await s.work();
  assert.equal((await s.deliveries())[0]?.ok, true);
  await say(s.monitor, 'up', 'up');
  const [resolved] = await s.deliveries();
  assert.deepEqual([resolved?.event, resolved?.about], ['resolved', about]);
  assert.ok((resolved?.next_attempt_at_unix ?? 0) >= (next_attempt_at_unix ?? 0));
});

test('a receiver that is down does not delay another one', async (t) => {
  const s = await scene(t, 503);
  const other = await startReceiver();
  t.after(() => other.stop());
  const hook = { name: 'Other', kind: 'webhook', url: other.url, events: ['opened', 'resolved'] };
  await app.alice.ok('POST', `/organizations/${s.place.orgId}/webhooks`, hook);
  await say(s.monitor, 'down', 'down');
  await say(s.monitor, 'up', 'up');
  await other.next((r) => r.event === 'resolved');
  assert.deepEqual(
    other.received.map((r) => r.event),
    ['opened', 'resolved'],
  );
});

test('deleting a target with queued deliveries sends nothing more', async (t) => {
  const s = await scene(t, 503);
  await say(s.monitor, 'down', 'down');
  await tried(s);
  s.receiver.answer(200);
  await app.alice.ok('DELETE', `/organizations/${s.place.orgId}/webhooks/${s.target.id}`);
  app.clock.advance(60_000);
  await s.work();
  await say(s.monitor, 'up', 'up');
  await s.work();
  assert.equal(s.receiver.received.length, 1);
});

test('a server that dies between the answer and its commit delivers again, with the same id', async (t) => {
  const s = await scene(t, 200);
  await say(s.monitor, 'down', 'down');
  await s.receiver.next((r) => r.event === 'opened');
  await tried(s);
  // What the database holds of a sender that was killed after the receiver had answered.
  const [delivery] = await s.deliveries();
  const lease = new Date(app.clock.ms() + 30_000);
  await sql`
    WITH sent AS (
      UPDATE deliveries SET state = 'pending', finished_at = NULL, next_attempt_at = ${app.clock.now()}
      WHERE id = ${delivery?.id ?? ''} RETURNING seq, id, created_at, event_id, org_id, target_id, lane
    )
    INSERT INTO delivery_queue (seq, delivery_id, created_at, event_id, org_id, target_id, lane, attempts,
      next_attempt_at, leased_until)
    SELECT sent.*, 1, ${lease}, ${lease} FROM sent`.execute(app.db);
  await app.runTask('deliver', { alone: true });
  assert.equal(s.receiver.received.length, 1, 'the lease of the dead sender was not respected');
  app.clock.advance(45_000);
  await app.runTask('audit');
  await s.receiver.next((r) => r !== s.receiver.received[0]);
  const [one, two] = s.receiver.received;
  assert.deepEqual([two?.id, two?.raw], [one?.id, one?.raw]);
  assert.notEqual(two?.deliveryId, one?.deliveryId);
});

test('two workers send the deliveries of one ordering key once', async (t) => {
  const s = await scene(t, 503);
  await say(s.monitor, 'down', 'down');
  await tried(s);
  s.receiver.answer(200);
  app.clock.advance(10_000);
  await Promise.all(Array.from({ length: 6 }, () => s.work()));
  assert.equal(s.receiver.received.length, 2);
});

test('deliveries are listed newest first, in pages', async (t) => {
  const s = await scene(t, 200);
  for (let i = 0; i < 3; i++) await say(s.monitor, 'down', 'down', 'up', 'up');
  const all = await s.deliveries();
  assert.deepEqual(
    all.map((d) => d.event),
    ['resolved', 'opened', 'resolved', 'opened', 'resolved', 'opened'],
  );
  const path = `/organizations/${s.place.orgId}/webhooks/${s.target.id}/deliveries`;
  const page = await app.alice.send<Delivery[]>('GET', `${path}?limit=4`);
  const next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  const rest = await app.alice.ok<Delivery[]>('GET', next);
  assert.deepEqual(
    [...page.body, ...rest].map(({ id }) => id),
    all.map(({ id }) => id),
  );
});
