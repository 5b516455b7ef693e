// Alarm gates and announced changes over HTTP (docs/rules/confirmation.md#announced-changes): incidents that open during a
// change have their alarm held, and nothing else of them is different.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openEventStream } from '#test/harness/event-stream.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

let app: TestApp;
let driver: ReturnType<typeof speakFor>;
before(async () => {
  app = await startAppOfFile();
  driver = speakFor(app, await app.place());
});

const now = () => Math.floor(app.clock.ms() / 1000);
const gated = (grace_seconds: number | null = null, origins = ['deployment', 'manual']) =>
  driver.create({ alarm_gate: { grace_seconds, origins } });
const announce = ({ id }: Monitor, body: object) =>
  app.alice.send<{ held_until_unix: number; origin: string }>('POST', `/monitors/${id}/alarm-holds`, body);
const held = async (monitor: Monitor) => {
  const { alarm_held_until_unix, alarm_held_by_name } = await driver.incidentOf(monitor);
  return [alarm_held_until_unix, alarm_held_by_name];
};
/** Kinds of the timeline, without whom the alarm reached. */
const story = async (monitor: Monitor) => {
  const entries = await driver.timeline((await driver.incidentOf(monitor)).id);
  return entries
    .filter(({ kind }) => kind !== 'paged' && kind !== 'delivery_failed')
    .map(({ kind, at_unix, actor_name }) => [kind, at_unix, actor_name]);
};
const endHold = async (monitor: Monitor) =>
  app.runTask('end_hold', { incident_id: (await driver.incidentOf(monitor)).id });

test('announcing a change returns the duration of its hold: the gate’s, 300 s by default, or less', async () => {
  const monitor = await gated(600);
  const until = (seconds: number, body: object) => [201, now() + seconds, body];
  for (const [asked, seconds] of [
    [undefined, 600],
    [null, 600],
    [60, 60],
    [601, 600],
    [2_000_000_000, 600],
  ] as const) {
    const answer = await announce(monitor, { origin: 'deployment', seconds: asked });
    assert.deepEqual([answer.status, answer.body.held_until_unix, answer.body], until(seconds, answer.body));
    assert.equal(answer.body.origin, 'deployment');
  }
  const { body } = await announce(await gated(), { origin: 'manual' });
  assert.equal(body.held_until_unix, now() + 300);
});

test('an unknown origin is a malformed request, one outside the gate a conflict', async () => {
  const monitor = await gated();
  const origin = { field: 'origin' };
  assertRefused(await announce(monitor, { origin: 'whim' }), {
    status: 400,
    error: 'invalid_request',
    ...origin,
  });
  assertRefused(await announce(monitor, {}), { status: 400, error: 'invalid_request', ...origin });
  const conflict = { status: 409, error: 'origin_not_in_gate', ...origin };
  assertRefused(await announce(monitor, { origin: 'reboot' }), conflict);
  assertRefused(await announce(await driver.create(), { origin: 'deployment' }), conflict);
  assertRefused(await announce(monitor, { origin: 'manual', name: ' ' }), {
    status: 400,
    error: 'empty_name',
    field: 'name',
  });
});

test('an incident that opens meanwhile is held, is announced to webhooks as held, and may resolve silently', async () => {
  const monitor = await gated();
  const hook = { name: 'Hook', kind: 'webhook', url: 'http://127.0.0.1:9/x', events: ['opened', 'resolved'] };
  await app.alice.ok('POST', `/organizations/${driver.orgId}/webhooks`, hook);
  const { body } = await announce(monitor, { origin: 'deployment', name: 'release 42' });
  await driver.say(monitor, 'down', 'down');
  const opened = now();
  assert.deepEqual(await held(monitor), [body.held_until_unix, 'release 42']);
  const incident = await driver.incidentOf(monitor);
  const sent = await app.db
    .selectFrom('outbox')
    .select('body')
    .where('incident_id', '=', incident.id)
    .executeTakeFirstOrThrow();
  const sentIncident = (JSON.parse(sent.body) as { incident: typeof incident }).incident;
  assert.deepEqual(
    [sentIncident.alarm_held_until_unix, sentIncident.alarm_held_by_name],
    [body.held_until_unix, 'release 42'],
  );
  await driver.say(monitor, 'up', 'up');
  assert.deepEqual(await held(monitor), [null, null]);
  app.clock.advance(400_000);
  await endHold(monitor);
  assert.deepEqual(
    (await story(monitor)).filter(([kind]) => kind !== 'delivery_failed'),
    [
      ['opened', opened, null],
      ['held', opened, 'release 42'],
      ['resolved', opened + 2, null],
    ],
  );
});

test('the hold ends exactly when its time is over, in the timeline and live', async () => {
  const monitor = await gated(60);
  const stream = await openEventStream(`${app.url}/organizations/${driver.orgId}/events`, app.alice.cookie());
  const { body } = await announce(monitor, { origin: 'manual' });
  await driver.say(monitor, 'down', 'down');
  const opened = now();
  const { id } = await driver.incidentOf(monitor);
  assert.deepEqual(await held(monitor), [body.held_until_unix, 'Admin']);
  // Too early: nothing happens.
  app.clock.advance(50_000);
  await endHold(monitor);
  assert.deepEqual(await held(monitor), [body.held_until_unix, 'Admin']);
  app.clock.advance(10_000);
  // Between its second and the job the API already tells none.
  assert.deepEqual(await held(monitor), [null, null]);
  await endHold(monitor);
  await endHold(monitor);
  assert.deepEqual(
    (await story(monitor)).filter(([kind]) => kind !== 'delivery_failed'),
    [
      ['opened', opened, null],
      ['held', opened, 'Admin'],
      ['hold_ended', body.held_until_unix, null],
    ],
  );
  const stored = await app.db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst();
  assert.deepEqual([stored?.alarm_held_until, stored?.alarm_held_by_name], [null, null]);
  const live = await stream.next(({ data }) => data.change === 'hold_ended');
  assert.equal(live.data.incident_id, id);
  stream.stop();
});

test('the auditor ends a hold whose job was lost', async () => {
  const monitor = await gated(60);
  const stream = await openEventStream(`${app.url}/organizations/${driver.orgId}/events`, app.alice.cookie());
  await announce(monitor, { origin: 'manual' });
  await driver.say(monitor, 'down', 'down');
  const { id } = await driver.incidentOf(monitor);
  await sql`SELECT graphile_worker.remove_job(${`end_hold:${id}`})`.execute(app.db);
  app.clock.advance(66_000);
  await app.runTask('audit');
  await stream.next(({ data }) => data.change === 'hold_ended' && data.incident_id === id);
  stream.stop();
});

test('incidents from before the announcement, or after it has expired, are not held', async () => {
  const before = await gated(60);
  await driver.say(before, 'down', 'down');
  await announce(before, { origin: 'deployment' });
  assert.deepEqual(await held(before), [null, null]);

  const after = await gated(60);
  await announce(after, { origin: 'deployment' });
  app.clock.advance(60_000);
  await driver.say(after, 'down', 'down');
  assert.deepEqual(await held(after), [null, null]);
});

test('of several announcements the one that ends last counts', async () => {
  const monitor = await gated();
  await announce(monitor, { origin: 'deployment', seconds: 100, name: 'long' });
  await announce(monitor, { origin: 'manual', seconds: 50, name: 'short' });
  const until = now() + 100;
  await driver.say(monitor, 'down', 'down');
  assert.deepEqual(await held(monitor), [until, 'long']);
});

test('zero seconds end the change and release its incidents at once, unless another hold remains', async () => {
  const monitor = await gated();
  await announce(monitor, { origin: 'deployment', seconds: 100, name: 'deploy' });
  await announce(monitor, { origin: 'manual', seconds: 50, name: 'hand' });
  const until = now() + 50;
  await driver.say(monitor, 'down', 'down');
  const over = await announce(monitor, { origin: 'deployment', seconds: 0 });
  assert.deepEqual([over.status, over.body], [201, { held_until_unix: now(), origin: 'deployment' }]);
  assert.deepEqual(await held(monitor), [until, 'hand']);
  await announce(monitor, { origin: 'manual', seconds: 0 });
  assert.deepEqual(await held(monitor), [null, null]);
  assert.deepEqual((await story(monitor)).at(-1), ['hold_ended', now(), 'Admin']);
  // Of the next incident nothing is held any more.
  await driver.say(monitor, 'up', 'up', 'down', 'down');
  assert.deepEqual(await held(monitor), [null, null]);
});

test('a key announces under its own name, so does any member, and both are recorded', async () => {
  const monitor = await gated();
  const { key } = await grantKey(app, driver.orgId, { scopes: ['monitors:write'], monitorIds: [monitor.id] });
  const path = `/monitors/${monitor.id}/alarm-holds`;
  const headers = { authorization: `Bearer ${key}` };
  const body = { origin: 'deployment', seconds: 200 };
  assert.equal((await app.visitor().send('POST', path, body, headers)).status, 201);
  const member = await app.person('mia', { [driver.orgId]: 'member' });
  await member.ok('POST', path, { origin: 'manual', seconds: 100 });
  await driver.say(monitor, 'down', 'down');
  assert.equal((await held(monitor))[1], 'Robot');
  const log = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${driver.orgId}/activity`);
  assert.deepEqual(
    log.slice(0, 2).map(({ action, actor, resource }) => [action, actor.kind, resource.id]),
    [
      ['monitor.announce_change', 'user', monitor.id],
      ['monitor.announce_change', 'key', monitor.id],
    ],
  );
});

test('a deleted person is no longer named where they held an alarm', async () => {
  const monitor = await gated();
  const zoe = await app.person('zoe', { [driver.orgId]: 'member' });
  await zoe.ok('POST', `/monitors/${monitor.id}/alarm-holds`, { origin: 'manual' });
  await driver.say(monitor, 'down', 'down');
  const [, name] = await held(monitor);
  assert.match(String(name), /zoe/);
  await zoe.ok('DELETE', '/me', { password: 'a long enough password' });
  assert.equal((await held(monitor))[1], 'Deleted user');
  assert.ok((await story(monitor)).every(([, , actor]) => actor !== name));
});
