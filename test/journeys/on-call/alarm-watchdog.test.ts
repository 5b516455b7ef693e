// Nothing that should ring stays silent: the audit finds it. And what is over does not pile up.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#src/platform/ids.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
});

const RINGS = 'the loud alarm rings';
const audit = () => app.runTask('audit');

/** An incident that nobody was told of, as if whoever opened it thought that it was quiet. */
async function openUnnotified(
  { orgId, projectId }: AlarmScene,
  fields: { severity?: string; held?: Date } = {},
) {
  const id = newId('inc');
  await sql`INSERT INTO incidents (id, org_id, monitor_id, project_id, origin, cause, summary, severity, status,
      down_regions, region_count, started_at, created_at, alarm_held_until, alarm_held_by_name)
    VALUES (${id}, ${orgId}, '', ${projectId}, 'manual', 'Fire', 'Fire', ${fields.severity ?? 'critical'}, 'open', '{}', 1,
      ${app.clock.now()}, ${app.clock.now()}, ${fields.held ?? null}, ${fields.held ? 'anna' : null})`.execute(
    app.db,
  );
  return id;
}

test('an incident that should ring and does not is found once, and gets its alarm and its page', async () => {
  const scene = await makeAlarmScene(app);
  const id = await openUnnotified(scene);
  const degraded = await openUnnotified(scene, { severity: 'degraded' });
  const held = await openUnnotified(scene, { held: new Date(app.clock.ms() + 3_600_000) });
  app.clock.advance(9_000);
  await audit();
  assert.deepEqual(await scene.ringsFor(id), []);
  app.clock.advance(2_000);
  await Promise.all([audit(), audit(), audit()]);
  await audit();
  assert.deepEqual(await scene.ringsFor(id), ['anna']);
  assert.deepEqual(await scene.paged(id), ['opened']);
  assert.deepEqual(await scene.story(id), [`paged | anna | ${RINGS}`]);
  for (const quiet of [degraded, held]) assert.equal((await scene.alarmOf(quiet)).no, null);
  await scene.later(id, 3);
  assert.deepEqual(await scene.notices(id), ['mail alarm mail anna']);
});

test('an alarm that is paused or over while its incident should ring continues, or starts again', async () => {
  const scene = await makeAlarmScene(app);
  const [paused, ended] = [(await scene.outage()).incident, (await scene.outage()).incident];
  const alarm = async ({ id }: { id: string }) => (await scene.alarmOf(id)).no ?? 0;
  const [first, second] = [await alarm(paused), await alarm(ended)];
  const now = app.clock.now();
  await app.db.updateTable('alarms').set({ paused_at: now }).where('no', '=', first).execute();
  await app.db.updateTable('alarms').set({ ended_at: now }).where('no', '=', second).execute();
  assert.deepEqual(await scene.ringsFor(paused.id), []);
  app.clock.advance(11_000);
  await audit();
  assert.deepEqual([await scene.ringsFor(paused.id), await scene.ringsFor(ended.id)], [['anna'], ['anna']]);
  assert.equal(await alarm(paused), first);
  assert.notEqual(await alarm(ended), second);
  assert.deepEqual(await scene.paged(ended.id), ['opened', 'opened']);
});

test('administrators replace people who leave in mid-chain, on the same channels', async () => {
  const scene = await makeAlarmScene(app, {
    escalation_stage1_minutes: 1440,
    escalation_stage2_minutes: 1440,
  });
  const { incident } = await scene.outage();
  await scene.later(incident.id, 3);
  await app.alice.ok('DELETE', scene.url(`members/${scene.anna.userId}`));
  app.clock.advance(10_000);
  await audit();
  await audit();
  assert.deepEqual(await scene.ringsFor(incident.id), ['alice']);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail anna', 'mail alarm mail alice']);
  assert.deepEqual(await scene.story(incident.id), [
    'opened',
    `paged | anna | ${RINGS}`,
    `paged | Admin | ${RINGS}: those whom it had reached have left`,
  ]);
});

test('administrators replace somebody who becomes a viewer in mid-chain, and the alarm no longer rings for the viewer', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 120 });
  const { incident } = await scene.outage();
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna']);
  await app.alice.ok('PATCH', scene.url(`members/${scene.anna.userId}`), { role: 'viewer' });
  app.clock.advance(11_000);
  await audit();
  assert.deepEqual(await scene.ringsFor(incident.id), ['alice']);
  assert.deepEqual(await scene.notices(incident.id), ['mail alarm mail alice']);
});

test('a clock behind the database’s does not make a job return at once, again and again', async () => {
  await using own = await startTestApp({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
  own.clock.advance(-90_000);
  const scene = await makeAlarmScene(own, { channel_step_minutes: 1 });
  const { incident, monitor } = await scene.outage();
  const { incident: held } = await scene.outage();
  await own.alice.ok('POST', scene.url(`incidents/${held.id}/hold`), { seconds: 60 });
  const start = Math.floor(own.clock.ms() / 1000) + 60;
  const body = { title: 'Works', body: '', scheduled_start: start, scheduled_end: start + 60 };
  const window = await own.alice.ok<{ id: string }>('POST', scene.url('maintenance-windows'), {
    ...body,
    monitors: [monitor.id],
  });
  const { no } = await scene.alarmOf(incident.id);
  const keys = [`alarm:${no}`, `end_hold:${held.id}`, `maintenance:${window.id}`];
  const inSeconds = async () => {
    const { rows } = await sql<{ s: number }>`SELECT extract(epoch FROM run_at - now())::float8 AS s
      FROM graphile_worker._private_jobs WHERE key = ANY(${keys})`.execute(own.db);
    return rows.map(({ s }) => s);
  };
  const isLater = (s: number[]) => assert.ok(s.length === 3 && s.every((each) => each > 40), s.join());
  isLater(await inSeconds());
  // As it is when they come too early.
  await own.runTask('alarm', { alarm_no: no });
  await own.runTask('end_hold', { incident_id: held.id });
  await own.runTask('maintenance', { window_id: window.id });
  isLater(await inSeconds());
});

test('an ended alarm leaves no due step, and is deleted after 30 days unless its incident is open', async () => {
  const scene = await makeAlarmScene(app);
  const [acknowledged, resolved] = [await scene.outage(), await scene.outage()];
  await app.alice.ok('POST', scene.url(`incidents/${acknowledged.incident.id}/ack`));
  await scene.say(resolved.monitor, 'up', 'up');
  const alarms = () =>
    app.db.selectFrom('alarms').select('no').where('org_id', '=', scene.orgId).orderBy('no').execute();
  const all = await alarms();
  assert.equal(all.length, 2);
  const nos = all.map(({ no }) => no);
  const open = await app.db
    .selectFrom('alarm_steps')
    .selectAll()
    .where('alarm_no', 'in', nos)
    .where('done_at', 'is', null)
    .execute();
  assert.deepEqual(open, []);
  const longAgo = new Date(app.clock.ms() - 31 * 86_400_000);
  const times = { opened_at: longAgo, last_opened_at: longAgo };
  await app.db
    .insertInto('incident_groups')
    .values({ org_id: scene.orgId, ...times })
    .execute();
  await app.runTask('sweep');
  assert.deepEqual(await alarms(), all);
  await app.db.updateTable('alarms').set({ ended_at: longAgo }).where('no', 'in', nos).execute();
  await app.runTask('sweep');
  assert.deepEqual(
    (await alarms()).map(({ no }) => no),
    [(await scene.alarmOf(acknowledged.incident.id)).no],
  );
  const groups = await app.db
    .selectFrom('incident_groups')
    .selectAll()
    .where('org_id', '=', scene.orgId)
    .execute();
  assert.deepEqual(groups, []);
});
