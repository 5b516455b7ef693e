// A clock that was ahead and is set right: what came meanwhile is dated in the future, and must hide nothing that happens now
// (docs/rules/confirmation.md#a-clock-that-was-set-back).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { makeAgent } from '#test/harness/agents.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { every, makeHeartbeat } from '#test/harness/heartbeat.ts';
import { resultOf } from '#test/harness/probe.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

/** A server is here for these seconds, turn by turn of `every` seconds. */
async function runFor(seconds: number, every = 1): Promise<void> {
  for (let passed = 0; passed < seconds; passed += every) {
    app.clock.advance(every * 1000);
    await app.runTask('heartbeats_turn');
    await app.runTask('agents');
  }
}

/** The clock is a day ahead while `act` runs, and is then set right. */
async function aheadDuring(act: () => Promise<void>): Promise<void> {
  app.clock.advance(DAY_MS);
  await app.runTask('heartbeats_turn');
  await act();
  app.clock.advance(-DAY_MS);
  await app.runTask('heartbeats_turn');
}

async function makeChecked(): Promise<Monitor> {
  return app.alice.ok('POST', `/projects/${place.projectId}/monitors`, {
    ...{ name: `Shop ${app.clock.ms()}`, type: 'http', config: { url: 'https://shop.example.com/' } },
    ...{ interval_seconds: 10, policy: { alarm_consecutive: 2, recovery_consecutive: 2 } },
  });
}

const incidentsOf = ({ id }: Monitor) => app.alice.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);

async function report(monitor: Monitor, ...statuses: ('up' | 'down')[]): Promise<void> {
  for (const status of statuses) {
    app.clock.advance(10_000);
    await app.probe().post([resultOf(monitor.id, app.clock.ms(), status)]);
  }
}

test('an outage after the clock was set back opens an incident, although newer results are stored', async () => {
  const monitor = await makeChecked();
  await aheadDuring(() => report(monitor, 'up', 'up'));
  await report(monitor, 'up', 'down', 'down');
  assert.deepEqual(
    (await incidentsOf(monitor)).map(({ status }) => status),
    ['open'],
  );
  await report(monitor, 'up', 'up');
  assert.equal((await incidentsOf(monitor))[0]?.status, 'closed');
});

test('an outage that began while the clock was ahead ends with the target, and the next one opens', async () => {
  const monitor = await makeChecked();
  await aheadDuring(() => report(monitor, 'up', 'down', 'down'));
  assert.equal((await incidentsOf(monitor))[0]?.status, 'open');
  await report(monitor, 'up', 'up', 'up');
  assert.equal((await incidentsOf(monitor))[0]?.status, 'closed');
  await report(monitor, 'down', 'down');
  assert.deepEqual((await incidentsOf(monitor)).map(({ status }) => status).sort(), ['closed', 'open']);
});

test('a monitor that was made or changed while the clock was ahead is judged once it is set right', async () => {
  let monitor: Monitor | undefined;
  await aheadDuring(async () => {
    monitor = await makeChecked();
  });
  assert.ok(monitor);
  await report(monitor, 'up', 'down', 'down');
  assert.equal((await incidentsOf(monitor))[0]?.status, 'open');
});

test('a job that stops after the clock was set back is missed in time', async () => {
  const beat = await makeHeartbeat(
    app,
    place.projectId,
    { schedule: every(60), grace_seconds: 5 },
    { interval_seconds: 10 },
  );
  await beat.ping();
  await aheadDuring(() => beat.ping());
  await runFor(30);
  await beat.ping();
  const due = Math.floor(app.clock.ms() / 1000) + 60;
  assert.equal((await beat.status()).due_at_unix, due);
  await runFor(80);
  assert.equal((await beat.read()).last_status, 'failed');
  assert.equal((await beat.incidents())[0]?.status, 'open');
});

test('a job that never comes again after the clock was set back is missed', async () => {
  const beat = await makeHeartbeat(
    app,
    place.projectId,
    { schedule: { kind: 'cron', expression: '*/5 * * * *', timezone: 'UTC' }, grace_seconds: 5 },
    { interval_seconds: 10 },
  );
  await aheadDuring(() => beat.ping());
  await runFor(640, 4);
  assert.equal((await beat.incidents())[0]?.status, 'open');
});

test('a host that falls silent after the clock was set back is missed, and one that reports is judged', async () => {
  const [dead, full] = [await makeAgent(app, place), await makeAgent(app, place)];
  const online = await dead.watch('agent', { metric: 'online' });
  const disk = await full.watch('agent', { metric: 'mem_pct', op: 'gt', threshold: 90, window_seconds: 60 });
  await aheadDuring(async () => {
    await dead.beat();
    await full.beat({ mem_pct: 10 });
  });
  for (let i = 0; i < 4; i++) {
    await full.beat({ mem_pct: 99 });
    await runFor(60, 4);
  }
  assert.deepEqual(
    [
      (await online.incidents()).map(({ status }) => status),
      (await disk.incidents()).map(({ status }) => status),
    ],
    [['open'], ['open']],
  );
});
