// Webhook targets over HTTP: create, read, change, rotate, test, delete (docs/rules/notifications.md#targets).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { httpServer } from '#test/harness/listeners.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let place: Place;
let hooks: string;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  hooks = `/organizations/${place.orgId}/webhooks`;
});

const INVALID = { status: 400, error: 'invalid_request' };
const BODY = {
  name: 'Hook',
  kind: 'webhook',
  url: 'https://hooks.example.com/in',
  events: ['opened', 'resolved'],
};
type Created = WebhookTarget & { secret: string };
const create = (fields: object = {}) => app.alice.ok<Created>('POST', hooks, { ...BODY, ...fields });

test('of several people who delete a target at once, one succeeds', async () => {
  const { id } = await create();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.alice.send('DELETE', `${hooks}/${id}`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array<number>(7).fill(404)]);
  const path = `/organizations/${place.orgId}/activity?action=webhook.delete&resource_id=${id}`;
  assert.equal((await app.alice.ok<unknown[]>('GET', path)).length, 1);
});

test('deleting a target during a delivery leaves no further records of it', async (t) => {
  const ofPlace = await app.place();
  const path = `/organizations/${ofPlace.orgId}/webhooks`;
  let id = '';
  const port = await httpServer(t, (_request, response) => {
    const deleted = app.alice.ok('DELETE', `${path}/${id}`);
    void deleted.finally(() => response.writeHead(410).end());
  });
  const body = { ...BODY, url: `http://127.0.0.1:${port}/` };
  const writtenSince = async () => {
    const log = await app.alice.ok<{ action: string }[]>('GET', `/organizations/${ofPlace.orgId}/activity`);
    return log.map(({ action }) => action).filter((action) => /^webhook\.(test|deactivate)$/.test(action));
  };
  id = (await app.alice.ok<Created>('POST', path, body)).id;
  const { status_code } = await app.alice.ok<{ status_code: number }>('POST', `${path}/${id}/test`);
  assert.equal(status_code, 410);
  assert.deepEqual(await writtenSince(), []);
});

test('creating answers 201 with the target and its secret, which is shown only once', async () => {
  const answer = await app.alice.send<Created>('POST', hooks, BODY);
  assert.equal(answer.status, 201);
  const { secret, ...target } = answer.body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.match(target.id, /^wht_/);
  assert.deepEqual(target, {
    id: target.id,
    ...BODY,
    active: true,
    region: null,
    secret_hint: `whsec_••••${secret.slice(-4)}`,
    created_at_unix: Math.floor(app.clock.ms() / 1000),
    last_delivery_at_unix: null,
    last_delivery_ok: null,
    last_error: null,
    failing_since_unix: null,
    project_ids: [],
    tags: [],
    min_severity: 'degraded',
  });
  const list = await app.alice.ok<WebhookTarget[]>('GET', hooks);
  assert.deepEqual(
    list.find(({ id }) => id === target.id),
    target,
  );
  const row = await app.db
    .selectFrom('webhook_targets')
    .selectAll()
    .where('id', '=', target.id)
    .executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(row).includes(secret.slice(6, 40)));
  const activity = await app.db
    .selectFrom('activity')
    .selectAll()
    .where('resource_id', '=', target.id)
    .execute();
  assert.equal(activity.length, 1);
  assert.ok(!JSON.stringify(activity).includes(secret.slice(6, 40)));
});

const refused: [fields: Record<string, unknown>, error: string, field: string, reason?: string][] = [
  [{ name: '' }, 'empty_name', 'name'],
  [{ name: '  ' }, 'empty_name', 'name'],
  [{ events: [] }, 'invalid_request', 'events'],
  [{ events: ['opened', 'exploded'] }, 'invalid_request', 'events'],
  [{ events: 'opened' }, 'invalid_request', 'events'],
  [{ url: 'hooks.example.com' }, 'invalid_target', 'url', 'unsupported_scheme'],
  [{ url: 'ftp://hooks.example.com' }, 'invalid_target', 'url', 'unsupported_scheme'],
  [{ url: 'https://' }, 'invalid_target', 'url', 'no_host'],
  [{ url: 'https://hooks.example.com:70000/' }, 'invalid_target', 'url', 'port_range'],
  [{ url: 'http://169.254.169.254/' }, 'invalid_target', 'url'],
  [{ url: 'https://user:pass@hooks.example.com/' }, 'invalid_target', 'url'],
  [{ active: 'yes' }, 'invalid_request', 'active'],
  [{ secret: 'whsec_mine' }, 'invalid_request', 'secret'],
];
for (const [fields, error, field, reason] of refused)
  test(`${JSON.stringify(fields)} is refused on create and on update`, async () => {
    const target = await create();
    const expected = { status: 400, error, field, ...(reason ? { reason } : {}) };
    assertRefused(await app.alice.send('POST', hooks, { ...BODY, ...fields }), expected);
    assertRefused(await app.alice.send('PATCH', `${hooks}/${target.id}`, fields), expected);
  });

test('an unknown event is named in the refusal', async () => {
  const { body } = await app.alice.send<{ message: string }>('POST', hooks, {
    ...BODY,
    events: ['exploded'],
  });
  assert.match(body.message, /exploded/);
});

test('a kind that does not exist is refused', async () => {
  assertRefused(await app.alice.send('POST', hooks, { ...BODY, kind: 'pigeon' }), {
    ...INVALID,
    field: 'kind',
  });
});

test('a missing url is an invalid target', async () => {
  const { url: _, ...without } = BODY;
  assertRefused(await app.alice.send('POST', hooks, without), {
    status: 400,
    error: 'invalid_target',
    field: 'url',
    reason: 'missing',
  });
});

test('an update merges the given fields; a target can be sent back as read', async () => {
  const { secret: _, ...target } = await create();
  const path = `${hooks}/${target.id}`;
  assert.deepEqual(await app.alice.ok('PATCH', path, {}), target);
  assert.deepEqual(await app.alice.ok('PATCH', path, target), target);
  assert.deepEqual(
    await app.alice.ok('PATCH', path, { name: null, url: null, events: null, active: null }),
    target,
  );
  const changed = {
    name: 'Other',
    url: 'https://other.example.com/',
    events: ['acknowledged'],
    active: false,
  };
  assert.deepEqual(await app.alice.ok('PATCH', path, changed), { ...target, ...changed });
  for (const [field, value] of [
    ['id', 'wht_x'],
    ['kind', 'slack'],
    ['secret_hint', 'x'],
    ['last_delivery_ok', true],
    ['failing_since_unix', 1],
  ] as const)
    assertRefused(await app.alice.send('PATCH', path, { [field]: value }), { ...INVALID, field });
});

test('a test event is real, signed and marked; the answer shows its outcome', async () => {
  const receiver = await startReceiver();
  try {
    const target = await create({ url: receiver.url });
    receiver.trust(target.secret);
    const answer = await app.alice.ok<Record<string, unknown>>('POST', `${hooks}/${target.id}/test`);
    assert.deepEqual([answer.ok, answer.status_code, answer.error], [true, 200, undefined]);
    assert.ok(Number.isInteger(answer.latency_ms));
    const [received] = receiver.received;
    assert.ok(received?.genuine);
    assert.deepEqual(
      [
        received.event,
        received.body.event,
        received.body.test,
        received.body.incident,
        received.body.monitor,
        received.body.project,
      ],
      ['test', 'test', true, null, null, null],
    );
    assert.equal((received.body.organization as { id: string }).id, place.orgId);
    assert.equal(received.id, received.body.id);
    const [read] = (await app.alice.ok<WebhookTarget[]>('GET', hooks)).filter(({ id }) => id === target.id);
    assert.deepEqual([read?.last_delivery_ok, read?.last_error], [true, null]);

    receiver.answer(500);
    const failed = await app.alice.ok<Record<string, unknown>>('POST', `${hooks}/${target.id}/test`);
    assert.deepEqual([failed.ok, failed.status_code], [false, 500]);
    assert.match(String(failed.error), /500/);
  } finally {
    await receiver.stop();
  }
});

test('a target shows since when its deliveries have failed until one arrives; a failed test does not count', async () => {
  const own = await app.place();
  const path = `/organizations/${own.orgId}/webhooks`;
  const receiver = await startReceiver();
  try {
    receiver.answer(500);
    const { id } = await app.alice.ok<Created>('POST', path, { ...BODY, url: receiver.url });
    const read = async () => (await app.alice.ok<WebhookTarget[]>('GET', path))[0];
    await app.alice.ok('POST', `${path}/${id}/test`);
    assert.deepEqual([(await read())?.last_delivery_ok, (await read())?.failing_since_unix], [false, null]);
    const failedAt = Math.floor(app.clock.ms() / 1000);
    const incident = { cause: 'Payments fail', severity: 'critical' };
    await app.alice.ok('POST', `/organizations/${own.orgId}/incidents`, incident);
    await until(async () => (await read())?.failing_since_unix === failedAt, 'a delivery that failed');
    receiver.answer(200);
    await app.alice.ok('POST', `${path}/${id}/test`);
    assert.equal((await read())?.failing_since_unix, null);
  } finally {
    await receiver.stop();
  }
});

test('a test event that nobody receives says why', async () => {
  const receiver = await startReceiver();
  await receiver.stop();
  const target = await create({ url: receiver.url });
  const answer = await app.alice.ok<Record<string, unknown>>('POST', `${hooks}/${target.id}/test`);
  assert.deepEqual([answer.ok, answer.status_code, answer.error], [false, undefined, 'connect_refused']);
});

test('a new secret invalidates the old one at once', async () => {
  const receiver = await startReceiver();
  try {
    const target = await create({ url: receiver.url });
    receiver.trust(target.secret);
    const { secret } = await app.alice.ok<{ secret: string }>('POST', `${hooks}/${target.id}/rotate-secret`);
    assert.notEqual(secret, target.secret);
    await app.alice.ok('POST', `${hooks}/${target.id}/test`);
    receiver.trust(secret);
    await app.alice.ok('POST', `${hooks}/${target.id}/test`);
    assert.deepEqual(
      receiver.received.map((delivery) => delivery.genuine),
      [false, true],
    );
    const [read] = (await app.alice.ok<WebhookTarget[]>('GET', hooks)).filter(({ id }) => id === target.id);
    assert.equal(read?.secret_hint, `whsec_••••${secret.slice(-4)}`);
  } finally {
    await receiver.stop();
  }
});

test('a deleted target is gone', async () => {
  const target = await create();
  assert.deepEqual((await app.alice.send('DELETE', `${hooks}/${target.id}`)).status, 204);
  for (const [method, end] of [
    ['DELETE', ''],
    ['PATCH', ''],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
    ['GET', '/deliveries'],
  ] as const) {
    const body = method === 'PATCH' ? {} : undefined;
    assertRefused(await app.alice.send(method, `${hooks}/${target.id}${end}`, body), {
      status: 404,
      error: 'not_found',
    });
  }
});

test('if private addresses are not allowed they are refused: on write, or when connecting', async () => {
  await using strict = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOKS: 'off' } });
  const path = `/organizations/${strict.home.orgId}/webhooks`;
  for (const url of ['http://127.0.0.1/', 'http://10.0.0.1/', 'http://[::1]/', 'http://0x7f000001/'])
    assertRefused(await strict.alice.send('POST', path, { ...BODY, url }), {
      status: 400,
      error: 'invalid_target',
      field: 'url',
    });
  assertRefused(await strict.alice.send('POST', path, { ...BODY, url: 'http://localhost/' }), {
    status: 400,
    error: 'invalid_target',
    field: 'url',
    reason: 'needs_two_labels',
  });
  const receiver = await startReceiver();
  try {
    const target = await strict.alice.ok<Created>('POST', path, BODY);
    await strict.db
      .updateTable('webhook_targets')
      .set({ url: receiver.url })
      .where('id', '=', target.id)
      .execute();
    const answer = await strict.alice.ok<Record<string, unknown>>('POST', `${path}/${target.id}/test`);
    assert.deepEqual([answer.ok, answer.error], [false, 'blocked_target']);
    assert.equal(receiver.received.length, 0);
  } finally {
    await receiver.stop();
  }
});

test('an organization has at most 200 targets, even if many are created at once', async () => {
  const { orgId } = await app.place();
  await app.db
    .insertInto('webhook_targets')
    .values(
      Array.from({ length: 198 }, (_, i) => ({
        ...{ id: `wht_full_${i}`, org_id: orgId, name: 'One of many', kind: 'webhook', url: BODY.url },
        ...{ events: BODY.events, active: false, secret_hint: '', created_at: app.clock.now() },
      })),
    )
    .execute();
  const path = `/organizations/${orgId}/webhooks`;
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => app.alice.send<Created>('POST', path, BODY)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)?.body as unknown as Record<string, unknown>;
  assert.deepEqual([refused.error, refused.limit], ['limit_reached', 200]);
  const kept = answers.find(({ status }) => status === 201)?.body;
  await app.alice.ok('DELETE', `${path}/${kept?.id}`);
  await app.alice.ok('POST', path, BODY);
});
