// Heartbeat monitors over HTTP: pings, silence, and what follows from them (docs/rules/monitor-types.md#lateness).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { every, jump, makeHeartbeat, pass } from '#test/harness/heartbeat.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const now = () => Math.floor(app.clock.ms() / 1000);
const make = (config: object, fields?: object) => makeHeartbeat(app, place.projectId, config, fields);
const detail = (id: string) =>
  app.alice.ok<IncidentDetail>('GET', `/organizations/${place.orgId}/incidents/${id}`);

test('a new heartbeat has no status and waits for nothing before its first ping', async () => {
  const beat = await make({ schedule: every(60) });
  assert.equal(beat.monitor.last_status, null);
  assert.deepEqual(beat.monitor.regions, []);
  await jump(app, 3600);
  assert.equal((await beat.read()).last_status, null);
  assert.deepEqual(await beat.checks(), []);
  const { last_beat_at_unix, due_at_unix, late_at_unix, next } = await beat.status();
  assert.deepEqual([last_beat_at_unix, due_at_unix, late_at_unix, next], [null, null, null, []]);
});

test('pings in time keep it passed, one check each', async () => {
  const beat = await make({ schedule: every(60), grace_seconds: 10 });
  for (let i = 0; i < 3; i++) {
    await beat.ping();
    await pass(app, 65);
  }
  assert.deepEqual(
    (await beat.checks()).map(({ status, region }) => [status, region]),
    [
      ['up', ''],
      ['up', ''],
      ['up', ''],
    ],
  );
  assert.equal((await beat.read()).last_status, 'passed');
  assert.deepEqual(await beat.incidents(), []);
});

test('silence opens an incident with the exact times at which the ping was due and late', async () => {
  const beat = await make({ schedule: every(300), grace_seconds: 30 }, { interval_seconds: 20 });
  await beat.ping();
  const first = now();
  await pass(app, 329);
  assert.equal((await beat.checks()).length, 1);
  await pass(app, 1);
  const [missed] = await beat.checks();
  assert.deepEqual(
    [missed?.status, missed?.failure_class, missed?.cause_layer, missed?.checked_at_unix],
    ['down', 'heartbeat_missed', 'target_app', first + 330],
  );
  const due = new Date((first + 300) * 1000).toISOString().slice(11, 19);
  assert.match(missed?.detail ?? '', new RegExp(`it was due at \\d{4}-\\d\\d-\\d\\d ${due} UTC`));
  assert.equal((await beat.read()).last_status, 'degraded');
  assert.deepEqual(await beat.incidents(), []);
  await pass(app, 20);
  const [incident, ...others] = await beat.incidents();
  assert.equal(others.length, 0);
  assert.deepEqual(
    [incident?.started_at_unix, incident?.down_regions, incident?.region_count, incident?.cause],
    [first + 345, [], 0, 'No ping in time'],
  );
  const { evidence } = await detail(incident?.id ?? '');
  assert.deepEqual(
    [evidence?.first_failure_at_unix, evidence?.triggered_at_unix, evidence?.reason],
    [first + 330, first + 345, 'quorum_reached'],
  );
  assert.deepEqual(
    [
      evidence?.expected_regions,
      evidence?.failed_regions,
      evidence?.reporting_regions,
      evidence?.required_regions,
    ],
    [1, 1, 1, 1],
  );
  assert.deepEqual(
    evidence?.findings.map(({ regions, occurrence_count }) => [regions, occurrence_count]),
    [[[], 2]],
  );
  const stored = await beat.checks();
  assert.deepEqual(
    evidence?.checks.map((check) => check.check_id),
    stored.slice(0, evidence?.checks.length).map((check) => check.id),
  );
});

test('a ping ends the outage once the server has seen often enough that it lasts', async () => {
  const beat = await make({ schedule: every(60), grace_seconds: 0 }, { interval_seconds: 10 });
  await beat.ping();
  await pass(app, 80);
  assert.equal((await beat.incidents())[0]?.status, 'open');
  app.clock.advance(1000);
  await beat.ping();
  assert.equal((await beat.read()).last_status, 'failed');
  await pass(app, 10);
  const [incident] = await beat.incidents();
  assert.deepEqual([incident?.status, incident?.resolved_at_unix], ['closed', now()]);
  assert.equal((await beat.read()).last_status, 'passed');
  const counted = (await beat.checks()).length;
  await pass(app, 45);
  assert.equal((await beat.checks()).length, counted, 'calm again: nothing is written between pings');
});

test('one missed ping that comes late raises no incident', async () => {
  const beat = await make({ schedule: every(60), grace_seconds: 5 }, { interval_seconds: 60 });
  await beat.ping();
  await pass(app, 70);
  await beat.ping();
  await pass(app, 50);
  assert.equal((await beat.read()).last_status, 'passed');
  assert.deepEqual(await beat.incidents(), []);
  assert.deepEqual(
    (await beat.checks()).map((check) => check.status),
    ['up', 'down', 'up'],
  );
});

test('a reported failure is down at once, stays down on every evaluation, and keeps its whole body', async () => {
  const beat = await make({ schedule: every(600) }, { interval_seconds: 15 });
  await beat.ping();
  app.clock.advance(1000);
  const body = `disk full\n${'x'.repeat(20_000)}`;
  await beat.ping('/fail', { method: 'POST', body });
  const [failed] = await beat.checks();
  assert.deepEqual(
    [failed?.status, failed?.failure_class, failed?.response_code],
    ['down', 'heartbeat_failed', null],
  );
  assert.equal(failed?.detail, body.slice(0, 10 * 1024));
  const at = now();
  await pass(app, 15);
  const [incident] = await beat.incidents();
  assert.equal(incident?.started_at_unix, at + 15);
  assert.equal(incident?.cause, 'The job reported a failure');
  const { evidence } = await detail(incident?.id ?? '');
  assert.ok(evidence?.checks.every((check) => (check.detail ?? '').length <= 1024));
});

test('an exit code other than 0 is a failure with that code, and 0 is none', async () => {
  const beat = await make({ schedule: every(600) });
  await beat.ping('/0');
  app.clock.advance(1000);
  await beat.ping('/137');
  assert.deepEqual(
    (await beat.checks()).map(({ status, response_code }) => [status, response_code]),
    [
      ['down', 137],
      ['up', 0],
    ],
  );
});

test('a negative or 32-bit exit code, as on Windows, is a failure that shows the code', async () => {
  const beat = await make({ schedule: every(600) });
  for (const code of ['-1', '256', '3221225477']) {
    app.clock.advance(1000);
    await beat.ping(`/${code}`);
    const [check] = await beat.checks();
    assert.deepEqual(
      [check?.status, check?.response_code, check?.detail],
      ['down', null, `exit code ${code}`],
    );
  }
});

test('an edit of the schedule resolves nothing: only a ping does', async () => {
  const beat = await make({ schedule: every(60), grace_seconds: 0 }, { interval_seconds: 30 });
  await beat.ping();
  await pass(app, 125);
  const [incident] = await beat.incidents();
  assert.equal(incident?.status, 'open');
  await app.alice.ok('PATCH', `/monitors/${beat.monitor.id}`, { config: { schedule: every(600) } });
  await pass(app, 900);
  assert.deepEqual(
    (await beat.incidents()).map(({ id, status }) => [id, status]),
    [[incident.id, 'open']],
  );
  await beat.ping();
  await pass(app, 31);
  assert.equal((await beat.incidents())[0]?.status, 'closed');
});

test('start and end measure the run, separately for each rid', async () => {
  const beat = await make({ schedule: every(3600) });
  await beat.ping('/start?rid=a');
  app.clock.advance(2000);
  await beat.ping('/start?rid=b');
  assert.deepEqual(
    (await beat.status()).runs.map(({ rid, started_at_unix }) => [rid, now() - started_at_unix]),
    [
      ['b', 0],
      ['a', 2],
    ],
  );
  assert.deepEqual(await beat.checks(), [], 'a start writes no check');
  app.clock.advance(3000);
  await beat.ping('?rid=a');
  app.clock.advance(1000);
  await beat.ping('?rid=b');
  app.clock.advance(1000);
  await beat.ping();
  assert.deepEqual(
    (await beat.checks()).map((check) => check.latency_ms),
    [null, 4000, 5000],
  );
  const status = await beat.status();
  assert.deepEqual([status.runs, status.last_duration_ms], [[], null]);
});

test('a run that does not end in time is down at that second, until a later run succeeds', async () => {
  const config = { schedule: every(3600), max_runtime_seconds: 20 };
  const beat = await make(config, { interval_seconds: 10 });
  await beat.ping();
  app.clock.advance(1000);
  await beat.ping('/start?rid=hangs');
  const started = now();
  await pass(app, 30);
  assert.deepEqual(
    (await beat.checks()).map(({ failure_class, checked_at_unix }) => [
      failure_class,
      checked_at_unix - started,
    ]),
    [
      ['heartbeat_overrun', 30],
      ['heartbeat_overrun', 20],
      [null, -1],
    ],
  );
  assert.equal((await beat.incidents())[0]?.started_at_unix, started + 30);
  await beat.ping('/start?rid=next');
  await pass(app, 2);
  await beat.ping('?rid=next');
  await pass(app, 20);
  assert.equal((await beat.read()).last_status, 'passed');
  assert.deepEqual((await beat.status()).runs, []);
});

test('the start of a run postpones what is expected, and not the next check of a failure', async () => {
  const beat = await make({ schedule: every(10), grace_seconds: 0 }, { interval_seconds: 60 });
  await beat.ping('/fail');
  const failed = now();
  await pass(app, 9);
  await beat.ping('/start');
  await pass(app, 6);
  assert.deepEqual(
    (await beat.checks()).map((check) => [check.failure_class, check.checked_at_unix - failed]),
    [
      ['heartbeat_failed', 15],
      ['heartbeat_failed', 0],
    ],
  );
  assert.equal((await beat.incidents())[0]?.started_at_unix, failed + 15);
});

test('an edit while a run is open leaves it its end, and a run that is too long by it fails an interval later', async () => {
  const config = { schedule: every(3600), grace_seconds: 5, max_runtime_seconds: 60 };
  const beat = await make(config, { interval_seconds: 10 });
  await beat.ping();
  await beat.ping('/start');
  const started = now();
  const change = (fields: object) =>
    app.alice.ok('PATCH', `/monitors/${beat.monitor.id}`, { config: fields });
  await pass(app, 30);
  await change({ grace_seconds: 7 });
  await pass(app, 31);
  const newest = async () => (await beat.checks())[0];
  assert.deepEqual(
    [(await newest())?.failure_class, (await newest())?.checked_at_unix],
    ['heartbeat_overrun', started + 60],
  );

  const other = await make({ ...config, max_runtime_seconds: 600 }, { interval_seconds: 10 });
  await other.ping('/start');
  await pass(app, 100);
  const edited = now();
  await app.alice.ok('PATCH', `/monitors/${other.monitor.id}`, { config: { max_runtime_seconds: 60 } });
  await pass(app, 11);
  assert.deepEqual(
    (await other.checks()).map((check) => [check.failure_class, check.checked_at_unix]),
    [['heartbeat_overrun', edited + 10]],
  );
});

test('a run that starts in time may last until the next ping is due', async () => {
  const beat = await make({ schedule: every(60), grace_seconds: 5 }, { interval_seconds: 10 });
  await beat.ping();
  await pass(app, 60);
  await beat.ping('/start');
  await pass(app, 50);
  assert.equal((await beat.checks()).length, 1, 'a long run is no silence');
  await beat.ping('/start');
  await pass(app, 15);
  assert.equal((await beat.checks())[0]?.failure_class, 'heartbeat_missed', 'but starting is no ending');
});

test('a nightly job in the hour skipped by daylight saving is expected at the change', async () => {
  const schedule = { kind: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' };
  const beat = await make({ schedule });
  const { next } = await beat.status();
  assert.equal(next.length, 5);
  const hours = next.map((at) =>
    new Date(at * 1000).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' }),
  );
  assert.ok(
    hours.every((hour) => hour === '02:30:00' || hour === '03:00:00'),
    String(hours),
  );
  await beat.ping();
  assert.equal((await beat.status()).due_at_unix, next[0]);
});

test('cron heartbeats are late after their grace, and their precomputed instants never run out', async () => {
  const schedule = { kind: 'cron', expression: '*/5 * * * *', timezone: 'UTC' };
  const beat = await make({ schedule, grace_seconds: 60 });
  for (let i = 0; i < 60; i++) {
    app.clock.advance(300_000);
    await beat.ping();
    if (i % 2 === 0) await app.runTask('heartbeats');
    const { due_at_unix } = await beat.status();
    assert.ok(due_at_unix !== null && due_at_unix > now() && due_at_unix - now() <= 311, String(i));
  }
  const { late_at_unix } = await beat.status();
  await jump(app, (late_at_unix ?? 0) - now());
  assert.deepEqual(
    (await beat.checks()).slice(0, 1).map((check) => [check.failure_class, check.checked_at_unix]),
    [['heartbeat_missed', late_at_unix]],
  );
});

test('a start is expected to end however long ago the cron times were precomputed', async () => {
  const schedule = { kind: 'cron', expression: '*/5 * * * *', timezone: 'UTC' };
  const beat = await make({ schedule, grace_seconds: 60 });
  await jump(app, 2 * 86_400);
  await beat.ping('/start');
  const due = Math.floor((app.clock.ms() + 10_000) / 300_000) * 300 + 300;
  assert.equal((await beat.status()).due_at_unix, due);
  await jump(app, due + 60 - now());
  assert.equal((await beat.checks())[0]?.failure_class, 'heartbeat_missed');
});

test('a start in time postpones the expected ping, even when the precomputed cron times are used up', async () => {
  const schedule = { kind: 'cron', expression: '*/5 * * * *', timezone: 'UTC' };
  const beat = await make({ schedule, grace_seconds: 86_400 });
  await beat.ping();
  await jump(app, 86_000);
  await beat.ping('/start');
  const due = Math.floor((app.clock.ms() + 10_000) / 300_000) * 300 + 300;
  assert.equal((await beat.status()).due_at_unix, due);
});
