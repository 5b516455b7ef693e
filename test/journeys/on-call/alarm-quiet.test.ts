// What keeps an alarm quiet, and whom it is loud for: holds, maintenance (docs/rules/on-call-and-alarms.md#pausing), live
// streams.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type EventStream, openEventStream } from '#test/harness/event-stream.ts';
import { grantKey } from '#test/harness/scene.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
});

const MINUTE_MS = 60_000;
const now = () => Math.floor(app.clock.ms() / 1000);
const RINGS = 'the loud alarm rings';
const gated = { alarm_gate: { grace_seconds: 600, origins: ['deployment'] } };
const announce = ({ id }: Monitor) =>
  app.alice.ok('POST', `/monitors/${id}/alarm-holds`, { origin: 'deployment' });
const hold = (scene: AlarmScene, id: string, seconds: number) =>
  scene.carl.ok('POST', scene.url(`incidents/${id}/hold`), { seconds });
const endHold = (incident_id: string) => app.runTask('end_hold', { incident_id });
const ack = (scene: AlarmScene, id: string) => scene.carl.ok('POST', scene.url(`incidents/${id}/ack`));

/** A monitor that goes down while a change is announced. */
async function heldOutage(scene: AlarmScene) {
  const monitor = await scene.create(gated);
  await announce(monitor);
  await scene.say(monitor, 'down', 'down');
  return { monitor, incident: await scene.incidentOf(monitor) };
}

/** Maintenance of a monitor that begins now. */
async function maintain(scene: AlarmScene, monitor: Monitor, minutes: number) {
  const window = await app.alice.ok<{ id: string }>('POST', scene.url('maintenance-windows'), {
    title: 'Works',
    body: '',
    scheduled_start: now(),
    scheduled_end: now() + minutes * 60,
    monitors: [monitor.id],
  });
  const turn = () => app.runTask('maintenance', { window_id: window.id });
  await turn();
  return { ...window, turn };
}

test('an incident that opens on hold wakes nobody; its full chain starts at the second in which the hold ends', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await heldOutage(scene);
  const until = incident.alarm_held_until_unix ?? 0;
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  assert.deepEqual(await scene.paged(incident.id), []);
  assert.equal((await scene.alarmOf(incident.id)).no, null);
  app.clock.advance(until * 1000 - app.clock.ms());
  await endHold(incident.id);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna']);
  assert.deepEqual(await scene.paged(incident.id), ['opened']);
  assert.equal((await scene.alarmOf(incident.id)).started_at?.getTime(), until * 1000);
  await scene.later(incident.id, 10);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
  ]);
  assert.deepEqual(await scene.story(incident.id), [
    'opened',
    'held | Admin | the alarm is held: deployment',
    'hold_ended | ',
    `paged | anna | ${RINGS}`,
    'escalated | stage 1',
    `paged | ben | ${RINGS}`,
  ]);
});

test('an incident that is resolved or acknowledged while it is held wakes nobody', async () => {
  const scene = await makeAlarmScene(app);
  const resolved = await heldOutage(scene);
  await scene.say(resolved.monitor, 'up', 'up');
  const acknowledged = await heldOutage(scene);
  await ack(scene, acknowledged.incident.id);
  app.clock.advance(20 * MINUTE_MS);
  for (const { incident } of [resolved, acknowledged]) {
    await endHold(incident.id);
    assert.deepEqual(await scene.paged(incident.id), []);
    assert.deepEqual(await scene.ringsFor(incident.id), []);
    assert.equal((await scene.alarmOf(incident.id)).no, null);
  }
});

test('a hold in mid-chain silences the alarm and delays all further steps by its length', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  app.clock.advance(2 * MINUTE_MS);
  await hold(scene, incident.id, 3600);
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  await scene.later(incident.id, 30);
  await app.runTask('audit');
  assert.deepEqual(await scene.notices(incident.id), []);
  await hold(scene, incident.id, 0);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna']);
  await scene.later(incident.id, 1 - 1 / 60);
  assert.deepEqual(await scene.notices(incident.id), []);
  await scene.later(incident.id, 1 / 60);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail anna']);
  await scene.later(incident.id, 7);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
  ]);
  const story = await scene.story(incident.id);
  assert.equal(story[4], `paged | anna | ${RINGS} again`);
  // Held again, and by its own second free again.
  await hold(scene, incident.id, 60);
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  app.clock.advance(MINUTE_MS);
  await endHold(incident.id);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'ben']);
  await scene.later(incident.id, 10);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'ben', 'alice']);
});

test('after a hold it does not ring again for somebody who has become a viewer meanwhile', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await scene.later(incident.id, 10);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'ben']);
  await hold(scene, incident.id, 3600);
  await app.alice.ok('PATCH', scene.url(`members/${scene.ben.userId}`), { role: 'viewer' });
  await hold(scene, incident.id, 0);
  const again = (await scene.story(incident.id)).filter((entry) => entry.endsWith(`${RINGS} again`));
  assert.deepEqual(again, [`paged | anna | ${RINGS} again`]);
});

test('an acknowledgement during a hold in mid-chain ends the alarm', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await hold(scene, incident.id, 60);
  await ack(scene, incident.id);
  assert.notEqual((await scene.alarmOf(incident.id)).ended_at, null);
  app.clock.advance(MINUTE_MS);
  await endHold(incident.id);
  await scene.later(incident.id, 60);
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  assert.deepEqual(await scene.notices(incident.id), []);
});

test('maintenance that starts in mid-chain silences the alarm, says so, and its end lets it continue', async () => {
  const scene = await makeAlarmScene(app);
  const { incident, monitor } = await scene.outage();
  app.clock.advance(MINUTE_MS);
  const window = await maintain(scene, monitor, 60);
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  await scene.later(incident.id, 30);
  assert.deepEqual(await scene.notices(incident.id), []);
  app.clock.advance(30 * MINUTE_MS);
  await window.turn();
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna']);
  await scene.later(incident.id, 2);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail anna']);
  assert.deepEqual(await scene.story(incident.id), [
    'opened',
    `paged | anna | ${RINGS}`,
    'suppressed | the alarm is quiet: maintenance',
    `paged | anna | ${RINGS} again`,
  ]);
});

test('a step due in the second in which maintenance starts does not run, even before the start is announced', async () => {
  const scene = await makeAlarmScene(app);
  const { incident, monitor } = await scene.outage();
  const start = now() + 180;
  await app.alice.ok('POST', scene.url('maintenance-windows'), {
    title: 'Works',
    body: '',
    scheduled_start: start,
    scheduled_end: start + 600,
    monitors: [monitor.id],
  });
  await scene.later(incident.id, 3);
  assert.deepEqual(await scene.notices(incident.id), []);
  assert.notEqual((await scene.alarmOf(incident.id)).paused_at, null);
});

test('an incident opened in maintenance is silent until its end, even if that comes early', async () => {
  const scene = await makeAlarmScene(app);
  const monitor = await scene.create();
  const window = await maintain(scene, monitor, 60);
  const { id } = await app.alice.ok<{ id: string }>('POST', scene.url('incidents'), {
    monitor_id: monitor.id,
    severity: 'critical',
    cause: 'It smells of fire',
  });
  assert.deepEqual([await scene.ringsFor(id), await scene.paged(id)], [[], []]);
  // A hold ends meanwhile: the window still keeps it quiet.
  await hold(scene, id, 60);
  await hold(scene, id, 0);
  assert.deepEqual([await scene.ringsFor(id), await scene.paged(id)], [[], []]);
  app.clock.advance(5 * MINUTE_MS);
  await app.alice.ok('POST', scene.url(`maintenance-windows/${window.id}/cancel`));
  assert.deepEqual([await scene.ringsFor(id), await scene.paged(id)], [['anna'], ['opened']]);
  assert.equal((await scene.alarmOf(id)).started_at?.getTime(), app.clock.ms());
  assert.equal((await scene.story(id))[1], 'suppressed | the alarm is quiet: maintenance');
});

const alarms = ({ events }: EventStream) =>
  events.filter(({ event }) => event === 'alarm').map(({ data }) => `${data.change} ${data.monitor_name}`);

test('only the recipients learn of the start and end of the alarm, which does not name the others', async () => {
  const scene = await makeAlarmScene(app);
  const { key } = await grantKey(app, scene.orgId);
  const url = `${app.url}${scene.url('events')}`;
  const open = (credential: Parameters<typeof openEventStream>[1], from?: string) =>
    openEventStream(url, credential, from);
  const [anna, ben, carl, robot] = await Promise.all([
    open(scene.anna.cookie()),
    open(scene.ben.cookie()),
    open(scene.carl.cookie()),
    open({ authorization: `Bearer ${key}` }),
  ]);
  const { incident } = await scene.outage({ name: 'Shop' });
  const rang = await anna.next(({ event }) => event === 'alarm');
  assert.deepEqual(rang.data, {
    incident_id: incident.id,
    monitor_id: incident.monitor_id,
    monitor_name: 'Shop',
    project_id: scene.projectId,
    change: 'ringing',
    severity: 'critical',
    cause: incident.cause,
  });
  await scene.later(incident.id, 10);
  await ben.next(({ event }) => event === 'alarm');
  await ack(scene, incident.id);
  for (const stream of [anna, ben])
    await stream.next(({ event, data }) => event === 'alarm' && data.change === 'ended');
  // What comes behind it has come: so nothing was missed.
  await scene.carl.ok('POST', scene.url(`incidents/${incident.id}/resolve`));
  for (const stream of [anna, ben, carl, robot]) await stream.next(({ data }) => data.change === 'resolved');
  // Those who resume hear what they would have heard.
  const again = await Promise.all([open(scene.anna.cookie(), '0'), open(scene.carl.cookie(), '0')]);
  for (const stream of again) await stream.next(({ data }) => data.change === 'resolved');
  assert.deepEqual([anna, ben, carl, robot, ...again].map(alarms), [
    ['ringing Shop', 'ended Shop'],
    ['ringing Shop', 'ended Shop'],
    [],
    [],
    ['ringing Shop', 'ended Shop'],
    [],
  ]);
  for (const stream of [anna, ben, carl, robot, ...again]) stream.stop();
});

test('ringing alarms are for sessions only', async () => {
  const scene = await makeAlarmScene(app);
  const { key } = await grantKey(app, scene.orgId);
  const answer = await app.visitor().send('GET', scene.url('on-call/ringing'), undefined, {
    authorization: `Bearer ${key}`,
  });
  assert.equal(answer.status, 401);
});

test('overlapping windows say once that they silence an alarm; the next one after it rang says it again', async () => {
  const scene = await makeAlarmScene(app);
  const { monitor, incident } = await scene.outage();
  const said = async () =>
    (await scene.story(incident.id)).filter((line) => line.startsWith('suppressed')).length;
  const first = await maintain(scene, monitor, 10);
  app.clock.advance(5 * MINUTE_MS);
  const second = await maintain(scene, monitor, 10);
  assert.equal(await said(), 1);
  app.clock.advance(5 * MINUTE_MS);
  await first.turn();
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  app.clock.advance(5 * MINUTE_MS);
  await second.turn();
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna']);
  await maintain(scene, monitor, 10);
  assert.equal(await said(), 2);
});
