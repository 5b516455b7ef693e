// The alarm chain of an incident (docs/rules/on-call-and-alarms.md#chain): who is told when, until somebody takes it. Time
// is the test's: a day of escalation runs in milliseconds.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { runDueSteps } from '#src/on-call/alarm/escalate.ts';
import { overdueAlarms } from '#src/on-call/alarm/escalation-job.ts';
import { runWork, SYSTEM, type Tx } from '#src/platform/work.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
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

const ack = (scene: AlarmScene, id: string, who = app.alice) =>
  who.ok('POST', scene.url(`incidents/${id}/ack`));
const RINGS = 'the loud alarm rings';

test('without an acknowledgement: the person on call at once, mail, next member, everyone and the administrators; each step once', async () => {
  const scene = await makeAlarmScene(app, { reminder_minutes: 0 });
  const { incident } = await scene.outage();
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna']);
  assert.deepEqual(await scene.paged(incident.id), ['opened']);
  // A second early: nothing.
  await scene.later(incident.id, 3 - 1 / 60);
  assert.deepEqual(await scene.notices(incident.id), []);
  await scene.later(incident.id, 1 / 60);
  await scene.later(incident.id, 0);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail anna']);
  await scene.later(incident.id, 7);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'ben']);
  await scene.later(incident.id, 10);
  await scene.later(incident.id, 24 * 60);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'ben', 'alice']);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
    'mail alarm_escalated stage2 alice',
  ]);
  assert.deepEqual(await scene.paged(incident.id), ['opened', 'escalated', 'escalated']);
  assert.deepEqual(await scene.story(incident.id), [
    'opened',
    `paged | anna | ${RINGS}`,
    'escalated | stage 1',
    `paged | ben | ${RINGS}`,
    'escalated | stage 2',
    `paged | Admin | ${RINGS}`,
  ]);
  await ack(scene, incident.id, scene.carl);
  assert.deepEqual(await scene.ringsFor(incident.id), []);
});

test('mails are sent and recorded in the timeline; their recipients learn of the acknowledgement, except the person who made it', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  const before = mailbox.received.length;
  const { incident } = await scene.outage();
  await scene.allSent(incident.id);
  await scene.later(incident.id, 10);
  await scene.allSent(incident.id);
  await ack(scene, incident.id, scene.ben);
  await scene.allSent(incident.id);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
    'mail alarm_acknowledged stage1 anna',
  ]);
  assert.deepEqual(await scene.story(incident.id, { sent: true }), [
    'opened',
    `paged | anna | ${RINGS}`,
    'paged | anna | by e-mail',
    'escalated | stage 1',
    `paged | ben | ${RINGS}`,
    'paged | ben | by e-mail',
    'acknowledged | ben | ',
  ]);
  assert.deepEqual(
    // Those of the outage before may still be on their way.
    mailbox.received
      .slice(before)
      .filter(({ mail }) => mail.text?.includes(incident.id))
      .map(({ recipients }) => recipients),
    [scene.anna, scene.ben, scene.anna].map(({ email }) => [email]),
  );
});

test('an acknowledgement ends it: no further step, notice or page', async () => {
  const scene = await makeAlarmScene(app);
  const { incident, monitor } = await scene.outage();
  await ack(scene, incident.id, scene.anna);
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  assert.notEqual((await scene.alarmOf(incident.id)).ended_at, null);
  for (const minutes of [3, 7, 10]) await scene.later(incident.id, minutes);
  await app.runTask('audit');
  assert.deepEqual(await scene.notices(incident.id), []);
  assert.deepEqual(await scene.paged(incident.id), ['opened', 'acknowledged']);
  // Taken already: that it ends is no news for the people, but for the paging provider.
  await scene.say(monitor, 'up', 'up');
  assert.deepEqual(await scene.paged(incident.id), ['opened', 'acknowledged', 'resolved']);
  assert.deepEqual(await scene.notices(incident.id), []);
});

test('a notice that waits for a retry is never sent after an acknowledgement', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  const before = mailbox.received.length;
  const stored = () =>
    app.db
      .selectFrom('notices')
      .select(['kind', 'state', 'attempts', 'leased_until'])
      .where('org_id', '=', scene.orgId)
      .execute();
  mailbox.refuse('450 4.2.1 try later');
  const { incident } = await scene.outage();
  const failed = async () => (await stored()).some((n) => n.attempts > 0 && n.leased_until === null);
  await until(failed, 'the first try has failed');
  await ack(scene, incident.id, scene.carl);
  mailbox.refuse(null);
  app.clock.advance(3_600_000);
  await app.runTask('notices');
  assert.deepEqual(
    (await stored()).map(({ kind, state }) => [kind, state]),
    [['alarm', 'cancelled']],
  );
  assert.equal(mailbox.received.length, before);
});

test('an automatic resolution ends the alarm and notifies the people who were mailed', async () => {
  const scene = await makeAlarmScene(app);
  const { incident, monitor } = await scene.outage();
  await scene.later(incident.id, 3);
  await scene.allSent(incident.id);
  await scene.say(monitor, 'up', 'up');
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_resolved mail anna',
  ]);
});

test('if nobody is on call the administrators are notified instead, by mail at once, and the timeline says why', async () => {
  const scene = await makeAlarmScene(app);
  await scene.setRoster();
  const { incident } = await scene.outage();
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail alice']);
  await scene.later(incident.id, 3);
  await scene.later(incident.id, 7);
  assert.deepEqual(await scene.ringsFor(incident.id), ['alice']);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail alice']);
  assert.deepEqual(await scene.story(incident.id), [
    'opened',
    `paged | Admin | ${RINGS}: nobody is on duty`,
    'escalated | stage 1: nobody else is on the roster, the administrators are told',
  ]);
});

test('recipients are determined when a step runs: never a person who has left the organization or the roster', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  const gone = await makeAlarmScene(app);
  const other = await gone.outage();
  await app.alice.ok('DELETE', scene.url(`members/${scene.anna.userId}`));
  await app.alice.ok('DELETE', gone.url(`members/${gone.ben.userId}`));
  assert.deepEqual(await scene.ringsFor(incident.id), []);
  app.clock.advance(3 * 60_000);
  await scene.later(incident.id, 0);
  await gone.later(other.incident.id, 0);
  assert.deepEqual(await scene.ringsFor(incident.id), ['alice']);
  await gone.setRoster(gone.anna, gone.carl);
  app.clock.advance(7 * 60_000);
  await scene.later(incident.id, 0);
  await gone.later(other.incident.id, 0);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail alice',
    'mail alarm_escalated stage1 ben',
  ]);
  assert.deepEqual(await gone.notices(other.incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 carl',
  ]);
});

test('a person whose mail was cancelled while they were a viewer is mailed by a later step', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await scene.later(incident.id, 3);
  await scene.allSent(incident.id);
  const become = (role: string) => app.alice.ok('PATCH', scene.url(`members/${scene.anna.userId}`), { role });
  await become('viewer');
  // The mail server was away, and her mail waited for another attempt.
  await sql`UPDATE notices SET state = 'pending', next_attempt_at = ${app.clock.now()}, finished_at = NULL
    WHERE org_id = ${scene.orgId}`.execute(app.db);
  await app.runTask('notices');
  await scene.allSent(incident.id);
  await become('member');
  await scene.later(incident.id, 17);
  assert.deepEqual((await scene.notices(incident.id)).toSorted(), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
    'mail alarm_escalated stage2 alice',
    'mail alarm_escalated stage2 anna',
  ]);
});

test('a change of the delays in mid-chain moves no stored step', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await scene.configure({
    channel_step_minutes: 60,
    escalation_stage1_minutes: 1,
    escalation_stage2_minutes: 1440,
  });
  await scene.later(incident.id, 2);
  assert.deepEqual(await scene.notices(incident.id), []);
  await scene.later(incident.id, 18);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
    'mail alarm_escalated stage2 alice',
  ]);
});

test('if on-call is switched off in mid-chain the steps wait, and the administrators are notified; switched on again they run at once', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await scene.configure({ enabled: false });
  await scene.later(incident.id, 10);
  await app.db.updateTable('organizations').set({ plan: 'free' }).where('id', '=', scene.orgId).execute();
  await scene.later(incident.id, 10);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm start alice']);
  assert.deepEqual(await scene.paged(incident.id), ['opened']);
  assert.deepEqual((await scene.story(incident.id)).slice(2), [
    'suppressed | the e-mail waits: on-call is switched off',
    `paged | Admin | ${RINGS}`,
    'suppressed | stage 1 waits: on-call is switched off',
    'suppressed | stage 2 waits: the plan does not include on-call',
  ]);
  const { no } = await scene.alarmOf(incident.id);
  // Nothing to be done for the audit, until the plan has it again and it is switched on.
  const isOverdue = async () => (await overdueAlarms(app.db as Tx, app.clock.now())).includes(no ?? 0);
  assert.equal(await isOverdue(), false);
  await app.db.updateTable('organizations').set({ plan: 'business' }).where('id', '=', scene.orgId).execute();
  assert.equal(await isOverdue(), false);
  await scene.configure({ enabled: true });
  await until(async () => (await scene.notices(incident.id)).length === 3, 'the steps were taken');
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'ben', 'alice']);
  assert.deepEqual(await scene.paged(incident.id), ['opened', 'escalated', 'escalated']);
});

test('after a handover in mid-chain stage 1 reaches the new person on call', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await scene.later(incident.id, 3);
  await scene.setRoster(scene.ben, scene.anna);
  await scene.later(incident.id, 7);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'ben']);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
  ]);
  // Both know: nobody else is on the roster.
  const second = await scene.outage();
  await scene.setRoster(scene.anna, scene.ben);
  await scene.later(second.incident.id, 3);
  await scene.later(second.incident.id, 7);
  assert.deepEqual(await scene.ringsFor(second.incident.id), ['anna', 'ben', 'alice']);
  assert.ok(
    (await scene.story(second.incident.id)).includes(
      'escalated | stage 1: nobody else is on the roster, the administrators are told',
    ),
  );
});

test('stage 2 that reaches nobody new says so', async () => {
  const scene = await makeAlarmScene(app);
  await scene.setRoster(scene.anna);
  const { incident } = await scene.outage();
  await scene.later(incident.id, 10);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'alice']);
  await scene.later(incident.id, 10);
  assert.equal(
    (await scene.story(incident.id)).at(-1),
    'escalated | stage 2: it rings for everybody already',
  );
});

test('without on-call an alarm rings for the administrators, mails them at once and pages the targets, and has no further steps', async () => {
  const scene = await makeAlarmScene(app, { enabled: false });
  const { incident } = await scene.outage();
  assert.deepEqual(await scene.ringsFor(incident.id), ['alice']);
  assert.deepEqual(await scene.paged(incident.id), ['opened']);
  await scene.later(incident.id, 59);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail alice']);
  assert.deepEqual(await scene.story(incident.id), ['opened', `paged | Admin | ${RINGS}: on-call is off`]);
});

test('a declared incident wakes people unless it is only degraded', async () => {
  const scene = await makeAlarmScene(app);
  const make = (severity: string) =>
    app.alice.ok<{ id: string }>('POST', scene.url('incidents'), { severity, cause: 'It smells of fire' });
  for (const [severity, rings] of [
    ['critical', ['anna']],
    ['default', ['anna']],
    ['degraded', []],
  ] as const) {
    const { id } = await make(severity);
    assert.deepEqual(await scene.ringsFor(id), rings, severity);
    await ack(scene, id);
    assert.deepEqual(await scene.paged(id), rings.length > 0 ? ['opened', 'acknowledged'] : [], severity);
  }
});

test('a server that restarts in mid-chain continues it; a lost job is restored', async () => {
  await using first = await startTestApp({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
  const scene = await makeAlarmScene(first);
  const { incident } = await scene.outage();
  const { no } = await scene.alarmOf(incident.id);
  await first.app.stop();
  await sql`SELECT graphile_worker.remove_job(${`alarm:${no}`})`.execute(first.db);
  first.clock.advance(10 * 60_000 + 6_000);
  // Its audit at the start finds the step; its own job queue runs it.
  await using second = await first.another();
  assert.ok(second.url);
  await until(async () => (await scene.notices(incident.id)).length === 2, 'both steps were taken');
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
  ]);
});

test('two servers that run the same step at once act once', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  const { no } = await scene.alarmOf(incident.id);
  app.clock.advance(20 * 60_000);
  const run = () => runWork(app.db, app.clock.now(), SYSTEM, (work) => runDueSteps(work, no ?? 0));
  await Promise.all([run(), run(), run(), run()]);
  assert.deepEqual(await scene.notices(incident.id), [
    'mail alarm mail anna',
    'mail alarm_escalated stage1 ben',
    'mail alarm_escalated stage2 alice',
  ]);
  assert.deepEqual(await scene.paged(incident.id), ['opened', 'escalated', 'escalated']);
});

test('a step that races with the acknowledgement comes before it or not at all', async () => {
  const scene = await makeAlarmScene(app);
  for (let round = 0; round < 5; round++) {
    const { incident } = await scene.outage();
    const { no } = await scene.alarmOf(incident.id);
    app.clock.advance(10 * 60_000);
    await Promise.all([
      runWork(app.db, app.clock.now(), SYSTEM, (work) => runDueSteps(work, no ?? 0)),
      ack(scene, incident.id, scene.carl),
    ]);
    const events = await scene.paged(incident.id);
    assert.ok(events.at(-1) === 'acknowledged', events.join());
    const { rows } = await sql`SELECT FROM notices WHERE alarm_no = ${no} AND state = 'pending'
      AND kind IN ('alarm', 'alarm_escalated')`.execute(app.db);
    assert.equal(rows.length, 0);
  }
});
