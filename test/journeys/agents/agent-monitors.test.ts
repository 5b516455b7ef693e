// Monitors on a host: thresholds over a window, services, and silence (docs/rules/monitor-types.md#agent).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { heartbeatAt, makeAgent, type TestAgent } from '#test/harness/agents.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';

const MINUTE = 60_000;
const CPU = { metric: 'cpu_pct', op: 'gt', threshold: 90, degraded_threshold: 80, window_seconds: 60 };

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

/** A heartbeat a minute with these values of a metric. */
async function beats(agent: TestAgent, metric: string, values: readonly (number | null)[]): Promise<void> {
  for (const value of values) {
    await agent.beat({ [metric]: value });
    app.clock.advance(MINUTE);
  }
}

/** Lets minutes pass with a server that looks at each of them, and an agent that says nothing. */
async function silence(minutes: number): Promise<void> {
  for (let i = 0; i < minutes * 6; i++) {
    app.clock.advance(10_000);
    await app.runTask('agents');
  }
}

test('a threshold alarms after the policy’s number of consecutive heartbeats, and recovers likewise', async () => {
  const agent = await makeAgent(app, place);
  const cpu = await agent.watch('agent', CPU);
  await beats(agent, 'cpu_pct', [50, 95]);
  assert.equal((await cpu.read()).last_status, 'degraded');
  assert.deepEqual(await cpu.incidents(), []);
  await beats(agent, 'cpu_pct', [95]);
  assert.equal((await cpu.read()).last_status, 'failed');
  assert.equal((await cpu.incidents())[0]?.status, 'open');
  await beats(agent, 'cpu_pct', [10, 10]);
  assert.equal((await cpu.read()).last_status, 'passed');
  assert.equal((await cpu.incidents())[0]?.status, 'closed');
});

test('the check contains the value and the limit; the degraded threshold is no outage', async () => {
  const agent = await makeAgent(app, place);
  const cpu = await agent.watch('agent', CPU);
  await beats(agent, 'cpu_pct', [85, 97.25]);
  const [down, degraded] = await cpu.checks();
  assert.deepEqual(
    [down?.status, down?.failure_class, down?.cause_layer, down?.metric_value, down?.detail],
    ['down', 'agent_threshold', 'agent', 97.25, 'cpu_pct averaged 97.25 over 60 s; the limit is above 90'],
  );
  assert.deepEqual(
    [degraded?.status, degraded?.detail],
    ['degraded', 'cpu_pct averaged 85 over 60 s; the limit is above 80'],
  );
});

test('the average over the window is compared, not the latest reading', async () => {
  const agent = await makeAgent(app, place);
  const cpu = await agent.watch('agent', { ...CPU, window_seconds: 300 });
  await beats(agent, 'cpu_pct', [10, 10, 10, 10, 100]);
  const [newest] = await cpu.checks();
  assert.deepEqual([newest?.status, newest?.metric_value], ['up', 28]);
});

for (const [op, value, status] of [
  ['gt', 90, 'up'],
  ['gte', 90, 'down'],
  ['lt', 90, 'up'],
  ['lte', 90, 'down'],
  ['lt', 89, 'down'],
] as const)
  test(`${value} with ${op} 90 is ${status}`, async () => {
    const agent = await makeAgent(app, place);
    const disk = await agent.watch('agent', { metric: 'disk_pct:/var', op, threshold: 90 });
    await agent.beat({ disks: [{ mount: '/var', pct: value }] });
    assert.equal((await disk.checks())[0]?.status, status);
  });

test('a monitor that cannot be decided keeps no other of its host from alarming', async () => {
  const agent = await makeAgent(app, place);
  const [broken, disk, memory] = [
    await agent.watch('agent', CPU),
    await agent.watch('agent', { ...CPU, metric: 'swap_pct' }),
    await agent.watch('agent', { ...CPU, metric: 'mem_pct' }),
  ];
  await sql`UPDATE monitor_state SET state = '"spoilt"', calm = false
    WHERE monitor_no = (SELECT no FROM monitors WHERE id = ${broken.id})`.execute(app.db);
  for (let i = 0; i < 2; i++) {
    await agent.beat({ cpu_pct: 95, swap_pct: 95, mem_pct: 95 });
    app.clock.advance(MINUTE);
  }
  assert.deepEqual(
    [(await disk.incidents()).length, (await memory.incidents()).length, (await broken.checks()).length],
    [1, 1, 2],
  );
  await agent.beat({ cpu_pct: 95, swap_pct: 10, mem_pct: 95 });
  app.clock.advance(MINUTE);
  await agent.beat({ cpu_pct: 95, swap_pct: 10, mem_pct: 95 });
  assert.deepEqual(
    [(await disk.incidents())[0]?.status, (await memory.incidents())[0]?.status],
    ['closed', 'open'],
  );
});

test('a heartbeat without the reading gives its monitor no result', async () => {
  const agent = await makeAgent(app, place);
  const cpu = await agent.watch('agent', CPU);
  const disk = await agent.watch('agent', { metric: 'disk_pct:/gone', op: 'gt', threshold: 90 });
  await agent.beat({ cpu_pct: null, disks: [{ mount: '/', pct: 10 }] });
  assert.deepEqual([await cpu.checks(), await disk.checks()], [[], []]);
});

test('while a monitor fails, its agent sends heartbeats as often as the policy checks', async () => {
  const agent = await makeAgent(app, place);
  await agent.watch('agent', CPU);
  assert.equal((await agent.beat({ cpu_pct: 1 })).interval_seconds, 60);
  app.clock.advance(MINUTE);
  assert.equal((await agent.beat({ cpu_pct: 99 })).interval_seconds, 15);
  app.clock.advance(15_000);
  assert.equal((await agent.beat({ cpu_pct: 1 })).interval_seconds, 60);
});

for (const [what, config, service, found] of [
  ['one that runs', {}, { running: true, cpu_pct: 5, mem_mb: 80 }, ['up', null]],
  ['one that does not run', {}, { running: false }, ['down', 'service_stopped']],
  ['one that should not run', { expect: 'stopped' }, { running: true }, ['down', 'service_running']],
  ['one that rests as it should', { expect: 'stopped' }, { running: false }, ['up', null]],
  ['too much CPU', { max_cpu_pct: 50 }, { running: true, cpu_pct: 51 }, ['down', 'service_cpu']],
  ['CPU at its maximum', { max_cpu_pct: 50 }, { running: true, cpu_pct: 50 }, ['up', null]],
  ['too much memory', { max_mem_mb: 100 }, { running: true, mem_mb: 101 }, ['down', 'service_memory']],
] as const)
  test(`a service monitor judges ${what}`, async () => {
    const agent = await makeAgent(app, place);
    const monitor = await agent.watch('service', { service: 'nginx', kind: 'systemd', ...config });
    await agent.beat({}, { services: [{ kind: 'systemd', name: 'nginx', ...service }] });
    const [check] = await monitor.checks();
    assert.deepEqual([check?.status, check?.failure_class ?? null], found);
  });

test('both metrics of a service are in its series', async () => {
  const agent = await makeAgent(app, place);
  const monitor = await agent.watch('service', { service: 'nginx', kind: 'process' });
  await agent.beat(
    {},
    { services: [{ kind: 'process', name: 'nginx', running: true, cpu_pct: 0.7, mem_mb: 64.5 }] },
  );
  for (const [metric, unit, value] of [
    ['cpu', 'pct', 0.7],
    ['mem', 'mb', 64.5],
  ]) {
    const series = await app.alice.ok<{ unit: string; points: { avg_ms: number }[] }>(
      'GET',
      `/monitors/${monitor.id}/series?range=3h&series_metric=${metric}`,
    );
    assert.deepEqual([series.unit, series.points[0]?.avg_ms], [unit, value]);
  }
});

test('a dead host raises one alarm: its online monitor fails after 180 s and again each minute, and no other does', async () => {
  const agent = await makeAgent(app, place);
  const online = await agent.watch('agent', { metric: 'online' });
  const cpu = await agent.watch('agent', CPU);
  await agent.beat({ cpu_pct: 1 });
  const last = app.clock.ms();
  await silence(2.5);
  assert.deepEqual(await online.incidents(), []);
  await silence(1.5);
  const [incident] = await online.incidents();
  assert.equal(incident?.status, 'open');
  assert.equal(incident?.started_at_unix, Math.floor((last + 180_000) / 1000));
  assert.equal((await online.checks())[0]?.failure_class, 'agent_silent');
  assert.equal((await cpu.checks()).length, 1);
  await silence(3);
  const silent = (await online.checks()).filter(({ failure_class }) => failure_class === 'agent_silent');
  assert.equal(silent.length, 5);
  assert.equal((await cpu.read()).last_status, 'passed');
  assert.notEqual((await cpu.read()).no_data_since_unix, null);

  app.clock.advance(5_000);
  await agent.beat({ cpu_pct: 1 });
  app.clock.advance(15_000);
  await agent.beat({ cpu_pct: 1 });
  assert.equal((await online.read()).last_status, 'passed');
  assert.equal((await online.incidents())[0]?.status, 'closed');
});

test('a host that may be offline is never down because of silence', async () => {
  const agent = await makeAgent(app, place);
  const online = await agent.watch('agent', { metric: 'online' });
  await app.db.updateTable('agents').set({ expected_offline: true }).where('no', '=', agent.no).execute();
  await agent.beat();
  await silence(6);
  assert.deepEqual(await online.incidents(), []);
});

test('a silent host that is then allowed to be offline is no longer down', async () => {
  const agent = await makeAgent(app, place);
  const online = await agent.watch('agent', { metric: 'online' });
  await agent.beat();
  await silence(4);
  assert.equal((await online.read()).last_status, 'failed');
  await app.alice.ok('PATCH', `/organizations/${place.orgId}/agents/${agent.id}`, { expected_offline: true });
  await silence(2);
  assert.equal((await online.read()).last_status, null);
  assert.equal((await online.incidents())[0]?.status, 'closed');
});

test('a host that enrolled and never sent anything is silent', async () => {
  const token = await app.alice.ok<{ token: string }>(
    'POST',
    `/organizations/${place.orgId}/agents/enrollment-tokens`,
  );
  const machine = { hostname: 'mute', platform: 'linux', os: '', arch: 'x64', agent_version: '0.1.0' };
  const { agent_id } = await app.visitor().ok<{ agent_id: string }>('POST', '/agent/enroll', {
    token: token.token,
    ...machine,
  });
  const body = { name: 'Mute', type: 'agent', config: { agent_id, metric: 'online' } };
  const monitor = await app.alice.ok<{ id: string }>('POST', `/projects/${place.projectId}/monitors`, body);
  await silence(4);
  const { last_status } = await app.alice.ok<{ last_status: string }>('GET', `/monitors/${monitor.id}`);
  assert.equal(last_status, 'failed');
});

test('if no server was running, nobody was silent', async () => {
  const agent = await makeAgent(app, place);
  const online = await agent.watch('agent', { metric: 'online' });
  await app.runTask('heartbeats_turn');
  await agent.beat();
  app.clock.advance(10 * MINUTE);
  await app.runTask('heartbeats_turn');
  assert.deepEqual(await online.incidents(), []);
  // What it kept arrives, and nothing of it is an outage.
  const sent = Array.from({ length: 10 }, (_, i) => app.clock.ms() - (9 - i) * MINUTE);
  await agent.post({ heartbeats: sent.map((ms) => heartbeatAt(ms, { cpu_pct: 3 })) });
  await silence(2);
  assert.deepEqual(await online.incidents(), []);
});

test('servers that keep restarting do not hide a dead host', async () => {
  const agent = await makeAgent(app, place);
  const online = await agent.watch('agent', { metric: 'online' });
  await agent.beat();
  for (let i = 0; i < 6; i++) {
    app.clock.advance(2 * MINUTE);
    await app.runTask('heartbeats_turn');
  }
  assert.equal((await online.incidents()).length, 1);
});

test('readings from an hour of buffering are history: they are in the chart and alarm nobody', async () => {
  const agent = await makeAgent(app, place);
  const cpu = await agent.watch('agent', CPU);
  await agent.beat({ cpu_pct: 1 });
  app.clock.advance(60 * MINUTE);
  const sent = Array.from({ length: 50 }, (_, i) => app.clock.ms() - (55 - i) * MINUTE);
  await agent.post({
    sent_at_ms: app.clock.ms(),
    heartbeats: sent.map((ms) => heartbeatAt(ms, { cpu_pct: 100 })),
  });
  assert.deepEqual(await cpu.incidents(), []);
  assert.equal((await cpu.checks()).length, 51);
});

test('an interval shorter than that of heartbeats leaves no gap between them', async () => {
  const agent = await makeAgent(app, place);
  const cpu = await agent.watch('agent', CPU, { interval_seconds: 10 });
  await agent.beat({ cpu_pct: 1 });
  app.clock.advance(59_000);
  assert.equal((await cpu.read()).no_data_since_unix, null);
});

test('another organization’s monitors that name the agent get no data from it', async () => {
  const agent = await makeAgent(app, place);
  const elsewhere = await makeAgent(app, await app.place());
  const foreign = await elsewhere.watch('agent', { metric: 'online' });
  await app.db
    .updateTable('monitors')
    .set({ config: JSON.stringify({ agent_id: agent.id, metric: 'online' }) })
    .where('id', '=', foreign.id)
    .execute();
  await agent.beat();
  await silence(4);
  assert.deepEqual(await foreign.checks(), []);
});
