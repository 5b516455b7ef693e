// Web push: browsers that people subscribe, and what is sent to them, encrypted and signed. The push service is the
// test's own; it verifies and decrypts everything itself (test/harness/push-service.ts).
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import type { PushSubscription } from '#src/user-notifications/contract.ts';
import { noticeEnded } from '#src/user-notifications/ended.ts';
import { enqueueNotices, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { makeAlarm } from '#test/harness/alarms.ts';
import { type Person, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type PushBrowser, type PushService, startPushService } from '#test/harness/push-service.ts';
import { until } from '#test/harness/until.ts';

const PATH = '/me/push/subscriptions';

let app: TestApp;
let service: PushService;
let key = '';
const ended: { userId: string; ok: boolean; error: string | null }[] = [];
before(async () => {
  service = await startPushService();
  closeAfterTests(service.stop);
  app = await startAppOfFile({ env: { MAIL_FROM: 'Tocsin <ops@example.com>' } });
  ({ key } = await app.alice.ok<{ key: string }>('GET', '/me/push/key'));
  noticeEnded.on(async (_work, { userId, ok, error }) => void ended.push({ userId, ok, error }));
});

type Scene = { orgId: string; anna: Person; alarmNo: number; incidentId: string; browsers: PushBrowser[] };

/** Somebody with so many subscribed browsers, in an organization with an alarm. */
async function scene(count = 1): Promise<Scene> {
  const { orgId } = await app.place();
  const anna = await app.person('anna', { [orgId]: 'member' });
  const browsers = Array.from({ length: count }, () => service.browser(key));
  for (const { subscription } of browsers) await anna.ok('POST', PATH, subscription);
  const { alarmNo, incidentIds } = await makeAlarm(app, orgId);
  return { orgId, anna, alarmNo, incidentId: incidentIds[0] ?? '', browsers };
}

async function enqueue({ orgId, anna, alarmNo, incidentId }: Scene, kind: 'alarm' | 'alarm_acknowledged') {
  const incidents = [
    { id: incidentId, monitor_name: 'Shop', cause: 'Connection refused', started_at_unix: 1_800_000_000 },
  ];
  const data = { incidents, total: 1, stage: 'start', by_name: 'Bob' } as const;
  const notice: NewNotice = { orgId, userId: anna.userId, channel: 'push', kind, data, alarmNo };
  await runWork(app.db, app.clock.now(), SYSTEM, (work) => enqueueNotices(work, [notice]));
}

const noticesOf = ({ anna }: Scene) =>
  app.db
    .selectFrom('notices')
    .select(['state', 'attempts', 'error', 'leased_until'])
    .where('user_id', '=', anna.userId)
    .orderBy('no')
    .execute();

async function tried(s: Scene, attempts: number) {
  await until(async () => {
    const [notice] = await noticesOf(s);
    return notice !== undefined && notice.attempts >= attempts && notice.leased_until === null;
  }, `try number ${attempts}`);
  return (await noticesOf(s))[0];
}

const list = (person: Person) => person.ok<PushSubscription[]>('GET', PATH);
const endedFor = ({ anna }: Scene) => ended.filter(({ userId }) => userId === anna.userId);

test('an alarm is pushed: encrypted for the browser, signed by the installation, urgent; its end replaces it', async () => {
  const s = await scene();
  const [browser] = s.browsers;
  await enqueue(s, 'alarm');
  const alarm = await service.next((each) => each.browser === browser?.no);
  assert.deepEqual(alarm.payload, {
    title: 'Alarm: Shop',
    body: 'Connection refused.',
    url: `/app/o/${s.orgId}/incidents/${s.incidentId}`,
    tag: `alarm-${s.alarmNo}`,
    kind: 'alarm',
  });
  assert.deepEqual(
    [alarm.urgency, alarm.ttlSeconds, alarm.claims.sub],
    ['high', 14_400, 'mailto:ops@example.com'],
  );
  await enqueue(s, 'alarm_acknowledged');
  const over = await service.next(({ payload }) => payload.kind === 'alarm_acknowledged');
  assert.deepEqual(
    [over.payload.tag, over.topic, over.payload.body],
    [alarm.payload.tag, alarm.topic, 'The incident was acknowledged by Bob.'],
  );
  assert.equal(over.urgency, 'normal');
  await until(() => endedFor(s).length === 2, 'both are told');
  assert.deepEqual(service.refused, []);
  assert.notEqual((await list(s.anna))[0]?.last_success_at_unix, null);
});

test('the push of a storm names the alarms of the person that joined it, so that they leave the screen', async () => {
  const s = await scene();
  const [browser] = s.browsers;
  const joined = await makeAlarm(app, s.orgId);
  const unheard = await makeAlarm(app, s.orgId);
  const next = (tag: string) =>
    service.next((each) => each.browser === browser?.no && each.payload.tag === tag);
  await enqueue({ ...s, alarmNo: joined.alarmNo }, 'alarm');
  assert.equal((await next(`alarm-${joined.alarmNo}`)).payload.replaces, undefined);
  await tried(s, 1);
  await app.db
    .updateTable('alarms')
    .set({ joined_no: s.alarmNo, ended_at: app.clock.now() })
    .where('no', 'in', [joined.alarmNo, unheard.alarmNo])
    .execute();
  await enqueue(s, 'alarm');
  assert.deepEqual((await next(`alarm-${s.alarmNo}`)).payload.replaces, [`alarm-${joined.alarmNo}`]);
});

test('a browser that has unsubscribed (410) is deleted, and the notice counts as undelivered', async () => {
  const s = await scene();
  service.answer(s.browsers[0] as PushBrowser, 410);
  await enqueue(s, 'alarm');
  const notice = await tried(s, 1);
  assert.deepEqual([notice?.state, notice?.error], ['failed', 'http_status 410']);
  assert.deepEqual([await list(s.anna), endedFor(s).map(({ ok }) => ok)], [[], [false]]);
});

test('a push that was accepted while the database went away is not sent again', async () => {
  const s = await scene(2);
  await sql`CREATE FUNCTION gone() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the database went away' USING ERRCODE = '57P01'; END $$`.execute(app.db);
  await sql`CREATE TRIGGER gone BEFORE UPDATE ON push_subscriptions FOR EACH ROW
    WHEN (NEW.user_id = ${sql.lit(s.anna.userId)}) EXECUTE FUNCTION gone()`.execute(app.db);
  await enqueue(s, 'alarm');
  const notice = await tried(s, 1);
  assert.deepEqual([notice?.state, notice?.error], ['sent', null]);
});

test('if one of two browsers is unreachable the person counts as notified, and only that one is retried', async () => {
  const s = await scene(2);
  const [good, bad] = s.browsers as [PushBrowser, PushBrowser];
  service.answer(bad, 503);
  await enqueue(s, 'alarm');
  await service.next(({ browser }) => browser === good.no);
  const first = await tried(s, 1);
  assert.deepEqual([first?.state, first?.error], ['pending', 'http_status 503']);
  assert.deepEqual(
    endedFor(s).map(({ ok }) => ok),
    [true],
  );
  service.answer(bad, null);
  app.clock.advance(7_000);
  await app.runTask('notices');
  await service.next(({ browser }) => browser === bad.no);
  assert.equal((await tried(s, 2))?.state, 'sent');
  assert.deepEqual([service.tries(good), service.tries(bad), endedFor(s).length], [1, 2, 1]);
});

test('a service that asks for a delay (429, Retry-After) gets it', async () => {
  const s = await scene();
  const [browser] = s.browsers as [PushBrowser];
  service.answer(browser, 429, 60);
  await enqueue(s, 'alarm');
  await tried(s, 1);
  service.answer(browser, null);
  app.clock.advance(59_000);
  await app.runTask('notices');
  assert.equal(service.tries(browser), 1);
  app.clock.advance(1_500);
  await app.runTask('notices');
  assert.deepEqual([service.tries(browser), (await tried(s, 2))?.state], [2, 'sent']);
});

test('the same endpoint again replaces the stored subscription, and belongs to the person now signed in there', async () => {
  const anna = await app.person('anna');
  const bob = await app.person('bob');
  const { subscription } = service.browser(key);
  const first = await anna.ok<PushSubscription>('POST', PATH, subscription);
  const again = await anna.ok<PushSubscription>('POST', PATH, subscription);
  assert.deepEqual([first.id, (await list(anna)).length], [again.id, 1]);
  await bob.ok('POST', PATH, subscription);
  assert.deepEqual([(await list(anna)).length, (await list(bob)).length], [0, 1]);
});

test('a browser that says which endpoint it had before stays one subscription, of its own person only', async () => {
  const anna = await app.person('anna');
  const bob = await app.person('bob');
  const [old, changed, later] = [service.browser(key), service.browser(key), service.browser(key)];
  const first = await anna.ok<PushSubscription>('POST', PATH, old.subscription);
  const replaces = old.subscription.endpoint;
  await bob.ok('POST', PATH, { ...later.subscription, replaces });
  assert.deepEqual([(await list(anna)).length, (await list(bob)).length], [1, 1]);
  // The browser was told of the change before it knew what it had.
  await anna.ok('POST', PATH, changed.subscription);
  const { id } = await anna.ok<PushSubscription>('POST', PATH, { ...changed.subscription, replaces });
  assert.deepEqual([id, (await list(anna)).map((each) => each.id)], [first.id, [first.id]]);
  assert.deepEqual(await anna.ok('POST', `${PATH}/${id}/test`), { ok: true });
  assert.equal((await service.next((each) => each.browser === changed.no)).payload.kind, 'test');
  await anna.ok('POST', PATH, { ...changed.subscription, replaces: 'nothing that is known' });
  assert.equal((await list(anna)).length, 1);
});

test('a test message is sent at once, and reports its outcome', async () => {
  const anna = await app.person('anna');
  const browser = service.browser(key);
  const { id } = await anna.ok<PushSubscription>('POST', PATH, browser.subscription);
  assert.deepEqual(await anna.ok('POST', `${PATH}/${id}/test`), { ok: true });
  assert.equal((await service.next((each) => each.browser === browser.no)).payload.kind, 'test');
  service.answer(browser, 500);
  assert.deepEqual(await anna.ok('POST', `${PATH}/${id}/test`), { ok: false, error: 'http_status 500' });
  assert.equal((await list(anna))[0]?.last_error, 'http_status 500');
  service.answer(browser, 404);
  assert.deepEqual(await anna.ok('POST', `${PATH}/${id}/test`), { ok: false, error: 'http_status 404' });
  assert.deepEqual(await list(anna), []);
});

test('a test message is in the language of the person', async () => {
  const anna = await app.person('anna');
  const browser = service.browser(key);
  const { id } = await anna.ok<PushSubscription>('POST', PATH, browser.subscription);
  await anna.ok('PATCH', '/me', { language: 'de' });
  await anna.ok('POST', `${PATH}/${id}/test`);
  const { payload } = await service.next((each) => each.browser === browser.no);
  assert.equal(payload.body, 'Das ist ein Test: So werden Alarme aussehen.');
});

test('a browser belongs to its person: others find nothing, and its address is never shown or recorded', async () => {
  const anna = await app.person('anna');
  const bob = await app.person('bob');
  const { subscription } = service.browser(key);
  const { id, ...shown } = await anna.ok<PushSubscription>('POST', PATH, subscription);
  assert.deepEqual(Object.keys(shown).sort(), [
    'browser',
    'created_at_unix',
    'last_error',
    'last_success_at_unix',
  ]);
  for (const unknown of [id, 'psb_nonsense', 'x'])
    for (const [method, path] of [
      ['DELETE', `${PATH}/${unknown}`],
      ['POST', `${PATH}/${unknown}/test`],
    ] as const)
      assert.equal((await bob.send(method, path)).status, 404);
  await anna.ok('DELETE', `${PATH}/${id}`);
  assert.deepEqual(await list(anna), []);
  const recorded = await app.db
    .selectFrom('activity')
    .selectAll()
    .where('actor_id', '=', anna.userId)
    .execute();
  assert.deepEqual(
    recorded.map(({ action }) => action).filter((action) => action.startsWith('account.push')),
    ['account.push_subscribe', 'account.push_unsubscribe'],
  );
  assert.ok(!JSON.stringify(recorded).includes(subscription.endpoint));
});

const keysOf = () => ({
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
});

test('a forbidden address and unusable keys are refused by name', async () => {
  const anna = await app.person('anna');
  const keys = keysOf();
  const endpoints = [
    'http://push.example.com/x',
    'ftp://push.example.com/x',
    'https://me:pw@push.example.com/x',
    'https://169.254.169.254/latest',
    'http://10.0.0.1/x',
    'https:///x',
    'nonsense',
    '',
  ];
  for (const endpoint of endpoints) {
    const { status, body } = await anna.send('POST', PATH, { endpoint, keys });
    assert.deepEqual([endpoint, status, (body as { field: string }).field], [endpoint, 400, 'endpoint']);
  }
  const endpoint = 'https://push.example.com/x';
  for (const wrong of [
    { ...keys, auth: 'AAAA' },
    { ...keys, p256dh: randomBytes(65).toString('base64url') },
  ]) {
    const { status, body } = await anna.send('POST', PATH, { endpoint, keys: wrong });
    assert.deepEqual([status, (body as { field: string }).field], [400, 'keys']);
  }
});

test('a person has at most 20 browsers, even if many are added at once', async () => {
  const anna = await app.person('anna');
  const add = (no: number) =>
    anna.send('POST', PATH, { endpoint: `https://push.example.com/${no}`, keys: keysOf() });
  const answers = await Promise.all(Array.from({ length: 22 }, (_, no) => add(no)));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual([statuses.filter((status) => status === 201).length, statuses.at(-1)], [20, 400]);
  const [known] = await app.db
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('user_id', '=', anna.userId)
    .execute();
  const again = await anna.send('POST', PATH, { endpoint: known?.endpoint, keys: keysOf() });
  assert.equal(again.status, 201, 'one of them again is not one more');
});

test('if private addresses are forbidden, neither loopback nor a private address is accepted; tests are limited', async () => {
  await using own = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOKS: 'off', RATE_LIMITS: 'on' } });
  for (const endpoint of [
    'http://127.0.0.1/x',
    'https://127.0.0.1/x',
    'https://10.0.0.1/x',
    'https://localhost/x',
  ])
    assert.equal((await own.alice.send('POST', PATH, { endpoint, keys: keysOf() })).status, 400, endpoint);
  // A name is judged when it is resolved, at every sending.
  const named = { endpoint: 'https://127.0.0.1.nip.invalid/x', keys: keysOf() };
  const { id } = await own.alice.ok<PushSubscription>('POST', PATH, named);
  const answers = [];
  for (let count = 0; count < 7; count++) answers.push(await own.alice.send('POST', `${PATH}/${id}/test`));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200, 429],
  );
});
