// Fire drills (docs/rules/on-call-and-alarms.md#fire-drills): the real chain, marked as a drill, with a record of what arrived.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Delivery } from '#src/notifications/contract.ts';
import type { DrillRecord } from '#src/on-call/drills/contract.ts';
import { MAX_DRILLS_PER_DAY } from '#src/on-call/drills/start.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { type Person, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let mailbox: Mailbox;
before(async () => {
  mailbox = await startMailbox();
  closeAfterTests(() => mailbox.stop());
  app = await startAppOfFile({
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com', PAGERDUTY_URL: 'http://127.0.0.1:9' },
  });
});

const start = (scene: AlarmScene, body: object = {}) =>
  app.alice.ok<DrillRecord>('POST', scene.url('on-call/drills'), body);
const drill = (scene: AlarmScene, id: string, who: Person = app.alice) =>
  who.ok<DrillRecord>('GET', scene.url(`on-call/drills/${id}`));
const act = (scene: AlarmScene, id: string, what: 'ack' | 'stop' | 'rings', who: Person = app.alice) =>
  who.ok<DrillRecord>('POST', scene.url(`on-call/drills/${id}/${what}`));

/** Minutes later the stored job of the drill runs, and what it sends is sent. */
async function later(id: string, minutes: number): Promise<void> {
  app.clock.advance(minutes * 60_000);
  const { no } = await app.db
    .selectFrom('alarms')
    .select('no')
    .where('drill_id', '=', id)
    .executeTakeFirstOrThrow();
  await app.runTask('alarm', { alarm_no: no });
}

/** `step channel name: state error` of all that a drill was to reach. */
const inShort = ({ reaches }: DrillRecord) =>
  reaches.map(({ step, channel, name, state, error }) =>
    `${step} ${channel} ${name}: ${state} ${error ?? ''}`.trim(),
  );

const TRIED = 'start pagerduty Pager: waiting connect_refused';

/** Subjects and texts of the drill's mails so far. */
const mailsOf = (id: string) =>
  mailbox.received.filter(({ mail }) => mail.text?.includes(id)).map(({ mail }) => mail);

async function sent(scene: AlarmScene, count: number, id: string) {
  await until(async () => mailsOf(id).length >= count, `${count} mails of the drill`);
  await until(
    async () =>
      !(await drill(scene, id)).reaches.some(
        ({ channel, state }) => channel === 'mail' && state === 'waiting',
      ),
    'they are recorded',
  );
}

test('a drill goes through the chain of a real alarm with its delays, and ends if nobody answers', async () => {
  const scene = await makeAlarmScene(app);
  const { id, ...begun } = await start(scene);
  assert.deepEqual(
    [begun.scope, begun.outcome, begun.started_by_name, begun.coming.map(({ step }) => step)],
    ['chain', null, 'Admin', ['mail', 'stage1', 'stage2', 'drill_end']],
  );
  // The pager is tried meanwhile.
  const begin = inShort(await drill(scene, id)).map((line) => line.replace(/(Pager): waiting.*$/, '$1'));
  assert.deepEqual(begin, [
    'start loud_alarm anna: waiting',
    'start push anna: failed no_push_subscription',
    'start pagerduty Pager',
  ]);
  await later(id, 3);
  await sent(scene, 1, id);
  await later(id, 7);
  await later(id, 10);
  await sent(scene, 3, id);
  assert.deepEqual(inShort(await drill(scene, id)).slice(3), [
    'mail mail anna: arrived',
    'stage1 loud_alarm ben: waiting',
    'stage1 push ben: failed no_push_subscription',
    'stage1 mail ben: arrived',
    'stage2 loud_alarm Admin: waiting',
    'stage2 push Admin: failed no_push_subscription',
    'stage2 mail Admin: arrived',
  ]);
  await later(id, 14);
  assert.equal((await drill(scene, id)).outcome, null);
  await later(id, 1);
  const over = await drill(scene, id);
  assert.deepEqual([over.outcome, over.ended_by_name, over.coming], ['unanswered', null, []]);
  assert.ok(inShort(over).includes('stage1 loud_alarm ben: failed no_dashboard_rang'));
  await until(
    () => mailsOf(id).some(({ subject }) => subject?.includes('FIRE DRILL over')),
    'its end is mailed',
  );
});

test('every mail says first that it is a drill, and a link in it acknowledges the drill', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  const { id } = await start(scene);
  await sent(scene, 1, id);
  const [mail] = mailsOf(id);
  assert.match(mail?.subject ?? '', /\] FIRE DRILL: acknowledge it$/);
  assert.match(mail?.text ?? '', /This is a drill: nothing is down\./);
  const [link = ''] = /http\S+\/ack\/\w+/.exec(mail?.text ?? '') ?? [];
  const path = app.url + new URL(link).pathname;
  const page = await fetch(path);
  assert.deepEqual([page.status, /FIRE DRILL/.test(await page.text())], [200, true]);
  assert.equal((await drill(scene, id)).outcome, null, 'opening it changes nothing');
  assert.equal((await fetch(path, { method: 'POST' })).status, 200);
  const over = await drill(scene, id);
  assert.deepEqual([over.outcome, over.ended_by_name], ['acknowledged', 'anna']);
  assert.equal((await fetch(path)).status, 410);
  const log = await app.alice.ok<ActivityEntry[]>('GET', scene.url('activity'));
  assert.deepEqual(
    log.slice(0, 2).map(({ action, actor }) => [action, actor.name]),
    [
      ['on_call.acknowledge_drill', 'anna'],
      ['on_call.start_drill', 'Admin'],
    ],
  );
});

test('a drill for one person tries only their channels', async () => {
  const scene = await makeAlarmScene(app);
  const { id, person_name } = await start(scene, { user_id: scene.carl.userId });
  assert.equal(person_name, 'carl');
  await later(id, 3);
  await later(id, 30);
  await sent(scene, 1, id);
  assert.deepEqual(inShort(await drill(scene, id)), [
    'start loud_alarm carl: waiting',
    'start push carl: failed no_push_subscription',
    'mail mail carl: arrived',
  ]);
  assert.deepEqual(await scene.pagedOf(id), []);
  await act(scene, id, 'stop');
  const stranger = { user_id: 'usr_01arz3ndektsv4rrffq69g5fav' };
  assertRefused(await app.alice.send('POST', scene.url('on-call/drills'), stranger), {
    status: 400,
    error: 'invalid_request',
    field: 'user_id',
  });
});

test('it rings only in dashboards of people it has reached, and the record says whether one rang', async () => {
  const scene = await makeAlarmScene(app);
  const { id } = await start(scene);
  const rings = async (who: Person) => (await drill(scene, id, who)).rings;
  assert.deepEqual(await Promise.all([scene.anna, scene.ben, scene.carl].map(rings)), [true, false, false]);
  const running = () => app.alice.ok<DrillRecord[]>('GET', scene.url('on-call/drills?state=running'));
  assert.deepEqual(
    (await running()).map((each) => each.id),
    [id],
  );
  await act(scene, id, 'rings', scene.ben);
  assert.equal(inShort(await drill(scene, id))[0], 'start loud_alarm anna: waiting');
  await act(scene, id, 'rings', scene.anna);
  await act(scene, id, 'ack', scene.carl);
  const over = await drill(scene, id, scene.anna);
  assert.deepEqual(
    [over.rings, over.ended_by_name, inShort(over)[0]],
    [false, 'carl', 'start loud_alarm anna: arrived'],
  );
  assert.deepEqual(await running(), []);
  const again = await act(scene, id, 'stop');
  assert.deepEqual([again.outcome, again.ended_at_unix], ['acknowledged', over.ended_at_unix]);
});

test('targets get a test marked as a drill, its page stays open until the drill ends, and no incident is created', async () => {
  const scene = await makeAlarmScene(app);
  const { id } = await start(scene);
  await until(async () => inShort(await drill(scene, id)).includes(TRIED), 'the pager was tried');
  await later(id, 20);
  await act(scene, id, 'ack');
  const bodies = await scene.pagedOf(id);
  assert.deepEqual(
    bodies.map(({ event, test: isTest, incident, drill: said }) => [event, isTest, incident, said?.state]),
    [
      ['test', true, null, 'open'],
      ['test', true, null, 'closed'],
    ],
  );
  assert.deepEqual(await app.alice.ok('GET', scene.url('incidents?status=all')), []);
  assert.deepEqual(await scene.anna.ok('GET', scene.url('on-call/ringing')), []);
});

test('a real alarm aborts a drill, says so, and reaches everybody as if there had been none', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  const { id } = await start(scene);
  await sent(scene, 1, id);
  const { incident } = await scene.outage();
  await app.runTask('break_off_drill', { org_id: scene.orgId });
  const over = await drill(scene, id);
  assert.equal(over.outcome, 'real_alarm');
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna']);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail anna']);
  assert.deepEqual(await scene.paged(incident.id), ['opened']);
  await until(() => mailsOf(id).some(({ text }) => text?.includes('a REAL alarm has begun')), 'it is mailed');
  assertRefused(await app.alice.send('POST', scene.url('on-call/drills'), {}), {
    status: 409,
    error: 'alarm_ringing',
  });
});

test('there is one drill at a time, and ten within a day', async () => {
  const scene = await makeAlarmScene(app, { enabled: false });
  const again = () => app.alice.send<DrillRecord>('POST', scene.url('on-call/drills'), {});
  for (let i = 0; i < MAX_DRILLS_PER_DAY; i++) {
    const { id } = (await again()).body;
    assertRefused(await again(), { status: 409, error: 'drill_running' });
    await act(scene, id, 'stop');
    app.clock.advance(60_000);
  }
  const refused = await again();
  assertRefused(refused, { status: 429, error: 'rate_limited', limit: MAX_DRILLS_PER_DAY });
  assert.equal(refused.headers.get('retry-after'), String(86_400 - 60 * MAX_DRILLS_PER_DAY));
  app.clock.advance((86_400 - 60 * MAX_DRILLS_PER_DAY) * 1000);
  await app.runTask('partitions');
  assert.equal((await again()).status, 201);
  assertRefused(await scene.anna.send('POST', scene.url('on-call/drills'), {}), {
    status: 403,
    error: 'forbidden',
  });
});

test('a target that does not answer is in the record, with the reason', async () => {
  const scene = await makeAlarmScene(app);
  const first = await start(scene);
  const why = 'start pagerduty Pager: waiting connect_refused';
  await until(async () => inShort(await drill(scene, first.id)).includes(why), 'the pager was tried');
  await act(scene, first.id, 'stop');
  await app.alice.ok('PATCH', scene.url(`webhooks/${scene.pagerId}`), { active: false });
  const { id } = await start(scene);
  assert.ok(inShort(await drill(scene, id)).includes('start pagerduty Pager: failed switched_off'));
});

const pages = async (scene: AlarmScene) => {
  const all = await app.alice.ok<Delivery[]>('GET', scene.url(`webhooks/${scene.pagerId}/deliveries`));
  return all.filter(({ event }) => event === 'test').map(({ attempts, error }) => [attempts, error]);
};

test('a page that waits for a retry when a real alarm ends its drill is cancelled, and the record keeps its error', async () => {
  const scene = await makeAlarmScene(app);
  const { id } = await start(scene);
  await until(async () => inShort(await drill(scene, id)).includes(TRIED), 'the pager was tried');
  await scene.outage();
  await app.runTask('break_off_drill', { org_id: scene.orgId });
  await app.runTask('deliver');
  app.clock.advance(60_000);
  await app.runTask('deliver');
  const over = await drill(scene, id);
  assert.ok(inShort(over).includes('start pagerduty Pager: cancelled connect_refused'));
  assert.equal(over.reached.waiting, 0);
  assert.deepEqual((await pages(scene)).at(-1), [1, 'cancelled: the fire drill was over']);
  // The attempt may have arrived without an answer: its end is sent.
  assert.deepEqual(
    (await scene.pagedOf(id)).map((body) => body.drill?.state),
    ['open', 'closed'],
  );
});

test('a target that was not tried before its drill ends hears nothing of it', async () => {
  const scene = await makeAlarmScene(app);
  const { id } = await start(scene);
  await until(async () => inShort(await drill(scene, id)).includes(TRIED), 'the pager was tried');
  await app.db.updateTable('delivery_queue').set({ attempts: 0 }).where('org_id', '=', scene.orgId).execute();
  await act(scene, id, 'stop');
  assert.deepEqual(await pages(scene), [[0, 'cancelled: the fire drill was over']]);
});
