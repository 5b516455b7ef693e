// Reminders (docs/rules/on-call-and-alarms.md#reminders): an alarm that nobody takes does not fall silent, and neither does
// an incident that somebody took and that stays open.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { overdueCommanderReminders } from '#src/on-call/alarm/commander-reminder.ts';
import type { OnCallSettings } from '#src/on-call/contract.ts';
import { runWork, SYSTEM, type Tx } from '#src/platform/work.ts';
import type { CommanderNoticeData } from '#src/user-notifications/data.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openAutomatic } from '#test/harness/automatic-incidents.ts';
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

const DAY_MINUTES = 24 * 60;
const ack = (scene: AlarmScene, id: string, who = app.alice) =>
  who.ok('POST', scene.url(`incidents/${id}/ack`));
const remindersOf = async (scene: AlarmScene, id: string) =>
  (await scene.notices(id)).filter((notice) => notice.includes('reminder'));
const reminder = (...names: string[]) => names.map((name) => `mail alarm_reminder reminder ${name}`);

/** Mails to commanders of an organization, as they are stored. */
const commanderReminders = async (scene: AlarmScene) => {
  const { rows } = await sql<{ user_id: string }>`
    SELECT user_id FROM notices WHERE org_id = ${scene.orgId} AND kind = 'alarm_commander' ORDER BY no`.execute(
    app.db,
  );
  return rows.map(({ user_id }) => user_id);
};
async function daysLater(incidentId: string, days: number): Promise<void> {
  app.clock.advance(days * DAY_MINUTES * 60_000);
  await app.runTask('partitions');
  await app.runTask('remind_commander', { incident_id: incidentId });
}

test('without an acknowledgement everyone of the last stage is reminded every hour, and never before', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await scene.later(incident.id, 20);
  await scene.later(incident.id, 59);
  assert.deepEqual(await remindersOf(scene, incident.id), []);
  await scene.later(incident.id, 1);
  await scene.later(incident.id, 0);
  const all = reminder('anna', 'ben', 'alice');
  assert.deepEqual(await remindersOf(scene, incident.id), all);
  await scene.later(incident.id, 60);
  assert.deepEqual(await remindersOf(scene, incident.id), [...all, ...all]);
  assert.deepEqual((await scene.story(incident.id)).slice(-2), [
    'paged | reminder 1 of 24',
    'paged | reminder 2 of 24',
  ]);
  await scene.allSent(incident.id);
  // Another attempt of the same mail has its id.
  const ids = mailbox.received
    .filter(({ mail }) => mail.text?.includes(incident.id) && mail.subject?.includes('Still open'))
    .map(({ mail }) => mail.messageId);
  assert.equal(new Set(ids).size, 6);
});

test('at most 24 reminders are sent', async () => {
  const scene = await makeAlarmScene(app, { enabled: false, reminder_minutes: 5 });
  const { incident } = await scene.outage();
  for (let times = 0; times < 30; times++) await scene.later(incident.id, 5);
  assert.deepEqual(await remindersOf(scene, incident.id), Array(24).fill(reminder('alice')[0]));
});

test('a reminder of the time without on-call waits for the last stage once on-call is on again', async () => {
  const stages = { escalation_stage1_minutes: 200, escalation_stage2_minutes: 300 };
  const scene = await makeAlarmScene(app, stages);
  const { incident } = await scene.outage();
  await scene.configure({ enabled: false });
  await scene.later(incident.id, 3);
  await scene.later(incident.id, 60);
  assert.deepEqual(await remindersOf(scene, incident.id), reminder('alice'));
  await scene.configure({ enabled: true });
  await until(async () => (await scene.notices(incident.id)).includes('mail alarm mail anna'), 'it goes on');
  await scene.later(incident.id, 60);
  await scene.later(incident.id, 76);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'alice'], 'stage 1 is at 200 minutes');
  assert.deepEqual(await remindersOf(scene, incident.id), reminder('alice'));
  await scene.later(incident.id, 1);
  await scene.later(incident.id, 100);
  await scene.later(incident.id, 59);
  assert.deepEqual(await remindersOf(scene, incident.id), reminder('alice'));
  await scene.later(incident.id, 1);
  assert.deepEqual(await remindersOf(scene, incident.id), reminder('alice', 'anna', 'ben', 'alice'));
});

test('a reminder of the time without on-call does not come with the last stage where a server is late with both', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await scene.configure({ enabled: false });
  await scene.later(incident.id, 3);
  await scene.configure({ enabled: true });
  await until(async () => (await scene.notices(incident.id)).includes('mail alarm mail anna'), 'it goes on');
  // Nobody takes its steps until the reminder is due, too: it was stored for 63 minutes.
  await scene.later(incident.id, 70);
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna', 'ben', 'alice']);
  assert.deepEqual(await remindersOf(scene, incident.id), []);
  await scene.later(incident.id, 60);
  assert.deepEqual(await remindersOf(scene, incident.id), reminder('anna', 'ben', 'alice'));
});

test('an acknowledged alarm reminds nobody any more, and the reminded people are informed', async () => {
  const scene = await makeAlarmScene(app, { enabled: false });
  const { incident } = await scene.outage();
  await scene.later(incident.id, 60);
  await scene.allSent(incident.id);
  await ack(scene, incident.id, scene.carl);
  await scene.later(incident.id, 600);
  assert.deepEqual((await scene.notices(incident.id)).slice(1), [
    ...reminder('alice'),
    'mail alarm_acknowledged start alice',
  ]);
});

test('a hold delays the reminders by its length', async () => {
  const scene = await makeAlarmScene(app, { enabled: false });
  const { incident } = await scene.outage();
  await scene.later(incident.id, 30);
  await app.alice.ok('POST', scene.url(`incidents/${incident.id}/hold`), { seconds: 3600 });
  await scene.later(incident.id, 59);
  await scene.later(incident.id, 1);
  await app.runTask('end_hold', { incident_id: incident.id });
  await scene.later(incident.id, 29);
  assert.deepEqual(await remindersOf(scene, incident.id), []);
  await scene.later(incident.id, 1);
  assert.deepEqual(await remindersOf(scene, incident.id), reminder('alice'));
});

test('with reminder_minutes 0 nobody is reminded; 1 to 4 is refused', async () => {
  const scene = await makeAlarmScene(app, { reminder_minutes: 0 });
  const { incident } = await scene.outage();
  await scene.later(incident.id, 20);
  await scene.later(incident.id, 600);
  assert.deepEqual(await remindersOf(scene, incident.id), []);
  const put = (reminder_minutes: number) =>
    app.alice.send<OnCallSettings>('PUT', scene.url('on-call/settings'), { reminder_minutes });
  for (const wrong of [1, 4, 1441, -1])
    assertRefused(await put(wrong), { status: 400, error: 'invalid_request', field: 'reminder_minutes' });
  assert.equal((await put(5)).body.reminder_minutes, 5);
});

test('the person who acknowledged an incident is reminded once a day while it is open, and not afterwards', async () => {
  const scene = await makeAlarmScene(app);
  const { incident, monitor } = await scene.outage();
  await ack(scene, incident.id, scene.carl);
  await daysLater(incident.id, 0.9);
  assert.deepEqual(await commanderReminders(scene), []);
  await daysLater(incident.id, 0.1);
  await daysLater(incident.id, 0);
  assert.deepEqual(await commanderReminders(scene), [scene.carl.userId]);
  await daysLater(incident.id, 1);
  assert.deepEqual(await commanderReminders(scene), [scene.carl.userId, scene.carl.userId]);
  await scene.say(monitor, 'up', 'up');
  await daysLater(incident.id, 1);
  assert.equal((await commanderReminders(scene)).length, 2);
});

test('a commander’s reminder is skipped in maintenance, and after they have left', async () => {
  const scene = await makeAlarmScene(app);
  const { incident, monitor } = await scene.outage();
  await ack(scene, incident.id, scene.carl);
  const now = Math.floor(app.clock.ms() / 1000);
  await app.alice.ok('POST', scene.url('maintenance-windows'), {
    title: 'Works',
    body: '',
    scheduled_start: now + 86_000,
    scheduled_end: now + 90_000,
    monitors: [monitor.id],
  });
  await daysLater(incident.id, 1);
  assert.deepEqual(await commanderReminders(scene), []);
  await app.alice.ok('DELETE', scene.url(`members/${scene.carl.userId}`));
  await daysLater(incident.id, 1);
  assert.deepEqual(await commanderReminders(scene), []);
});

test('a commander’s reminder that waits for the mail server is not sent once the incident is over', async (t) => {
  t.after(() => mailbox.refuse(null));
  const scene = await makeAlarmScene(app);
  const { incident, monitor } = await scene.outage();
  await ack(scene, incident.id, scene.carl);
  mailbox.refuse('451 4.3.0 try again later');
  await daysLater(incident.id, 1);
  const stateAfter = async (attempts: number) => {
    await app.runTask('notices');
    let state = '';
    await until(async () => {
      const { rows } = await sql<{ state: string; isTried: boolean }>`
        SELECT state, attempts >= ${attempts} AND leased_until IS NULL AS "isTried" FROM notices
        WHERE org_id = ${scene.orgId} AND kind = 'alarm_commander' AND channel = 'mail'`.execute(app.db);
      state = rows[0]?.state ?? '';
      return rows[0]?.isTried === true;
    }, 'it is tried');
    return state;
  };
  assert.equal(await stateAfter(1), 'pending');
  app.clock.advance(10_000);
  assert.equal(await stateAfter(2), 'pending', 'the incident is still open');
  await scene.say(monitor, 'up', 'up');
  mailbox.refuse(null);
  app.clock.advance(60_000);
  assert.equal(await stateAfter(2), 'cancelled');
});

test('the person who acknowledged a storm gets one reminder a day for all of it, as long as any of it is open', async () => {
  const scene = await makeAlarmScene(app);
  let ids: string[] = [];
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    ids = await openAutomatic(work, scene.place, 5);
  });
  const [first = '', second = '', third = '', , last = ''] = ids;
  await ack(scene, last, scene.anna);
  for (const id of [third, first, second]) {
    await ack(scene, id, scene.carl);
    app.clock.advance(3_600_000);
  }
  const { incident: other } = await scene.outage();
  await ack(scene, other.id, scene.carl);
  const dayLater = async () => {
    app.clock.advance(DAY_MINUTES * 60_000);
    await app.runTask('partitions');
    for (const id of [...ids, other.id]) await app.runTask('remind_commander', { incident_id: id });
    for (const id of ids) await app.runTask('remind_commander', { incident_id: id });
  };
  const seen: string[] = [];
  const reminders = async () => {
    const { rows } = await sql<{ no: string; user_id: string; data: CommanderNoticeData }>`
      SELECT no, user_id, data FROM notices WHERE org_id = ${scene.orgId} AND kind = 'alarm_commander' ORDER BY no`.execute(
      app.db,
    );
    const fresh = rows.filter(({ no }) => !seen.includes(no));
    seen.push(...fresh.map(({ no }) => no));
    return fresh.map(({ user_id, data }) => ({ user_id, of: data.incidents.map(({ id }) => id).sort() }));
  };
  const ofAnna = { user_id: scene.anna.userId, of: [last] };
  const ofOther = { user_id: scene.carl.userId, of: [other.id] };
  const ofStorm = (...some: string[]) => ({ user_id: scene.carl.userId, of: some.sort() });
  const sorted = (all: { of: string[] }[]) => all.map((each) => JSON.stringify(each)).sort();
  await dayLater();
  assert.deepEqual(sorted(await reminders()), sorted([ofStorm(first, second, third), ofAnna, ofOther]));
  await app.alice.ok('POST', scene.url(`incidents/${third}/resolve`));
  await dayLater();
  assert.deepEqual(sorted(await reminders()), sorted([ofStorm(first, second), ofAnna, ofOther]));
});

test('the auditor finds a commander’s reminder whose job was lost', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await scene.outage();
  await ack(scene, incident.id, scene.carl);
  await sql`SELECT graphile_worker.remove_job(${`remind_commander:${incident.id}`})`.execute(app.db);
  const overdue = async () =>
    (await overdueCommanderReminders(app.db as Tx, app.clock.now())).includes(incident.id);
  assert.equal(await overdue(), false);
  app.clock.advance(DAY_MINUTES * 60_000 + 10_000);
  assert.equal(await overdue(), true);
  await app.runTask('audit');
  await app.runTask('remind_commander', { incident_id: incident.id });
  assert.deepEqual(await commanderReminders(scene), [scene.carl.userId]);
});
