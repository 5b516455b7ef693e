// Maintenance over HTTP (docs/rules/confirmation.md#maintenance, docs/rules/confirmation.md#maintenance-windows): planned,
// listed, changed, cancelled; no incident opens inside, and what outlives it opens one then.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { CheckRecord } from '#src/checks/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openEventStream } from '#test/harness/event-stream.ts';
import { resultOf } from '#test/harness/probe.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let driver: ReturnType<typeof speakFor>;
let windows: string;
before(async () => {
  app = await startAppOfFile();
  const place = await app.place();
  driver = speakFor(app, place);
  windows = `/organizations/${place.orgId}/maintenance-windows`;
});

const now = () => Math.floor(app.clock.ms() / 1000);
/** Between so many seconds from now. */
const between = (from: number, until: number) => ({
  scheduled_start: now() + from,
  scheduled_end: now() + until,
});
const plan = (from: number, until: number, monitors: readonly Monitor[], more: object = {}) =>
  app.alice.ok<MaintenanceWindow>('POST', windows, {
    title: 'Move',
    ...between(from, until),
    monitors: monitors.map(({ id }) => id),
    ...more,
  });
const turn = ({ id }: MaintenanceWindow) => app.runTask('maintenance', { window_id: id });
const openOf = async (monitor: Monitor) =>
  (await driver.incidentsOf(monitor)).filter(({ status }) => status === 'open').length;
const enqueuedFor = async ({ id }: MaintenanceWindow) => {
  const { rows } = await sql<{ event: string; body: string }>`
    SELECT event, body FROM outbox WHERE body::json #>> '{maintenance,id}' = ${id} ORDER BY created_at, id`.execute(
    app.db,
  );
  return rows.map(({ event }) => event);
};

test('a window is created by the rules: defaults, foreign and unknown monitors ignored, 400 with the field', async () => {
  const monitor = await driver.create();
  const foreign = speakFor(app, await app.place());
  const stranger = await foreign.create();
  const ids = [monitor.id, stranger.id, 'mon_nobody', newId('mon'), monitor.id];
  const times = between(60, 3660);
  const answer = await app.alice.send<MaintenanceWindow>('POST', windows, {
    title: ' Move ',
    ...times,
    monitors: ids,
  });
  assert.equal(answer.status, 201);
  assert.match(answer.body.id, /^mwn_/);
  assert.deepEqual(answer.body, {
    id: answer.body.id,
    title: 'Move',
    body: '',
    ...times,
    public_visible: true,
    cancelled: false,
    ...{ series_id: null, repeat: null },
    monitors: [{ id: monitor.id, name: monitor.name, by_tag: false }],
    tags: [],
  });
  const bare = await app.alice.ok<MaintenanceWindow>('POST', windows, {
    title: 'Only told',
    body: null,
    public_visible: false,
    monitors: null,
    ...times,
  });
  assert.deepEqual([bare.monitors, bare.body, bare.public_visible], [[], '', false]);

  const refused = { status: 400, error: 'invalid_request' };
  for (const [body, field] of [
    [{ title: 'x', scheduled_start: 10, scheduled_end: 10 }, 'scheduled_end'],
    [{ title: 'x', scheduled_start: 10, scheduled_end: 9 }, 'scheduled_end'],
    [{ title: 'x', scheduled_start: 10, scheduled_end: 10 + 367 * 86_400 }, 'scheduled_end'],
    [{ title: ' \u200b ', ...times }, 'title'],
    [{ ...times }, 'title'],
    [{ title: 'x', scheduled_start: 10 }, 'scheduled_end'],
    [{ title: 'x', ...times, monitor: [] }, 'monitor'],
    [{ title: 'x', ...times, scheduled_start: -1 }, 'scheduled_start'],
  ] as const)
    assertRefused(await app.alice.send('POST', windows, body), { ...refused, field });
  const member = await app.person('mia', { [driver.orgId]: 'member' });
  assertRefused(await member.send('POST', windows, { title: 'x', ...times }), {
    status: 403,
    error: 'forbidden',
  });
  await member.ok('GET', windows);
});

test('windows are listed by state, the latest first, in pages', async () => {
  const own = speakFor(app, await app.place());
  const path = `/organizations/${own.orgId}/maintenance-windows`;
  const make = (from: number, until: number) =>
    app.alice.ok<MaintenanceWindow>('POST', path, { title: 'W', ...between(from, until) });
  const past = await make(-100, -50);
  const active = await make(-10, 50);
  const soon = await make(100, 200);
  const late = await make(300, 400);
  const gone = await make(200, 250);
  for (let i = 0; i < 2; i++) {
    const cancelled = await app.alice.ok<MaintenanceWindow>('POST', `${path}/${gone.id}/cancel`);
    assert.equal(cancelled.cancelled, true);
  }
  const listed = async (query: string) =>
    (await app.alice.ok<MaintenanceWindow[]>('GET', `${path}${query}`)).map(({ id }) => id);
  assert.deepEqual(
    await listed(''),
    [late, gone, soon, active, past].map(({ id }) => id),
  );
  assert.deepEqual(await listed('?state=upcoming'), [late.id, soon.id]);
  assert.deepEqual(await listed('?state=active'), [active.id]);
  assert.deepEqual(await listed('?state=past'), [past.id]);
  assert.deepEqual(await listed('?state=cancelled'), [gone.id]);
  const page = await app.alice.send('GET', `${path}?limit=2`);
  const next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(
    (await app.alice.ok<MaintenanceWindow[]>('GET', next)).map(({ id }) => id),
    [soon.id, active.id],
  );
  assertRefused(await app.alice.send('GET', `${path}?state=over`), {
    status: 400,
    error: 'invalid_request',
    field: 'state',
  });
  assertRefused(await app.alice.send('GET', `${path}?before=${newId('mwn')}`), {
    status: 404,
    error: 'not_found',
  });
  // Half-open: at its very end it is over.
  app.clock.advance(50_000);
  assert.deepEqual(await listed('?state=active'), []);
});

test('each field can be changed alone, a window can be sent back as read, and a cancelled one is over', async () => {
  const [one, two] = [await driver.create(), await driver.create()];
  const window = await plan(100, 200, [one]);
  const path = `${windows}/${window.id}`;
  const change = (body: object) => app.alice.ok<MaintenanceWindow>('PATCH', path, body);
  assert.deepEqual(await change(window), window);
  assert.deepEqual(await change({ title: null, monitors: null, scheduled_end: null }), window);
  assert.deepEqual((await change({ monitors: [two.id, 'mon_nobody'] })).monitors, [
    { id: two.id, name: two.name, by_tag: false },
  ]);
  assert.deepEqual((await change({ monitors: [] })).monitors, []);
  const moved = await change({ ...between(300, 400), title: 'Later', body: 'b', public_visible: false });
  assert.deepEqual(moved, {
    ...window,
    ...between(300, 400),
    title: 'Later',
    body: 'b',
    public_visible: false,
    monitors: [],
  });
  const refused = { status: 400, error: 'invalid_request' };
  assertRefused(await app.alice.send('PATCH', path, { scheduled_end: now() }), {
    ...refused,
    field: 'scheduled_end',
  });
  assertRefused(await app.alice.send('PATCH', path, { cancelled: true }), { ...refused, field: 'cancelled' });
  assertRefused(await app.alice.send('PATCH', path, { title: '' }), { ...refused, field: 'title' });
  await app.alice.ok('POST', `${path}/cancel`);
  assertRefused(await app.alice.send('PATCH', path, { title: 'x' }), {
    status: 409,
    error: 'window_cancelled',
  });
  await app.alice.ok('DELETE', path);
  for (const [method, tail] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/cancel'],
  ] as const)
    assertRefused(await app.alice.send(method, `${path}${tail}`, method === 'PATCH' ? {} : undefined), {
      status: 404,
      error: 'not_found',
    });
  const entries = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${driver.orgId}/activity?limit=10`,
  );
  const actions = entries.filter(({ resource }) => resource.id === window.id).map(({ action }) => action);
  assert.deepEqual(actions.slice(0, 2), ['maintenance.delete', 'maintenance.cancel']);
});

test('inside a window no incident opens and results are marked; an outage that outlasts it opens one at its end', async () => {
  const monitor = await driver.create();
  await driver.say(monitor, 'up');
  const window = await plan(10, 20, [monitor]);
  app.clock.advance(9_000);
  await driver.say(monitor, 'down', 'down', 'down');
  assert.equal(await openOf(monitor), 0);
  assert.equal((await driver.read(monitor)).last_status, 'failed');
  const end = window.scheduled_end * 1000;
  app.clock.advance(end - 1 - app.clock.ms());
  await turn(window);
  assert.equal(await openOf(monitor), 0);
  app.clock.advance(1);
  await Promise.all([turn(window), turn(window)]);
  assert.equal(await openOf(monitor), 1);
  const incident = await driver.incidentOf(monitor);
  assert.equal(incident.started_at_unix, window.scheduled_start + 1);
  assert.equal(incident.evidence?.triggered_at_unix, window.scheduled_end);
  await driver.say(monitor, 'down');
  const marks = (await app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks`)).map(
    (check) => check.in_maintenance,
  );
  assert.deepEqual(marks, [false, true, true, true, false]);
});

/** Reports at once what was checked so many seconds before now. */
const sayLate = (monitor: Monitor, said: 'up' | 'down', ...ago: number[]) =>
  app.probe().post(ago.map((seconds) => resultOf(monitor.id, app.clock.ms() - seconds * 1000, said)));

test('a result from before a window that arrives during it opens its incident', async () => {
  const monitor = await driver.create();
  await driver.say(monitor, 'up');
  await plan(5, 60, [monitor]);
  app.clock.advance(8_000);
  await sayLate(monitor, 'down', 5, 4);
  assert.equal(await openOf(monitor), 1);
  const { evidence } = await driver.incidentOf(monitor);
  assert.equal(evidence?.triggered_at_unix, now() - 4);
});

test('a result from a window that arrives after it is marked, and opens nothing if the outage was over by then', async () => {
  const monitor = await driver.create();
  await driver.say(monitor, 'up');
  const window = await plan(1, 10, [monitor]);
  app.clock.advance(12_000);
  await turn(window);
  await app
    .probe()
    .post([
      ...[9, 8].map((ago) => resultOf(monitor.id, app.clock.ms() - ago * 1000, 'down')),
      ...[6, 5].map((ago) => resultOf(monitor.id, app.clock.ms() - ago * 1000, 'up')),
    ]);
  assert.deepEqual(await driver.incidentsOf(monitor), []);
  const checks = await app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks`);
  assert.deepEqual(
    checks.map((check) => check.in_maintenance),
    [true, true, true, true, false],
  );
});

test('a result from a window that arrives after it opens an incident as of the end, if the outage persists', async () => {
  const monitor = await driver.create();
  await driver.say(monitor, 'up');
  const window = await plan(1, 10, [monitor]);
  app.clock.advance(12_000);
  await turn(window);
  await sayLate(monitor, 'down', 9, 8);
  const { started_at_unix, evidence } = await driver.incidentOf(monitor);
  assert.deepEqual(
    [started_at_unix, evidence?.triggered_at_unix, evidence?.reason],
    [now() - 8, window.scheduled_end, 'maintenance_ended'],
  );
});

test('an outage that ends before its window leaves no incident; one from before the window stays open', async () => {
  const [calm, failing] = [await driver.create(), await driver.create()];
  await driver.say(failing, 'down', 'down');
  assert.equal(await openOf(failing), 1);
  const window = await plan(0, 60, [calm, failing]);
  await driver.say(calm, 'down', 'down', 'up', 'up');
  await driver.say(failing, 'down');
  app.clock.advance(60_000);
  await turn(window);
  assert.deepEqual([await openOf(calm), await openOf(failing)], [0, 1]);
  assert.equal((await driver.incidentsOf(calm)).length, 0);
});

test('a window that is cancelled, deleted, shortened, moved, or without the monitor stops suppressing at once', async () => {
  const end: ((window: MaintenanceWindow) => Promise<unknown>)[] = [
    ({ id }) => app.alice.ok('POST', `${windows}/${id}/cancel`),
    ({ id }) => app.alice.ok('DELETE', `${windows}/${id}`),
    ({ id }) => app.alice.ok('PATCH', `${windows}/${id}`, { scheduled_end: now() }),
    ({ id }) => app.alice.ok('PATCH', `${windows}/${id}`, between(3600, 7200)),
    ({ id }) => app.alice.ok('PATCH', `${windows}/${id}`, { monitors: [] }),
  ];
  for (const [i, act] of end.entries()) {
    const monitor = await driver.create();
    const window = await plan(0, 3600, [monitor]);
    await driver.say(monitor, 'down', 'down');
    assert.equal(await openOf(monitor), 0, `${i}`);
    await act(window);
    assert.equal(await openOf(monitor), 1, `${i}`);
  }
});

test('while another window of the monitor lasts, the end of one opens nothing', async () => {
  const monitor = await driver.create();
  const [short, long] = [await plan(0, 10, [monitor]), await plan(5, 60, [monitor])];
  await driver.say(monitor, 'down', 'down');
  app.clock.advance(10_000);
  await turn(short);
  assert.equal(await openOf(monitor), 0);
  await driver.say(monitor, 'down');
  app.clock.advance(50_000);
  await driver.say(monitor, 'down');
  await turn(long);
  assert.equal(await openOf(monitor), 1);
});

test('targets are notified of the start and the end, once each with two servers, even of windows that only announce', async (context) => {
  const receiver = await startReceiver();
  context.after(() => receiver.stop());
  await using other = await app.another();
  const hook = await app.alice.ok<{ secret: string }>('POST', `/organizations/${driver.orgId}/webhooks`, {
    name: 'Hook',
    kind: 'webhook',
    url: receiver.url,
    events: ['maintenance_started', 'maintenance_ended'],
  });
  receiver.trust(hook.secret);
  const window = await plan(10, 20, [], { title: 'Told' });
  const stream = await openEventStream(
    `${other.url}/organizations/${driver.orgId}/events`,
    app.alice.cookie(),
  );
  context.after(() => stream.stop());
  app.clock.advance(10_000);
  await Promise.all([turn(window), turn(window), turn(window)]);
  const started = await receiver.next(({ event }) => event === 'maintenance_started');
  const { maintenance, incident, monitor, project } = started.body;
  assert.deepEqual([maintenance, incident, monitor, project], [window, null, null, null]);
  assert.ok(started.genuine);
  await stream.next(({ event, data }) => event === 'maintenance' && data.window_id === window.id);
  app.clock.advance(10_000);
  await Promise.all([turn(window), turn(window)]);
  await receiver.next(({ event }) => event === 'maintenance_ended');
  assert.deepEqual(await enqueuedFor(window), ['maintenance_started', 'maintenance_ended']);

  // In the past: nobody. Starting now: at once. Cancelled: the end. While nobody was there: both.
  assert.deepEqual(await enqueuedFor(await plan(-20, -10, [])), []);
  const cut = await plan(0, 100, []);
  assert.deepEqual(await enqueuedFor(cut), ['maintenance_started']);
  await app.alice.ok('POST', `${windows}/${cut.id}/cancel`);
  app.clock.advance(100_000);
  await turn(cut);
  assert.deepEqual(await enqueuedFor(cut), ['maintenance_started', 'maintenance_ended']);
  const never = await plan(10, 20, []);
  await app.alice.ok('POST', `${windows}/${never.id}/cancel`);
  assert.deepEqual(await enqueuedFor(never), []);
  const missed = await plan(10, 20, []);
  await sql`SELECT graphile_worker.remove_job(${`maintenance:${missed.id}`})`.execute(app.db);
  app.clock.advance(60_000);
  await app.runTask('audit');
  await until(async () => (await enqueuedFor(missed)).length > 0, 'the audit has it looked at');
  assert.deepEqual(await enqueuedFor(missed), ['maintenance_started', 'maintenance_ended']);
});

test('a ringing alarm falls silent when maintenance starts and rings again when it ends, and says so', async () => {
  app.clock.advance(300_000); // It joins no storm of those before it.
  const monitor = await driver.create();
  await driver.say(monitor, 'down', 'down');
  const { id } = await driver.incidentOf(monitor);
  const alarms = app.db.selectFrom('incidents').innerJoin('alarms', 'alarms.no', 'incidents.alarm_no');
  const alarm = () =>
    alarms.select('alarms.paused_at').where('incidents.id', '=', id).executeTakeFirstOrThrow();
  assert.equal((await alarm()).paused_at, null);
  const window = await plan(0, 60, [monitor]);
  assert.notEqual((await alarm()).paused_at, null);
  assert.ok((await driver.timeline(id)).some(({ kind }) => kind === 'suppressed'));
  app.clock.advance(60_000);
  await turn(window);
  assert.equal((await alarm()).paused_at, null);
});

test('a group ignores a member that fails during its maintenance, and fails when that is over', async () => {
  const member = await driver.create();
  const group = await app.alice.ok<Monitor>('POST', `/projects/${driver.projectId}/monitors`, {
    name: 'All',
    type: 'group',
    config: { members: [member.id], rule: 'any_failed' },
  });
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', group.id)
    .executeTakeFirstOrThrow();
  const derive = () => app.runTask('group', { monitor_no: no });
  await driver.say(member, 'up');
  await derive();
  const window = await plan(0, 60, [member]);
  await driver.say(member, 'down', 'down');
  await derive();
  assert.equal(await openOf(group), 0);
  app.clock.advance(window.scheduled_end * 1000 - app.clock.ms() - 2000);
  await driver.say(member, 'down');
  app.clock.advance(1000);
  await turn(window);
  await derive();
  assert.deepEqual([await openOf(member), await openOf(group)], [1, 1]);
});

test('a heartbeat that misses its time inside a window opens nothing before the window ends', async () => {
  const heartbeat = await driver.create({
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 60 }, grace_seconds: 10 },
    policy: { alarm_consecutive: 1 },
  });
  const { ping_url } = heartbeat.config as { ping_url: string };
  await fetch(new URL(new URL(ping_url).pathname, app.url));
  const window = await plan(30, 300, [heartbeat]);
  for (let i = 0; i < 29; i++) {
    app.clock.advance(10_000);
    await app.runTask('heartbeats');
  }
  assert.equal(await openOf(heartbeat), 0);
  app.clock.advance(10_000);
  await app.runTask('heartbeats');
  await turn(window);
  assert.equal(await openOf(heartbeat), 1);
});

test('a narrowed key creates windows for its own monitors only, sees only those, and changes no window of others', async () => {
  const place: Place = await app.place();
  const own = speakFor(app, place);
  const [mine, theirs] = [await own.create(), await own.create()];
  const path = `/organizations/${place.orgId}/maintenance-windows`;
  const { key } = await grantKey(app, place.orgId, { monitorIds: [mine.id] });
  const asKey = (method: string, url: string, body?: object) =>
    app
      .visitor()
      .send<MaintenanceWindow & MaintenanceWindow[]>(method, url, body, { authorization: `Bearer ${key}` });
  const body = { title: 'W', ...between(10, 20) };
  const forbidden = { status: 403, error: 'forbidden' };
  const window = await asKey('POST', path, { ...body, monitors: [mine.id, 'mon_nobody'] });
  assert.equal(window.status, 201);
  assertRefused(await asKey('POST', path, { ...body, monitors: [mine.id, theirs.id] }), forbidden);
  assertRefused(await asKey('POST', path, body), forbidden);
  assertRefused(await asKey('POST', path, { nonsense: true, monitors: [theirs.id] }), forbidden);

  const shared = await app.alice.ok<MaintenanceWindow>('POST', path, {
    ...body,
    monitors: [mine.id, theirs.id],
  });
  const foreign = await app.alice.ok<MaintenanceWindow>('POST', path, { ...body, monitors: [theirs.id] });
  const listed = (await asKey('GET', path)).body;
  assert.deepEqual(
    listed.map(({ id, monitors }) => [id, monitors.map((each) => each.id)]),
    [
      [shared.id, [mine.id]],
      [window.body.id, [mine.id]],
    ],
  );
  for (const { id } of [shared, foreign]) {
    assertRefused(await asKey('PATCH', `${path}/${id}`, { title: 'x' }), forbidden);
    assertRefused(await asKey('DELETE', `${path}/${id}`), forbidden);
    assertRefused(await asKey('POST', `${path}/${id}/cancel`), forbidden);
  }
  assertRefused(await asKey('PATCH', `${path}/${window.body.id}`, { monitors: [theirs.id] }), forbidden);
  assert.equal((await asKey('PATCH', `${path}/${window.body.id}`, { title: 'x' })).status, 200);
  assert.equal((await asKey('DELETE', `${path}/${window.body.id}`)).status, 204);
});

test('deleting a monitor removes it from its windows, deleting an organization deletes them', async () => {
  const owner = await app.person('otto');
  const place = await app.place(owner);
  const monitor = await owner.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    name: 'Gone',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
  });
  const path = `/organizations/${place.orgId}/maintenance-windows`;
  const window = await owner.ok<MaintenanceWindow>('POST', path, {
    title: 'W',
    ...between(0, 60),
    monitors: [monitor.id],
  });
  await owner.ok('DELETE', `/monitors/${monitor.id}`);
  assert.deepEqual(await owner.ok('GET', path), [{ ...window, monitors: [] }]);
  await owner.ok('DELETE', `/organizations/${place.orgId}`);
  app.clock.advance(60_000);
  await turn(window);
  const left = await app.db
    .selectFrom('maintenance_windows')
    .select('id')
    .where('id', '=', window.id)
    .execute();
  assert.deepEqual(left, []);
});
