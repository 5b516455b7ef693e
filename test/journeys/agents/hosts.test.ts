// What people do with agents: the list, changes, removal (docs/rules/agents.md#who-sees-which-agent,
// docs/rules/agents.md#removing-an-agent).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Agent, AgentCurve } from '#src/agents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { storeReadings } from '#test/harness/agent-readings.ts';
import { heartbeatAt, insertAgent, makeAgent } from '#test/harness/agents.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
let place: Place;
let path: string;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  path = `/organizations/${place.orgId}/agents`;
});

const newAgent = (hostname = 'web-1', orgId = place.orgId) =>
  insertAgent(app.db, { orgId, hostname, at: app.clock.now() });
const read = (id: string) => app.alice.ok<Agent>('GET', `${path}/${id}`);
const change = (id: string, body: object) => app.alice.ok<Agent>('PATCH', `${path}/${id}`, body);

test('the list is newest first, in pages, and of one organization only', async () => {
  const { orgId } = await app.place();
  const own = `/organizations/${orgId}/agents`;
  const made = [await newAgent('a', orgId), await newAgent('b', orgId), await newAgent('c', orgId)];
  const ids = made.map(({ id }) => id).toReversed();
  const listed = await app.alice.ok<Agent[]>('GET', own);
  assert.deepEqual(
    listed.map(({ id }) => id),
    ids,
  );
  const first = await app.alice.send('GET', `${own}?limit=2`);
  assert.deepEqual(
    (first.body as Agent[]).map(({ id }) => id),
    ids.slice(0, 2),
  );
  const next = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(
    (await app.alice.ok<Agent[]>('GET', next)).map(({ id }) => id),
    ids.slice(2),
  );
  for (const before of [(await newAgent()).id, newId('agt'), 'nonsense'])
    assertRefused(await app.alice.send('GET', `${own}?before=${before}`), {
      status: 404,
      error: 'not_found',
    });
});

test('an agent is online for 180 s after a heartbeat', async () => {
  const agent = await makeAgent(app, place);
  await agent.beat({ cpu_pct: 12, mem_pct: 34, disk_pct: 56, disks: [{ mount: '/var', pct: 7 }] });
  const shown = await read(agent.id);
  assert.deepEqual(
    [shown.online, shown.last_cpu_pct, shown.last_mem_pct, shown.last_disk_pct],
    [true, 12, 34, 56],
  );
  assert.deepEqual(shown.readings, { cpu_pct: 12, mem_pct: 34, disk_pct: 56, 'disk_pct:/var': 7 });
  assert.equal(shown.last_heartbeat_at_unix, Math.floor(app.clock.ms() / 1000));
  app.clock.advance(179_000);
  assert.equal((await read(agent.id)).online, true);
  app.clock.advance(1000);
  assert.equal((await read(agent.id)).online, false);
});

test('an agent with an older version is outdated, one with a newer or unknown version is not', async () => {
  const { id, no } = await newAgent();
  for (const [version, outdated] of [
    ['0.0.0-beta.1', true],
    ['0.0.0', false],
    ['9.0.0', false],
    ['dev', false],
  ] as const) {
    await app.db
      .updateTable('agent_states')
      .set({ agent_version: version })
      .where('agent_no', '=', no)
      .execute();
    assert.equal((await read(id)).outdated, outdated, version);
  }
});

test('monitor_count counts the enabled monitors of an agent', async () => {
  const agent = await makeAgent(app, place);
  const one = await agent.watch('agent', { metric: 'online' });
  await agent.watch('service', { service: 'nginx', kind: 'process' });
  assert.equal((await read(agent.id)).monitor_count, 2);
  await app.alice.ok('PATCH', `/monitors/${one.id}`, { enabled: false });
  assert.equal((await read(agent.id)).monitor_count, 1);
});

test('labels, the opt-in and expected silence can be changed; nulls and omitted fields stay', async () => {
  const { id } = await newAgent();
  const changed = await change(id, {
    labels: ' env = prod ,web',
    inventory_enabled: true,
    expected_offline: true,
  });
  assert.deepEqual(
    [changed.labels, changed.inventory_enabled, changed.expected_offline],
    ['env=prod,web', true, true],
  );
  assert.deepEqual(
    await change(id, { labels: null, inventory_enabled: null, expected_offline: null }),
    changed,
  );
  assert.equal((await change(id, { labels: '' })).labels, '');
  const [entry] = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?limit=1`,
  );
  assert.equal(entry?.action, 'agent.update');
  assert.deepEqual(entry.before, {
    id,
    labels: 'env=prod,web',
    inventory_enabled: true,
    expected_offline: true,
  });
  assert.deepEqual(entry.after, { id, labels: '', inventory_enabled: true, expected_offline: true });
});

test('a host can be sent back as read; another value of a read-only field is refused, and so are invalid labels', async () => {
  const agent = await makeAgent(app, place);
  await agent.beat({ cpu_pct: 12.5, disks: [{ mount: '/', pct: 40 }] });
  const shown = await read(agent.id);
  assert.deepEqual(await change(agent.id, shown), shown);
  for (const [field, value] of [
    ['hostname', 'other'],
    ['online', false],
    ['readings', {}],
    ['monitor_count', 7],
    ['labels', 'a,a'],
    ['labels', 5],
    ['nonsense', 1],
  ] as const)
    assertRefused(await app.alice.send('PATCH', `${path}/${agent.id}`, { [field]: value }), {
      ...{ status: 400, error: 'invalid_request', field },
    });
});

test('the inventory is shown only with the opt-in, and deleted when it is withdrawn', async () => {
  const { id, no } = await newAgent();
  const insert = () =>
    app.db
      .insertInto('agent_inventories')
      .values({
        ...{ agent_no: no, at: app.clock.now(), processes: ['nginx', 'postgres'] },
        services: JSON.stringify([{ kind: 'systemd', name: 'ssh' }]),
      })
      .execute();
  await insert();
  assert.deepEqual((await read(id)).process_inventory, []);
  const shown = await change(id, { inventory_enabled: true });
  assert.deepEqual(shown.process_inventory, ['nginx', 'postgres']);
  assert.deepEqual(shown.service_inventory, [{ kind: 'systemd', name: 'ssh' }]);
  assert.equal(shown.process_inventory_at_unix, Math.floor(app.clock.ms() / 1000));
  await change(id, { inventory_enabled: false });
  const left = await app.db.selectFrom('agent_inventories').select('at').where('agent_no', '=', no).execute();
  assert.deepEqual(left, []);
});

test('an agent can be told to upgrade to the server’s version', async () => {
  const { id } = await newAgent();
  assert.equal((await read(id)).upgrade_asked, false);
  const asked = await app.alice.ok<Agent>('POST', `${path}/${id}/upgrade`);
  assert.equal(asked.upgrade_asked, true);
});

test('a removed agent is gone at once, its monitors are disabled with the reason, and its incidents closed', async () => {
  const agent = await makeAgent(app, place);
  const watching = await agent.watch('agent', { metric: 'cpu_pct', op: 'gt', threshold: 90 });
  const off = await agent.watch('agent', { metric: 'online' }, { enabled: false });
  for (let i = 0; i < 3; i++) {
    await agent.beat({ cpu_pct: 99 });
    app.clock.advance(60_000);
  }
  assert.equal((await watching.incidents())[0]?.status, 'open');
  await app.alice.ok('DELETE', `${path}/${agent.id}`);
  assert.equal((await agent.post(heartbeatAt(app.clock.ms()))).status, 401);
  assertRefused(await app.alice.send('GET', `${path}/${agent.id}`), { status: 404, error: 'not_found' });
  const disabled = await watching.read();
  const hostname = /^Its agent (.*) was removed\.$/.exec(disabled.disabled_reason ?? '')?.[1];
  assert.ok(hostname);
  assert.equal(disabled.enabled, false);
  assert.equal((await off.read()).disabled_reason, null);
  assert.equal((await watching.incidents())[0]?.status, 'closed');
  assert.ok((await watching.checks()).length > 0, 'its history is kept');
  const log = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${place.orgId}/activity?limit=3`);
  const of = (action: string) => log.find((entry) => entry.action === action)?.resource.id;
  assert.deepEqual([of('agent.remove'), of('monitor.update')], [agent.id, watching.id]);

  // Everything but enabling it: that takes another agent.
  const url = `/monitors/${watching.id}`;
  const refused = { status: 400, error: 'foreign_agent', field: 'config.agent_id' };
  await app.alice.ok('PATCH', url, { name: 'CPU of a host that is gone' });
  assertRefused(await app.alice.send('PATCH', url, { enabled: true }), refused);
  const other = await newAgent('web-2');
  const enabled = await app.alice.ok<Monitor>('PATCH', url, {
    enabled: true,
    config: { agent_id: other.id },
  });
  assert.deepEqual([enabled.enabled, enabled.disabled_reason], [true, null]);
  await app.alice.ok('DELETE', `/monitors/${off.id}`);
});

test('a removed agent’s readings are deleted in the background, and no other’s', async () => {
  const [gone, stays] = [await newAgent(), await newAgent()];
  for (const { no } of [gone, stays]) {
    const at = (minutes: number) => new Date(app.clock.ms() - 86_400_000 + minutes * 60_000);
    await app.db
      .updateTable('agent_states')
      .set({ rolled_until: at(-10) })
      .where('agent_no', '=', no)
      .execute();
    await storeReadings(
      app.db,
      no,
      Array.from({ length: 1000 }, (_, i) => ({ at: at(i), cpu_pct: 1 })),
    );
    const event = { at: app.clock.now(), agent_no: no, kind: 'enrolled', detail: '' };
    await app.db.insertInto('agent_events').values(event).execute();
  }
  await app.runTask('roll_up_agents');
  await app.alice.ok('DELETE', `${path}/${gone.id}`);
  await app.runTask('purge_agent', { agent_no: gone.no });
  for (const table of ['agent_readings', 'agent_buckets_10m', 'agent_buckets_12h', 'agent_events']) {
    const { rows } = await sql<{ agent_no: number }>`
      SELECT DISTINCT agent_no FROM ${sql.table(table)} WHERE agent_no IN (${gone.no}, ${stays.no})`.execute(
      app.db,
    );
    assert.deepEqual(rows, [{ agent_no: stays.no }], table);
  }
});

test('a deleted organization leaves no readings of its hosts', async () => {
  const { orgId } = await app.place();
  const { no } = await newAgent('web-1', orgId);
  await app.alice.ok('DELETE', `/organizations/${orgId}`);
  const { rows } = await sql<{ payload: { agent_no: number } }>`
    SELECT payload FROM graphile_worker._private_jobs WHERE key = ${`purge_agent:${no}`}`.execute(app.db);
  assert.deepEqual(
    rows.map(({ payload }) => payload.agent_no),
    [no],
  );
});

test('of two people who remove an agent at once, one does, and it is recorded once', async () => {
  for (let i = 0; i < 5; i++) {
    const { id } = await newAgent();
    const answers = await Promise.all([1, 2].map(() => app.alice.send('DELETE', `${path}/${id}`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404]);
    const recorded = await app.db
      .selectFrom('activity')
      .select('id')
      .where('action', '=', 'agent.remove')
      .where('resource_id', '=', id)
      .execute();
    assert.equal(recorded.length, 1);
  }
});

test('a monitor that is enabled while its agent is removed is disabled, or refused', async () => {
  for (let round = 0; round < 4; round++) {
    const agent = await makeAgent(app, place);
    const watching = await agent.watch('agent', { metric: 'online' }, { enabled: false });
    const [switched, removed] = await Promise.all([
      app.alice.send('PATCH', `/monitors/${watching.id}`, { enabled: true }),
      app.alice.send('DELETE', `${path}/${agent.id}`),
    ]);
    assert.equal(removed.status, 204);
    assert.ok([200, 400].includes(switched.status), JSON.stringify(switched.body));
    assert.equal((await watching.read()).enabled, false);
  }
});

test('agents of another organization are not found', async () => {
  const stranger = await app.person(`stranger-${newId('usr')}`);
  const theirs = await app.place(stranger);
  const foreign = await newAgent('foreign', theirs.orgId);
  const own = await newAgent();
  for (const [method, rest, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { labels: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/upgrade', undefined],
    ['GET', '/series?metric=cpu_pct', undefined],
    ['GET', '/events', undefined],
  ] as const) {
    const inMine = `${path}/${foreign.id}${rest}`;
    assertRefused(await app.alice.send(method, inMine, body), { status: 404, error: 'not_found' }, inMine);
    const inTheirs = `/organizations/${theirs.orgId}/agents/${own.id}${rest}`;
    assertRefused(await stranger.send(method, inTheirs, body), { status: 404, error: 'not_found' }, inTheirs);
    const closed = `${path}/${own.id}${rest}`;
    assertRefused(await stranger.send(method, closed, body), { status: 403, error: 'forbidden' }, closed);
  }
  assertRefused(
    await app.alice.send('POST', `/projects/${place.projectId}/monitors`, {
      ...{ name: 'Theirs', type: 'agent', config: { agent_id: foreign.id, metric: 'online' } },
    }),
    { status: 400, error: 'foreign_agent', field: 'config.agent_id' },
  );
});

test('a narrowed key sees the agents of its monitors, and counts only its own monitors', async () => {
  const { orgId, projectId } = await app.place();
  const agent = await makeAgent(app, { orgId, projectId });
  const mine = await agent.watch('agent', { metric: 'online' });
  await agent.watch('service', { service: 'nginx', kind: 'process' });
  const hidden = await makeAgent(app, { orgId, projectId });
  await hidden.watch('agent', { metric: 'online' });
  const key = await makeKeyHolder(app, app.alice, orgId, {
    scopes: ['agents:write'],
    monitor_ids: [mine.id],
  });
  const own = `/organizations/${orgId}/agents`;
  const listed = await key.ok<Agent[]>('GET', own);
  assert.deepEqual(
    listed.map(({ id, monitor_count }) => [id, monitor_count]),
    [[agent.id, 1]],
  );
  const curves = await key.ok<AgentCurve[]>('GET', `/organizations/${orgId}/agent-curves`);
  assert.deepEqual(
    curves.map(({ agent_id }) => agent_id),
    [agent.id],
  );
  await key.ok('GET', `${own}/${agent.id}/series?metric=cpu_pct`);
  const forbidden = { status: 403, error: 'forbidden' };
  for (const rest of ['', '/series?metric=cpu_pct', '/events'])
    assertRefused(await key.send('GET', `${own}/${hidden.id}${rest}`), forbidden, rest);
  assertRefused(await key.send('GET', `${own}?before=${hidden.id}`), forbidden);
  assertRefused(await key.send('PATCH', `${own}/${agent.id}`, { labels: 'x' }), forbidden);
  assertRefused(await key.send('GET', `${own}/enrollment-tokens`), forbidden);
});
