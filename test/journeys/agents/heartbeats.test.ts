// What an agent posts, and what becomes of it: readings, checks of its monitors, refusals (docs/rules/agents.md#protocol).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Agent } from '#src/agents/contract.ts';
import { heartbeatAt, makeAgent, type TestAgent } from '#test/harness/agents.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';

const MINUTE = 60_000;

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const readingsOf = async ({ no }: TestAgent) =>
  (
    await sql<{ at: Date; cpu_pct: number | null; disks: object | null }>`
      SELECT at, cpu_pct, disks FROM agent_readings WHERE agent_no = ${no} ORDER BY at`.execute(app.db)
  ).rows;

test('a heartbeat is stored with its readings, and its answer tells the agent what to do next', async () => {
  const agent = await makeAgent(app, place);
  await agent.watch('service', { service: 'nginx', kind: 'process' });
  const reply = await agent.beat({ cpu_pct: 12.5, disks: [{ mount: '/', pct: 40 }] });
  assert.deepEqual(reply, {
    interval_seconds: 60,
    latest_version: '0.0.0',
    watched_services: [{ kind: 'process', name: 'nginx' }],
    inventory_enabled: false,
    server_time_ms: app.clock.ms(),
  });
  assert.deepEqual(await readingsOf(agent), [{ at: app.clock.now(), cpu_pct: 12.5, disks: { '/': 40 } }]);
});

test('readings out of range are dropped and named, and the heartbeat still counts', async () => {
  const agent = await makeAgent(app, place);
  const reply = await agent.beat({
    cpu_pct: -1,
    mem_pct: 1e300,
    load1: 0.5,
    disks: [{ mount: 'x', pct: 1 }],
  });
  assert.deepEqual(reply.dropped, ['readings.cpu_pct', 'readings.mem_pct', 'readings.disks[0]']);
  assert.equal((await readingsOf(agent)).length, 1);
});

test('ten thousand disks and unreadable names are dropped, and the other readings are kept', async () => {
  const agent = await makeAgent(app, place);
  const disks = Array.from({ length: 10_000 }, (_, i) => ({ mount: `/disk-${i}`, pct: 1e308 }));
  const services = [{ kind: 'process', name: 'a\u001b[31m', running: true }];
  const answer = await agent.post({
    ...heartbeatAt(app.clock.ms(), { cpu_pct: 7, load1: 1e308, disks }),
    services,
    processes: ['ok', 'bad\nname', ''],
  });
  const { dropped } = answer.body as { dropped: string[] };
  assert.deepEqual([dropped[0], dropped.length, dropped.at(-1)], ['readings.load1', 21, 'and 9982 more']);
  assert.deepEqual(await readingsOf(agent), [{ at: app.clock.now(), cpu_pct: 7, disks: null }]);
});

test('process names are stored only with the opt-in, and deleted without it', async () => {
  const agent = await makeAgent(app, place);
  const names = async () =>
    (
      await app.db
        .selectFrom('agent_inventories')
        .select('processes')
        .where('agent_no', '=', agent.no)
        .execute()
    ).map(({ processes }) => processes);
  await agent.beat({}, { processes: ['nginx'] });
  assert.deepEqual(await names(), []);
  await app.db.updateTable('agents').set({ inventory_enabled: true }).where('no', '=', agent.no).execute();
  app.clock.advance(MINUTE);
  assert.equal((await agent.beat({}, { processes: ['nginx', 'nginx', 'x\u0007'] })).inventory_enabled, true);
  assert.deepEqual(await names(), [['nginx']]);
});

test('a reboot, another version and a return from silence are events of the host', async () => {
  const agent = await makeAgent(app, place);
  await agent.beat({ uptime_seconds: 86_400 });
  app.clock.advance(MINUTE);
  await agent.beat({ uptime_seconds: 86_460 });
  app.clock.advance(5 * MINUTE);
  await app.runTask('agents');
  await agent.beat({ uptime_seconds: 200 }, { agent_version: '0.2.0' });
  const { rows } = await sql<{ kind: string; detail: string }>`
    SELECT kind, detail FROM agent_events WHERE agent_no = ${agent.no} ORDER BY at, kind`.execute(app.db);
  assert.deepEqual(rows.map(({ kind }) => kind).toSorted(), ['back', 'rebooted', 'silent', 'upgraded']);
  assert.equal(rows.find(({ kind }) => kind === 'upgraded')?.detail, '0.1.0 → 0.2.0');
});

test('a host that was suspended and resumed did not reboot', async () => {
  const agent = await makeAgent(app, place);
  await agent.beat({ uptime_seconds: 86_400 });
  app.clock.advance(60 * MINUTE);
  await agent.beat({ uptime_seconds: 86_410 });
  const { rows } =
    await sql`SELECT FROM agent_events WHERE agent_no = ${agent.no} AND kind = 'rebooted'`.execute(app.db);
  assert.equal(rows.length, 0);
});

for (const [what, body] of [
  ['a text for a number', heartbeatAt(1, { cpu_pct: '12' })],
  ['an unknown field', { ...heartbeatAt(1), colour: 'red' }],
  ['no readings', { sent_at_ms: 1, agent_version: '1', modules: [] }],
  ['a heartbeat beside kept ones', { ...heartbeatAt(1), heartbeats: [heartbeatAt(1)] }],
  ['no kept ones', { heartbeats: [] }],
  ['501 kept ones', { heartbeats: Array.from({ length: 501 }, (_, i) => heartbeatAt(i)) }],
  ['nothing', null],
] as const)
  test(`${what} is refused with 400`, async () => {
    const agent = await makeAgent(app, place);
    const answer = await agent.post(body);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.equal((answer.body as { error: string }).error, 'invalid_request');
    assert.deepEqual(await readingsOf(agent), []);
  });

test('a heartbeat sent twice is stored and evaluated once', async () => {
  const agent = await makeAgent(app, place);
  const cpu = await agent.watch('agent', { metric: 'cpu_pct', op: 'gt', threshold: 90 });
  const body = heartbeatAt(app.clock.ms(), { cpu_pct: 99 });
  await agent.post(body);
  app.clock.advance(4_000);
  await agent.post(body);
  assert.equal((await readingsOf(agent)).length, 1);
  assert.equal((await cpu.checks()).length, 1);
  assert.equal((await cpu.read()).last_status, 'degraded');
});

test('an agent’s clock may be hours off: the intervals between its heartbeats count', async () => {
  const agent = await makeAgent(app, place);
  const ahead = 5 * 60 * MINUTE;
  const sent = [2, 1, 0].map((minutes) => app.clock.ms() + ahead - minutes * MINUTE);
  await agent.post({ heartbeats: sent.map((ms) => heartbeatAt(ms, { cpu_pct: 1 })) });
  assert.deepEqual(
    (await readingsOf(agent)).map(({ at }) => app.clock.ms() - at.getTime()),
    [2 * MINUTE, MINUTE, 0],
  );
});

test('heartbeats older than the retention are dropped and named', async () => {
  const agent = await makeAgent(app, place);
  const now = app.clock.ms();
  const answer = await agent.post({
    sent_at_ms: now,
    heartbeats: [heartbeatAt(now - 8 * 86_400_000), heartbeatAt(now)],
  });
  assert.deepEqual((answer.body as { dropped: string[] }).dropped, ['heartbeats[0]']);
  assert.equal((await readingsOf(agent)).length, 1);
});

test('the credential identifies the agent, and a revoked one is refused at once', async () => {
  const agent = await makeAgent(app, place);
  await agent.beat({ cpu_pct: 1 });
  await app.db.deleteFrom('agents').where('no', '=', agent.no).execute();
  const answer = await agent.post(heartbeatAt(app.clock.ms()));
  assert.equal(answer.status, 401);
  assert.match((answer.body as { message: string }).message, /Enrol this machine again/);
  const probe = await app
    .visitor()
    .send('POST', '/agent/heartbeat', heartbeatAt(1), { authorization: `Bearer ${app.probe().token}` });
  assert.equal(probe.status, 401);
});

test('an agent due for an upgrade gets the version and the checksum of the server’s file, until it runs it', async () => {
  const bytes = async () => Buffer.from('// tocsin-agent.mjs 0.0.0');
  const file = { name: 'tocsin-agent.mjs', version: '0.0.0', sha256: 'ab'.repeat(32), bytes } as const;
  await using serving = await startTestApp({ builtFiles: { 'tocsin-agent.mjs': file } });
  const { orgId, projectId } = serving.home;
  const agent = await makeAgent(serving, { orgId, projectId });
  assert.equal((await agent.beat()).upgrade, undefined);
  await serving.alice.ok('POST', `/organizations/${orgId}/agents/${agent.id}/upgrade`);
  assert.deepEqual((await agent.beat()).upgrade, { version: '0.0.0', sha256: file.sha256 });
  assert.equal((await agent.beat({}, { agent_version: '0.0.0' })).upgrade, undefined);
  assert.equal((await agent.beat({}, { agent_version: '0.0.0' })).upgrade, undefined);
});

test('simultaneous posts of one agent are processed one after the other, without harm', async () => {
  const agent = await makeAgent(app, place);
  await agent.watch('agent', { metric: 'online' });
  await agent.watch('agent', { metric: 'cpu_pct', op: 'gt', threshold: 90 });
  const neighbour = await makeAgent(app, await app.place());
  const now = app.clock.ms();
  const posts = Array.from({ length: 40 }, (_, i) => agent.post(heartbeatAt(now - i, { cpu_pct: 99 })));
  const [other, ...answers] = await Promise.all([neighbour.post(heartbeatAt(now)), ...posts]);
  assert.equal(other.status, 200);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal((await readingsOf(agent)).length, 40);
});

test('a duplicate within a post is stored once', async () => {
  const agent = await makeAgent(app, place);
  const ms = app.clock.ms();
  const heartbeats = [heartbeatAt(ms - MINUTE), heartbeatAt(ms), heartbeatAt(ms), heartbeatAt(ms)];
  const answer = await agent.post({ sent_at_ms: ms, heartbeats });
  assert.deepEqual((answer.body as { dropped: string[] }).dropped, ['heartbeats[2]', 'heartbeats[3]']);
  assert.equal((await readingsOf(agent)).length, 2);
});

test('buffered heartbeats do not change the present: version, names and events stay the current ones', async () => {
  const agent = await makeAgent(app, place);
  await app.db.updateTable('agents').set({ inventory_enabled: true }).where('no', '=', agent.no).execute();
  await agent.beat({ uptime_seconds: 10_000 }, { processes: ['now'] });
  const ms = app.clock.ms();
  const old = {
    ...heartbeatAt(ms - 60 * MINUTE, { uptime_seconds: 5 }),
    agent_version: '0.0.9',
    processes: ['then'],
  };
  await agent.post({ sent_at_ms: ms, heartbeats: [old] });
  const shown = await app.alice.ok<Agent>('GET', `/organizations/${place.orgId}/agents/${agent.id}`);
  assert.deepEqual([shown.agent_version, shown.process_inventory], ['0.1.0', ['now']]);
  const events = await app.alice.ok<unknown[]>(
    'GET',
    `/organizations/${place.orgId}/agents/${agent.id}/events`,
  );
  assert.deepEqual(events, []);
});

for (const [what, readings, sent] of [
  ['a boot before there was time', { uptime_seconds: 3_155_760_000 }, 0],
  ['a heartbeat of 1970 at the end of time', { uptime_seconds: 5 }, 253402300799999],
] as const)
  test(`${what} is no boot`, async () => {
    const agent = await makeAgent(app, place);
    const body =
      sent === 0
        ? heartbeatAt(app.clock.ms(), readings)
        : { sent_at_ms: sent, heartbeats: [heartbeatAt(0, readings)] };
    assert.equal((await agent.post(body)).status, 200);
    const shown = await app.alice.ok<Agent>('GET', `/organizations/${place.orgId}/agents/${agent.id}`);
    assert.equal(shown.booted_at_unix, null);
  });

for (const version of ['', '1\n\u001b[31m', '2\u202e', '-1'])
  test(`a version ${JSON.stringify(version)} is refused`, async () => {
    const agent = await makeAgent(app, place);
    const answer = await agent.post({ ...heartbeatAt(app.clock.ms()), agent_version: version });
    assert.equal(answer.status, 400);
  });

test('a stored but undecided failure is decided with the next heartbeat, whatever it contains', async () => {
  const agent = await makeAgent(app, place);
  const nginx = await agent.watch(
    'service',
    { service: 'nginx', kind: 'process' },
    { policy: { alarm_consecutive: 1 } },
  );
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', nginx.id)
    .executeTakeFirstOrThrow();
  // As a server leaves it that dies in between.
  const at = app.clock.now();
  await app.db
    .insertInto('checks')
    .values({
      checked_at: at,
      monitor_no: no,
      region_no: 0,
      status: 2,
      failure_class: 'service_stopped',
      cause_layer: 'agent',
    })
    .execute();
  await app.db
    .updateTable('agent_states')
    .set({ undecided_from: at })
    .where('agent_no', '=', agent.no)
    .execute();
  app.clock.advance(MINUTE);
  await agent.beat({ cpu_pct: 1 });
  assert.equal((await nginx.incidents()).length, 1);
});

test('forty monitors and five hundred buffered heartbeats are evaluated within a moment, each as if it had come alone', async () => {
  const agent = await makeAgent(app, place);
  const monitors = [];
  for (let i = 0; i < 40; i++)
    monitors.push(
      await agent.watch('agent', {
        metric: 'load1',
        op: 'gt',
        threshold: i,
        window_seconds: 300 + (i % 2) * 86_100,
      }),
    );
  const ms = app.clock.ms();
  const heartbeats = Array.from({ length: 500 }, (_, i) =>
    heartbeatAt(ms - (499 - i) * MINUTE, { load1: i % 50 }),
  );
  assert.equal((await agent.post({ sent_at_ms: ms, heartbeats })).status, 200);
  const [newest] = (await monitors[0]?.checks()) ?? [];
  assert.equal(newest?.metric_value, 47);
  const [ofDay] = (await monitors[1]?.checks()) ?? [];
  assert.equal(ofDay?.metric_value, 24.5);
});

test('when many agents return at once only a few are accepted at a time; the others keep their heartbeats, and count as alive', async () => {
  const agents = await Promise.all(Array.from({ length: 6 }, () => makeAgent(app, place)));
  const now = app.clock.ms();
  const sent = Array.from({ length: 400 }, (_, i) => now - (400 - i) * MINUTE);
  const heartbeats = sent.map((ms) =>
    heartbeatAt(ms, { cpu_pct: 1, disks: [{ mount: `/${'m'.repeat(200)}`, pct: 3 }] }),
  );
  const answers = await Promise.all(agents.map((agent) => agent.post({ sent_at_ms: now, heartbeats })));
  const stored = answers.filter(({ status }) => status === 200).length;
  const kept = answers.filter(({ status }) => status === 503).length;
  assert.deepEqual(
    [stored + kept, stored <= 3, stored >= 1],
    [6, true, true],
    JSON.stringify(answers.map(({ status }) => status)),
  );
  for (const agent of agents) {
    const { last_heartbeat_at } = await app.db
      .selectFrom('agent_states')
      .select('last_heartbeat_at')
      .where('agent_no', '=', agent.no)
      .executeTakeFirstOrThrow();
    assert.deepEqual(last_heartbeat_at, app.clock.now());
  }
  // There is room again.
  const late = answers.findIndex(({ status }) => status === 503);
  assert.equal((await agents[late]!.post({ sent_at_ms: now, heartbeats })).status, 200);
});
