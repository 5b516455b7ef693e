// Heartbeats while nobody was here to hear them: no data is not down
// (docs/rules/monitor-types.md#heartbeats-while-the-server-was-down).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { every, makeHeartbeat, pass } from '#test/harness/heartbeat.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const now = () => Math.floor(app.clock.ms() / 1000);
const make = (config: object, fields?: object) => makeHeartbeat(app, place.projectId, config, fields);

/** A server is here for these seconds, turn by turn. */
async function runFor(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    app.clock.advance(1000);
    await app.runTask('heartbeats_turn');
  }
}

/** Nobody is, and then somebody again. */
async function away(seconds: number): Promise<void> {
  app.clock.advance(seconds * 1000);
  await app.runTask('heartbeats_turn');
}

test('a ping that was due while no server ran is excused, and the next one is not', async () => {
  await runFor(1);
  const beat = await make({ schedule: every(60), grace_seconds: 5 }, { interval_seconds: 10 });
  await beat.ping();
  await away(600);
  const back = now();
  assert.equal((await beat.status()).due_at_unix, back + 60);
  await runFor(64);
  assert.equal((await beat.checks()).length, 1);
  await runFor(11);
  assert.deepEqual(
    (await beat.checks()).slice(0, 2).map((check) => check.checked_at_unix - back),
    [75, 65],
  );
  assert.equal((await beat.incidents())[0]?.started_at_unix, back + 75);
});

test('a short pause long before a ping is due changes nothing', async () => {
  await runFor(1);
  const beat = await make({ schedule: every(3600), grace_seconds: 5 });
  await beat.ping();
  const { due_at_unix: due } = await beat.status();
  await away(120);
  assert.equal((await beat.status()).due_at_unix, due);
});

test('an outage from before continues only after an interval, and ends with a ping', async () => {
  await runFor(1);
  const beat = await make({ schedule: every(60), grace_seconds: 0 }, { interval_seconds: 20 });
  await beat.ping();
  await runFor(61);
  assert.equal((await beat.checks())[0]?.status, 'down');
  await away(300);
  await runFor(19);
  assert.deepEqual(await beat.incidents(), [], 'the ping may have come while nobody was here');
  await beat.ping();
  await runFor(30);
  assert.deepEqual([(await beat.read()).last_status, await beat.incidents()], ['passed', []]);
});

test('an open run may have ended while no server ran', async () => {
  await runFor(1);
  const beat = await make({ schedule: every(3600), max_runtime_seconds: 60 });
  await beat.ping('/start?rid=a');
  await away(300);
  await runFor(30);
  assert.deepEqual(await beat.checks(), []);
  await beat.ping('?rid=a');
  const [check] = await beat.checks();
  assert.deepEqual([check?.status, check?.latency_ms], ['up', 330_000]);
});

test('pings that a server stored but did not evaluate before it died are evaluated in the next round', async () => {
  const beat = await make({ schedule: every(3600) }, { interval_seconds: 10 });
  await beat.ping();
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', beat.monitor.id)
    .executeTakeFirstOrThrow();
  app.clock.advance(1000);
  const at = app.clock.now();
  // As the one statement of a failing ping leaves it.
  const check = {
    monitor_no: no,
    region_no: 0,
    status: 2,
    failure_class: 'heartbeat_failed',
    cause_layer: 'target_app',
  };
  await app.db
    .insertInto('checks')
    .values({ ...check, checked_at: at })
    .execute();
  await app.db
    .updateTable('heartbeats')
    .set({
      last_beat_at: at,
      last_ok: false,
      last_result_at: at,
      unsettled: true,
      unread_from: at,
      look_at: at,
    })
    .where('monitor_no', '=', no)
    .execute();
  assert.equal((await beat.read()).last_status, 'passed');
  await pass(app, 1);
  assert.equal((await beat.read()).last_status, 'degraded');
  await pass(app, 10);
  assert.equal((await beat.incidents())[0]?.started_at_unix, Math.floor(at.getTime() / 1000) + 10);
});

test('two servers that evaluate at the same time get one result', async () => {
  await using second = await app.another();
  assert.ok(second.url);
  const beat = await make({ schedule: every(60), grace_seconds: 0 }, { interval_seconds: 10 });
  await beat.ping();
  for (let i = 0; i < 75; i++) {
    app.clock.advance(1000);
    await Promise.all([app.runTask('heartbeats'), app.runTask('heartbeats'), app.runTask('heartbeats')]);
  }
  const checks = await beat.checks();
  assert.deepEqual(
    checks.map((check) => check.status),
    ['down', 'down', 'up'],
  );
  assert.equal((await beat.incidents()).length, 1);
});
