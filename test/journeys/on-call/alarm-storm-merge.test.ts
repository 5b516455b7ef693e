// A storm whose third incident is quiet: the alarms of the first two merge all the same, and nobody whom they have reached is
// lost (docs/rules/on-call-and-alarms.md#storms).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { noticeEnded } from '#src/user-notifications/ended.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openAutomatic } from '#test/harness/automatic-incidents.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
});

/** Opens one more; held, it wakes nobody for an hour. */
async function open(scene: AlarmScene, { held = false } = {}): Promise<string> {
  const until = held ? new Date(app.clock.ms() + 3_600_000) : null;
  const [id = ''] = await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
    openAutomatic(work, scene.place, 1, until),
  );
  return id;
}

/** There is no mail server: what was tried counts as sent. */
async function mailed(scene: AlarmScene, incidentId: string): Promise<void> {
  await scene.allSent(incidentId);
  await sql`UPDATE notices SET state = 'sent' WHERE org_id = ${scene.orgId} AND state = 'failed'`.execute(
    app.db,
  );
}

const ack = (scene: AlarmScene, id: string) =>
  scene.carl.ok('POST', scene.url(`incidents/${id}/ack?group=true`));

/** Anna is mailed about the first incident; ten seconds later Ben has the duty, and is mailed about the second. */
async function twoMailed(): Promise<{ scene: AlarmScene; first: string }> {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  const now = Math.floor(app.clock.ms() / 1000);
  await app.alice.ok('POST', scene.url('on-call/overrides'), {
    user_id: scene.ben.userId,
    starts_at_unix: now + 10,
    ends_at_unix: now + 3600,
  });
  const first = await open(scene);
  await mailed(scene, first);
  app.clock.advance(20_000);
  await mailed(scene, await open(scene));
  app.clock.advance(10_000);
  return { scene, first };
}

const mailsOf = async (scene: AlarmScene, incidentId: string, kind: string) =>
  (await scene.notices(incidentId)).filter((notice) => notice.startsWith(`mail ${kind} `));

test('everybody who was mailed before two alarms merged learns how the alarm of the storm ended', async () => {
  const { scene, first } = await twoMailed();
  await open(scene, { held: true });
  await ack(scene, first);
  assert.deepEqual((await mailsOf(scene, first, 'alarm_acknowledged')).toSorted(), [
    'mail alarm_acknowledged mail anna',
    'mail alarm_acknowledged mail ben',
  ]);
});

test('no stage mails a person again who was mailed before two alarms merged', async () => {
  const { scene, first } = await twoMailed();
  await open(scene, { held: true });
  await scene.later(first, 21);
  assert.deepEqual(await mailsOf(scene, first, 'alarm_escalated'), ['mail alarm_escalated stage1 alice']);
});

test('a paused alarm goes on in the second in which one that rings joins it', async () => {
  const scene = await makeAlarmScene(app);
  const first = await open(scene);
  await scene.carl.ok('POST', scene.url(`incidents/${first}/hold`), { seconds: 3600 });
  app.clock.advance(10_000);
  const second = await open(scene);
  app.clock.advance(10_000);
  await open(scene, { held: true });
  assert.equal((await scene.alarmOf(second)).no, (await scene.alarmOf(first)).no);
  assert.equal((await scene.alarmOf(second)).paused_at, null);
  assert.deepEqual(await scene.ringsFor(second), ['anna']);
  assert.deepEqual(await scene.ringsFor(first), []);
});

test('people are told that a storm has begun also if its third incident is quiet, once, and in place of a mail that waited', async () => {
  const { scene } = await twoMailed();
  // Ben's mail has not arrived yet when the alarms merge.
  await sql`UPDATE notices SET state = 'pending', next_attempt_at = ${new Date(app.clock.ms() + 60_000)}
    WHERE org_id = ${scene.orgId} AND user_id = ${scene.ben.userId}`.execute(app.db);
  await open(scene, { held: true });
  await open(scene);
  const { rows } = await sql<{ user_id: string; stage: string; total: number }>`
    SELECT user_id, data ->> 'stage' AS stage, (data ->> 'total')::int AS total FROM notices
    WHERE org_id = ${scene.orgId} AND channel = 'mail' AND kind = 'alarm' AND state <> 'cancelled' ORDER BY no`.execute(
    app.db,
  );
  const to = (person: { userId: string }) =>
    rows.filter(({ user_id }) => user_id === person.userId).map(({ stage, total }) => `${stage} ${total}`);
  assert.deepEqual(to(scene.anna), ['mail 1', 'storm 3']);
  assert.deepEqual(to(scene.ben), ['storm 3']);
});

test('the message that a storm has begun counts its quiet incidents, if only one rings', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  const first = await open(scene);
  await mailed(scene, first);
  await open(scene, { held: true });
  await open(scene, { held: true });
  const { rows } = await sql<{ said: string }>`
    SELECT concat_ws(' ', data ->> 'stage', data ->> 'total') AS said FROM notices
    WHERE org_id = ${scene.orgId} AND channel = 'mail' AND kind = 'alarm' ORDER BY no`.execute(app.db);
  assert.deepEqual(
    rows.map(({ said }) => said),
    ['mail 1', 'storm 3'],
  );
});

test('a mail that is under way when its alarm joins another is in the timeline of the incident that it names', async () => {
  const scene = await makeAlarmScene(app);
  const first = await open(scene);
  const second = await open(scene);
  const { no: alarmNo } = await scene.alarmOf(second);
  await open(scene);
  assert.notEqual((await scene.alarmOf(second)).no, alarmNo);
  await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
    noticeEnded.run(work, {
      orgId: scene.orgId,
      alarmNo,
      userId: scene.anna.userId,
      userName: 'anna',
      channel: 'mail',
      kind: 'alarm',
      incidentIds: [second],
      ok: true,
      error: null,
      at: work.now,
    }),
  );
  const sent = async (id: string) =>
    (await scene.story(id, { sent: true })).filter((entry) => entry.endsWith('by e-mail'));
  assert.deepEqual(await sent(second), ['paged | anna | by e-mail']);
  assert.deepEqual(await sent(first), []);
});
