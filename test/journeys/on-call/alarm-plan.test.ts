// Who would be notified now (docs/rules/on-call-and-alarms.md#who-would-be-notified): the plan says what the alarm then does.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { AlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import { newId } from '#src/platform/ids.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';

let app: TestApp;
let mailbox: Mailbox;
before(async () => {
  mailbox = await startMailbox();
  closeAfterTests(() => mailbox.stop());
  app = await startAppOfFile({
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com', PAGERDUTY_URL: 'http://127.0.0.1:9' },
  });
});

const planOf = (of: TestApp, orgId: string) =>
  of.alice.ok<AlarmPlan>('GET', `/organizations/${orgId}/on-call/alarm-plan`);

/** `step minutes`, then `name: channel channel`, a channel that does not work with its problem. */
const inShort = ({ steps }: AlarmPlan) =>
  steps.map(({ step, after_minutes, people, targets }) => [
    `${step} ${after_minutes}`,
    ...people.map(({ name, channels }) =>
      [`${name}:`, ...channels.map(({ channel, problem }) => problem ?? channel)].join(' '),
    ),
    ...targets.map(({ name, problem }) => [name, ...(problem ? [problem] : [])].join(' ')),
  ]);

const subscribe = (userId: string) =>
  app.db
    .insertInto('push_subscriptions')
    .values({
      id: newId('psb'),
      user_id: userId,
      endpoint: `https://push.example.com/${userId}`,
      p256dh: 'x',
      auth: 'x',
      browser: 'Firefox',
      created_at: app.clock.now(),
    })
    .execute();

test('the plan lists people, channels and targets in order, with the ones that do not work', async () => {
  const scene = await makeAlarmScene(app);
  await subscribe(scene.ben.userId);
  await app.alice.ok('POST', scene.url('webhooks'), {
    name: 'Hook',
    kind: 'webhook',
    url: 'https://example.com/hook',
    events: ['opened'],
    active: false,
  });
  const monitor = await scene.create({});
  const plan = await app.alice.ok<AlarmPlan>('GET', `/monitors/${monitor.id}/alarm-plan`);
  const anna = 'loud_alarm no_push_subscription';
  assert.deepEqual(inShort(plan), [
    ['start 0', `anna: ${anna}`, 'Hook switched_off', 'Pager'],
    ['mail 3', 'anna: mail'],
    ['stage1 10', 'ben: loud_alarm push mail', 'Pager'],
    ['stage2 20', `Admin: ${anna} mail`, 'Pager'],
    ['reminder 80', `anna: ${anna} mail`, 'ben: loud_alarm push mail', `Admin: ${anna} mail`],
  ]);
  assert.deepEqual(plan.warnings, []);
  assert.equal(plan.quiet, null);
  assert.deepEqual(await planOf(app, scene.orgId), plan);
  await app.db.deleteFrom('push_subscriptions').where('user_id', '=', scene.ben.userId).execute();
});

/** What the plan foretells as notices, by name, in order. */
const foretold = (plan: AlarmPlan) =>
  plan.steps
    .filter(({ step }) => step !== 'reminder')
    .flatMap(({ people }) =>
      people.filter(({ channels }) => channels.some(({ channel }) => channel === 'mail')),
    )
    .map(({ user_id }) => user_id);

async function mailed(scene: AlarmScene, incidentId: string): Promise<string[]> {
  const { no } = await scene.alarmOf(incidentId);
  const rows = await app.db
    .selectFrom('notices')
    .select('user_id')
    .where('alarm_no', '=', no ?? 0)
    .where('channel', '=', 'mail')
    .orderBy('no')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

test('an alarm follows the plan: with a person on call, with nobody on call, and without on-call', async () => {
  for (const settings of [{}, { rotation_mode: 'manual' }, { enabled: false }, { channel_step_minutes: 0 }]) {
    const scene = await makeAlarmScene(app, settings);
    const plan = await planOf(app, scene.orgId);
    const { incident } = await scene.outage();
    await scene.later(incident.id, 20);
    assert.deepEqual(await mailed(scene, incident.id), foretold(plan), JSON.stringify(settings));
    assert.ok(foretold(plan).length > 0);
    await app.alice.ok('POST', scene.url(`incidents/${incident.id}/ack`));
  }
});

test('a plan without on-call notifies owners and admins through every channel at once', async () => {
  const place: Place = await app.place(app.alice, 'free');
  assert.deepEqual(inShort(await planOf(app, place.orgId)), [
    ['start 0', 'Admin: loud_alarm no_push_subscription mail'],
    ['reminder 60', 'Admin: loud_alarm no_push_subscription mail'],
  ]);
  assert.deepEqual((await planOf(app, place.orgId)).warnings, ['no_push_subscription', 'one_person']);
});

test('without a mail server, push and targets it warns that nobody would be notified', async () => {
  await using own = await startTestApp();
  const place = await own.place();
  const plan = await planOf(own, place.orgId);
  assert.deepEqual(plan.warnings, ['nobody', 'mail_not_configured', 'no_push_subscription', 'one_person']);
  assert.deepEqual(inShort(plan)[0], [
    'start 0',
    'Admin: loud_alarm no_push_subscription mail_not_configured',
  ]);
});

test('a monitor whose incidents are only degraded notifies webhooks and chats, and nobody else', async () => {
  const scene = await makeAlarmScene(app);
  await app.alice.ok('POST', scene.url('webhooks'), {
    name: 'Hook',
    kind: 'webhook',
    url: 'https://example.com/hook',
    events: ['opened'],
  });
  const monitor = await scene.create({ severity: 'degraded' });
  const plan = await app.alice.ok<AlarmPlan>('GET', `/monitors/${monitor.id}/alarm-plan`);
  assert.equal(plan.quiet, 'degraded');
  assert.deepEqual(inShort(plan), [['start 0', 'Hook']]);
  assert.deepEqual(plan.warnings, []);
  await scene.say(monitor, 'down', 'down');
  const incident = await scene.incidentOf(monitor);
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  assert.deepEqual(await scene.notices(incident.id), []);
});

test('a paused monitor and one in maintenance say that they would wake nobody now', async () => {
  const scene = await makeAlarmScene(app);
  const monitor = await scene.create({});
  const quiet = async () =>
    (await app.alice.ok<AlarmPlan>('GET', `/monitors/${monitor.id}/alarm-plan`)).quiet;
  assert.equal(await quiet(), null);
  const now = Math.floor(app.clock.ms() / 1000);
  await app.alice.ok('POST', scene.url('maintenance-windows'), {
    title: 'Works',
    body: '',
    scheduled_start: now,
    scheduled_end: now + 600,
    monitors: [monitor.id],
  });
  assert.equal(await quiet(), 'maintenance');
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { enabled: false });
  assert.equal(await quiet(), 'disabled');
});
